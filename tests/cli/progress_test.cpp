// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include <pty.h>
#include <unistd.h>

namespace tumble::cli {
namespace {

/// Stands in for standard error while it lives: a terminal, or a pipe.
class CapturedStderr {
 public:
  explicit CapturedStderr(bool terminal) {
    int ends[2] = {-1, -1};
    const int made = terminal ? openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr) : pipe(ends);
    EXPECT_EQ(made, 0);
    reader_ = ends[0];
    saved_ = dup(STDERR_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
  }
  ~CapturedStderr() {
    restore();
    close(reader_);
  }
  std::string text() {
    restore();
    std::string all;
    char buffer[4096];
    // A terminal whose other side is closed says so by an error once it is drained.
    for (ssize_t n = 0; (n = read(reader_, buffer, sizeof buffer)) > 0;) all.append(buffer, std::size_t(n));
    return all;
  }

 private:
  void restore() {
    if (saved_ < 0) return;
    dup2(saved_, STDERR_FILENO);
    close(saved_);
    saved_ = -1;
  }
  int reader_ = -1, saved_ = -1;
};

std::string drawn(bool terminal, double share, std::chrono::milliseconds work) {
  CapturedStderr captured(terminal);
  {
    Progress progress("working\n");
    if (share >= 0) progress.set_share(share);
    std::this_thread::sleep_for(work);
  }
  return captured.text();
}

constexpr std::chrono::milliseconds quick{100}, slow{2200};

TEST(Progress, ShowsABarAfterTwoSecondsAndWipesIt) {
  const std::string text = drawn(true, 0.5, slow);
  EXPECT_NE(text.find("\r\033[Kworking\\x0a [###############               ]  50 %"), text.npos) << text;
  EXPECT_TRUE(text.ends_with("\r\033[K")) << text;
}

TEST(Progress, ShowsTheTimeWhenTheShareIsUnknown) {
  EXPECT_NE(drawn(true, -1, slow).find("working\\x0a \u2026 2 s"), std::string::npos);
}

TEST(Progress, IsSilentForQuickWorkAndAwayFromTerminals) {
  EXPECT_EQ(drawn(true, 0.5, quick), "");
  EXPECT_EQ(drawn(false, 0.5, slow), "");
}

}  // namespace
}  // namespace tumble::cli
