// SPDX-License-Identifier: Apache-2.0
// Draws the progress bar.
#include "cli/progress.h"

#include "cli/interrupt.h"
#include "cli/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <unistd.h>

namespace tumble::cli {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds patience{2};
constexpr std::chrono::milliseconds redraw_every{100};

std::string line(const std::string& task, double share, Clock::duration elapsed) {
  if (share < 0)
    return fmt::format("{} … {} s", task, std::chrono::duration_cast<std::chrono::seconds>(elapsed).count());
  constexpr std::size_t width = 30;
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * double(width));
  return fmt::format("{} [{:<{}}] {:3.0f} %", task, std::string(filled, '#'), width, share * 100);
}

}  // namespace

Progress::Progress(std::string_view task) : task_(printable(task)) {
  if (isatty(STDERR_FILENO) && !is_quiet()) thread_ = std::thread([this] { draw_until_done(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    done_ = true;
  }
  finished_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void Progress::draw_until_done() {
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  if (finished_.wait_for(lock, patience, [this] { return done_; })) return;
  set_bar_visible(true);
  do {
    const std::string text = wipe_line + line(task_, share_.load(std::memory_order_relaxed), Clock::now() - start);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
  } while (!finished_.wait_for(lock, redraw_every, [this] { return done_; }));
  set_bar_visible(false);
  std::fputs(wipe_line, stderr);
  std::fflush(stderr);
}

}  // namespace tumble::cli
