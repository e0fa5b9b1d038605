// SPDX-License-Identifier: Apache-2.0
// The tumble binary: picks the command and turns every failure into one line and status 2.
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/text.h"

#include <tumble/version.h>

#include <CLI/CLI.hpp>

#include <new>
#include <string>

namespace tumble::cli {
namespace {

int exit_code(Status status) { return static_cast<int>(status); }

int run(int argc, char** argv) {
  CLI::App app{"Exact collision detection between triangle meshes.", "tumble"};
  app.set_version_flag("--version", std::string("tumble ") + version());
  app.require_subcommand(0, 1);  // "at least one" is checked below, after unknown words were reported
  app.footer(
      "Exit status: 0 nothing found, 1 contact or hit found, 2 error (one line on standard error).\n"
      "Meshes are read from .stl, .obj, .ply, .off, .gltf and .glb files, and from .tmbl files made by 'tumble "
      "build'.\n\n"
      "Examples:\n"
      "  tumble info cabin.glb hand.stl\n"
      "  tumble build cabin.glb -o cabin.tmbl\n"
      "  tumble collide cabin.glb hand.stl --pose-b \"1 0 0 0.5  0 1 0 0  0 0 1 0\"\n"
      "  tumble distance cabin.glb hand.stl\n"
      "  tumble penetration housing.stl gear.stl\n"
      "  tumble ray housing.stl --from \"0 0 5\" --direction \"0 0 -1\"\n"
      "  tumble fly cabin.tmbl hand.stl path.txt\n"
      "  tumble world cell.json arm.urdf --configurations path.csv\n"
      "  tumble clash gearbox.step --clearance 0.5 --json clashes.json\n"
      "  tumble view assembly.glb\n\n"
      "'tumble COMMAND --help' explains a command.");
  const Command commands[] = {add_info(app),   add_build(app),       add_collide(app), add_distance(app),
                              add_inside(app), add_penetration(app), add_point(app),   add_ray(app),
                              add_fly(app),    add_world(app),       add_clash(app),   add_view(app),
                              add_lab(app),    add_manual(app)};
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      app.exit(error);
      flush_standard_output();
      return 0;
    }
    const CLI::App* asked = &app;
    for (const Command& command : commands)
      if (command.arguments->parsed()) asked = command.arguments;
    const std::string name = asked == &app ? "tumble" : "tumble " + asked->get_name();
    complain(std::string(error.what()) + "; see '" + name + " --help'");
    return exit_code(Status::failed);
  }
  for (const Command& command : commands) {
    if (!command.arguments->parsed()) continue;
    const Status status = command.run();
    flush_standard_output();
    return exit_code(status);
  }
  complain("which command? see 'tumble --help'");
  return exit_code(Status::failed);
}

}  // namespace
}  // namespace tumble::cli

int main(int argc, char** argv) {
  using namespace tumble::cli;
  try {
    clean_up_when_interrupted();
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    complain("out of memory");
  } catch (const std::exception& error) {
    complain(error.what());
  }
  return exit_code(Status::failed);
}
