// SPDX-License-Identifier: Apache-2.0
// tumble view: shows meshes, assemblies and robots in the browser.
#include "cli/choices.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/report/serve.h"
#include "cli/report/write.h"
#include "cli/text.h"
#include "cli/world_files.h"
#include "report/world_page.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <spawn.h>
#include <sys/wait.h>

#include <memory>
#include <string>

extern char** environ;

namespace tumble::cli {
namespace {

struct Options {
  WorldFiles world;
  int port = 8765;
  bool open = false;
};

/// The address is printed, too, so that nothing is lost if this fails.
void open_in_browser(const std::string& address) {
  std::string program = "xdg-open", argument = address;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  int status = 0;
  if (posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0 ||
      waitpid(child, &status, 0) != child || status != 0)
    complain("xdg-open does not open a browser here; open " + address);
}

Status run(const Options& options) {
  const LoadedWorld loaded = load_world(options.world);
  PageServer server(page_text({.title = page_title(options.world.files),
                               .command = "view",
                               .units = loaded.units,
                               .parts = page_parts(loaded.world)}),
                    options.port);
  if (!is_quiet()) fmt::print("{}\nCtrl-C ends it.\n", server.address());
  flush_standard_output();
  if (options.open) open_in_browser(server.address());
  server.serve();
}

}  // namespace

Command add_view(CLI::App& tumble) {
  const auto options = std::make_shared<Options>();
  CLI::App* app = add_command(tumble, "view", "Show meshes, assemblies and robots in the browser");
  add_world_files(*app, options->world);
  add_number(*app, "--port", options->port, 0, 65535, "The port to listen on; 0: any that is free");
  add_flag(*app, "--open", options->open, "Open the page with xdg-open");
  add_footer(
      *app,
      "Serves the page of a report to this machine alone, until it is interrupted. It answers requests for the\n"
      "page and no others, and reads no file for them. --bound and --k choose the bounding volumes it can show.\n"
      "Exit status: 0 never, since only an interruption ends it; 2 error.\n\n"
      "Examples:\n"
      "  tumble view assembly.glb\n"
      "  tumble view arm.urdf cell.json --port 0 --open\n"
      "  tumble view horse.ply --bound dop --k 18");
  return {app, [options, app] {
            check_world_files(*app, options->world);
            return run(*options);
          }};
}

}  // namespace tumble::cli
