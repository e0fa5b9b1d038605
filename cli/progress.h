// SPDX-License-Identifier: Apache-2.0
// Progress: a bar on the terminal for work that takes longer than two seconds.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace tumble::cli {

/// Draws from its own thread while it lives, if standard error is a terminal, and wipes itself away at the end.
class Progress {
 public:
  explicit Progress(std::string_view task);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// From 0 to 1. If this is never called, the bar shows the time taken.
  void set_share(double share) { share_.store(share, std::memory_order_relaxed); }

 private:
  void draw_until_done();

  const std::string task_;
  std::atomic<double> share_{-1};
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace tumble::cli
