// SPDX-License-Identifier: Apache-2.0
// The tumble binary: picks the command and turns every failure into one line and status 2.
#include "cli/application.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/text.h"
#include "cli/usage_error.h"

#include <new>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

int exit_code(Status status) { return static_cast<int>(status); }

int run(int argc, char** argv) {
  const Application application = make_application();
  CLI::App& app = *application.arguments;
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help and --version
      app.exit(error);
      flush_standard_output();
      return 0;
    }
    complain(in_words(error, app, words));
    return exit_code(Status::failed);
  }
  if (const std::string wrong = option_for_a_value(app, words); !wrong.empty()) {
    complain(wrong);
    return exit_code(Status::failed);
  }
  for (const Command& command : application.commands) {
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
