// SPDX-License-Identifier: Apache-2.0
// Puts the commands together.
#include "cli/application.h"

#include "cli/help.h"
#include "cli/text.h"

#include <tumble/version.h>

#include <fmt/format.h>

#include <memory>
#include <string>

namespace tumble::cli {

Application make_application() {
  Application application{std::make_unique<CLI::App>("Exact collision detection between triangle meshes.", "tumble"),
                          {}};
  CLI::App& app = *application.arguments;
  app.formatter(std::make_shared<HelpFormatter>());
  app.get_formatter()->label("SUBCOMMAND", "COMMAND");
  app.get_formatter()->label("Positionals", "Arguments");
  app.set_help_flag("-h,--help", "Print this help and exit");
  app.set_help_all_flag("--help-all", "Print the help with all options and exit");
  app.set_version_flag("-V,--version", fmt::format("tumble {} ({})", version(), instruction_set()),
                       "Print the version and the instruction set in use, and exit");
  app.require_subcommand(0, 1);  // "at least one" is checked later, after unknown words were reported
  app.footer(
      "Exit status: 0 nothing found, 1 contact or hit found, 2 error (one line on standard error).\n"
      "Meshes are read from .stl, .obj, .ply, .off, .gltf and .glb files, and from .tmbl files made by 'tumble "
      "build'.\n\n"
      "Examples:\n"
      "  tumble info cabin.glb hand.stl\n"
      "  tumble build cabin.glb -o cabin.tmbl\n"
      "  tumble collide cabin.glb hand.stl --pose-b \"translation 0.5 0 0 yaw 90\"\n"
      "  tumble distance cabin.glb hand.stl\n"
      "  tumble penetration housing.stl gear.stl\n"
      "  tumble ray housing.stl --from \"0 0 5\" --direction \"0 0 -1\"\n"
      "  tumble fly cabin.tmbl hand.stl path.txt\n"
      "  tumble world cell.json arm.urdf --configurations path.csv\n"
      "  tumble clash gearbox.step --clearance 0.5 --json clashes.json\n"
      "  tumble view assembly.glb\n\n"
      "'tumble help COMMAND' explains a command.");
  application.commands = {add_info(app),        add_build(app), add_collide(app), add_distance(app), add_inside(app),
                          add_penetration(app), add_point(app), add_ray(app),     add_fly(app),      add_world(app),
                          add_clash(app),       add_view(app),  add_lab(app),     add_help(app),     add_manual(app)};
  for (CLI::App* command : app.get_subcommands({})) {
    if (command->get_group().empty()) continue;  // not for people
    command->group("Commands");
    if (command->get_name() != "help")
      command->add_flag_callback("-q,--quiet", be_quiet, "Print nothing but errors, and what is asked for with '-'");
  }
  return application;
}

}  // namespace tumble::cli
