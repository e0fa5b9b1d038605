// SPDX-License-Identifier: Apache-2.0
// A child process, its timer and a pipe. The timer counts processor time: a loaded machine makes nobody slower.
#include "lab/rivals/limited.h"

#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <exception>
#include <system_error>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tumble::lab {
namespace {

using Clock = std::chrono::steady_clock;

void set_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

[[noreturn]] void child(int pipe, double seconds, const std::function<std::string()>& work) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // it ends with its parent
  ::signal(SIGPROF, SIG_DFL);
  if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0) ::dup2(nowhere, STDERR_FILENO);  // last words
  std::string answer;
  try {
    set_timer(seconds);
    answer = "+" + work();
    lift_limit();
  } catch (const std::exception& error) {
    answer = std::string("-") + error.what();
  } catch (...) {
    answer = "-it threw what is no exception";
  }
  for (std::size_t sent = 0; sent < answer.size();) {
    const ssize_t n = ::write(pipe, answer.data() + sent, answer.size() - sent);
    if (n < 0 && errno != EINTR) ::_exit(2);
    if (n > 0) sent += static_cast<std::size_t>(n);
  }
  ::_exit(0);  // neither destructors nor buffers: they are the parent's
}

/// All that comes, or false if nothing more does within the patience.
bool read_all(int pipe, Clock::time_point until, std::string& into) {
  char buffer[1 << 16];
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd ready{pipe, POLLIN, 0};
    const int n = left > 0 ? ::poll(&ready, 1, static_cast<int>(left)) : 0;
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    const ssize_t got = ::read(pipe, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return true;
    into.append(buffer, static_cast<std::size_t>(got));
  }
}

}  // namespace

void lift_limit() { set_timer(0); }

Limited run_limited(double seconds, const std::function<std::string()>& work) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "cannot make a pipe");
  const pid_t pid = ::fork();
  if (pid < 0) throw std::system_error(errno, std::generic_category(), "cannot fork");
  if (pid == 0) {
    ::close(ends[0]);
    child(ends[1], seconds, work);
  }
  ::close(ends[1]);
  std::string answer;
  const auto patience = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(60 + 30 * seconds));
  const bool ended = read_all(ends[0], Clock::now() + patience, answer);
  ::close(ends[0]);
  if (!ended) ::kill(pid, SIGKILL);
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (!ended) return {Limited::End::failed, "stuck"};
  if (WIFSIGNALED(status))
    return WTERMSIG(status) == SIGPROF ? Limited{Limited::End::over_limit, {}}
                                       : Limited{Limited::End::failed, "signal " + std::to_string(WTERMSIG(status))};
  if (answer.empty() || WEXITSTATUS(status) != 0) return {Limited::End::failed, "no answer"};
  return {answer[0] == '+' ? Limited::End::finished : Limited::End::failed, answer.substr(1)};
}

}  // namespace tumble::lab
