// SPDX-License-Identifier: Apache-2.0
// Runs tumble-step and takes over what it has read.
#include "cli/step_file.h"

#include "cli/choices.h"
#include "cli/given_files.h"
#include "cli/progress.h"
#include "cli/step/wire.h"
#include "io/parse_number.h"
#include "io/text.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tumble::cli {
namespace {

[[noreturn]] void fail(const std::string& file, const std::string& what, ErrorCode code = ErrorCode::unsupported) {
  throw Error(code, what, {.file = file});
}

std::filesystem::path helper() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed).parent_path() / "tumble-step";
}

/// Two ends that close themselves.
struct Pipe {
  int read_end = -1, write_end = -1;

  Pipe() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) throw Error(ErrorCode::file_access, std::strerror(errno));
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    close(read_end);
    close_write_end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write_end() {
    if (write_end >= 0) close(std::exchange(write_end, -1));
  }
};

struct Finished {
  int status = 0;  // as waitpid() tells it
  std::string out, err;
};

Finished run(const std::string& file, std::array<const char*, 5> arguments) {
  Pipe out, err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
  pid_t child = 0;
  const int error =
      posix_spawn(&child, arguments[0], &actions, nullptr, const_cast<char* const*>(arguments.data()), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error) fail(file, fmt::format("cannot run {}: {}", arguments[0], std::strerror(error)));
  out.close_write_end();
  err.close_write_end();
  Finished finished;
  std::array<pollfd, 2> ends{{{out.read_end, POLLIN, 0}, {err.read_end, POLLIN, 0}}};
  std::string block(std::size_t{1} << 16, '\0');
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    if (poll(ends.data(), ends.size(), -1) < 0) continue;  // interrupted
    for (pollfd& end : ends) {
      if (end.fd < 0 || end.revents == 0) continue;
      const ssize_t n = read(end.fd, block.data(), block.size());
      if (n > 0) (&end == ends.data() ? finished.out : finished.err).append(block, 0, std::size_t(n));
      if (n == 0 || (n < 0 && errno != EINTR)) end.fd = -1;
    }
  }
  while (waitpid(child, &finished.status, 0) < 0 && errno == EINTR) {
  }
  return finished;
}

}  // namespace

bool is_step(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return io::is_word(extension, ".step") || io::is_word(extension, ".stp");
}

void add_step_options(CLI::App& command, StepOptions& options) {
  const auto read = [](const char* option, const std::string& word, double least, double most, const char* what) {
    const std::optional<double> value = io::parse_number(word);
    if (!value || !(*value >= least && *value <= most)) refuse(option, fmt::format("'{}' is not {}", word, what));
    return *value;
  };
  add_read(
      command, "--deflection",
      [&options, read](const std::string& word) {
        options.deflection =
            read("--deflection", word, StepOptions::least_deflection, 1e100, "a distance of at least 1e-7 mm");
      },
      "D", "How far triangles may be from a STEP file's shapes, in mm; 0.001 of a part by default");
  add_read(
      command, "--angle",
      [&options, read](const std::string& word) {
        options.angle = read("--angle", word, 0.1, 90, "an angle from 0.1 to 90 degrees");
      },
      "DEGREES",
      fmt::format("For STEP files: the largest angle between neighbours on a curved face; {} by default",
                  options.angle));
}

StepAssembly read_step(const std::string& file, const StepOptions& options) {
  refuse_written(file);
  const Progress progress("reading " + file);
  const std::string program = helper().string();
  if (!std::filesystem::exists(program))
    fail(file,
         "this tumble cannot read STEP: it was built without OpenCASCADE. Install it (on Debian: apt-get install "
         "libocct-data-exchange-dev libocct-ocaf-dev libocct-modeling-algorithms-dev "
         "libocct-visualization-dev) and build again");
  const std::string deflection = options.deflection ? fmt::format("{}", *options.deflection) : "-";
  const std::string angle = fmt::format("{}", options.angle);
  // A name that begins with - stays a name.
  const std::string path = std::filesystem::absolute(file).string();
  const Finished finished = run(file, {program.c_str(), path.c_str(), deflection.c_str(), angle.c_str(), nullptr});
  if (WIFSIGNALED(finished.status))
    fail(file, fmt::format("OpenCASCADE crashed while it read this file ({})", strsignal(WTERMSIG(finished.status))),
         ErrorCode::file_format);
  if (finished.status != 0) fail(file, std::string(io::trimmed(finished.err)), ErrorCode::file_format);
  return StepReader(finished.out).read();
}

}  // namespace tumble::cli
