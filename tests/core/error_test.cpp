// SPDX-License-Identifier: Apache-2.0
#include <tumble/error.h>

#include <gtest/gtest.h>

namespace tumble {
namespace {

TEST(Error, SpellsThePlaceThenTheMessage) {
  const Error error(ErrorCode::file_format, "a vertex needs three numbers", {.file = "cube.obj", .line = 12});
  EXPECT_STREQ(error.what(), "cube.obj, line 12: a vertex needs three numbers");
  EXPECT_EQ(error.message(), "a vertex needs three numbers");
  EXPECT_EQ(error.code(), ErrorCode::file_format);
  EXPECT_EQ(error.place().line, 12);
}

TEST(Error, LeavesOutWhatIsUnset) {
  EXPECT_STREQ(Error(ErrorCode::invalid_argument, "k must be even").what(), "k must be even");
  EXPECT_STREQ(Error(ErrorCode::invalid_mesh, "not finite", {.file = {}, .vertex = 0}).what(), "vertex 0: not finite");
}

}  // namespace
}  // namespace tumble
