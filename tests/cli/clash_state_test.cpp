// SPDX-License-Identifier: Apache-2.0
// Unfinished work that cannot be kept: the search for clashes goes on, and says so once.
#include "cli/clash_state.h"

#include <tumble/error.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <string>

#include <sys/resource.h>

namespace tumble::cli {
namespace {

/// A limit of the size of files stands for a full disk.
class FullDisk {
 public:
  FullDisk() {
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit none = before_;
    none.rlim_cur = 1000;  // what is said fits, and fifty pairs do not
    setrlimit(RLIMIT_FSIZE, &none);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
};

class KeptWork : public testing::Test {
 protected:
  KeptWork() { std::filesystem::remove_all(folder_), std::filesystem::create_directory(folder_); }
  ~KeptWork() override { std::filesystem::remove_all(folder_); }

  const std::filesystem::path folder_ = testing::TempDir() + "tumble_kept_work";
  const std::string file_ = (folder_ / "state").string();
};

TEST_F(KeptWork, GoesOnWithoutRoomAndIsWholeOnceThereIsSome) {
  ClashState state(file_, 1, 100, std::chrono::milliseconds(0));  // saves at every pair
  for (std::size_t b = 1; b < 50; ++b) state.add({.a = 0, .b = b});
  const std::uintmax_t size = std::filesystem::file_size(file_);
  testing::internal::CaptureStderr();
  {
    const FullDisk full;
    for (std::size_t b = 50; b < 53; ++b) EXPECT_NO_THROW(state.add({.a = 0, .b = b}));
    EXPECT_THROW(state.save(), Error);
  }
  const std::string told = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::ranges::count(told, '\n'), 1) << told;
  EXPECT_NE(told.find("state: cannot write the file"), std::string::npos) << told;
  EXPECT_EQ(std::filesystem::file_size(file_), size) << "what was kept before stays";
  state.add({.a = 0, .b = 53});
  EXPECT_EQ(ClashState(file_, 1, 100).pairs().size(), 53U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 1) << "a temporary file was left behind";
}

}  // namespace
}  // namespace tumble::cli
