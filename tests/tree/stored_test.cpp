// SPDX-License-Identifier: Apache-2.0
#include "core/checksum.h"
#include "scenes/meshes.h"
#include "scenes/random.h"
#include "tree/model_data.h"

#include <tumble/error.h>
#include <tumble/model.h>

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <fstream>

namespace tumble {
namespace {

constexpr std::size_t version_at = 8, byte_order_at = 12, checksum_at = 24, header_bytes = 192;

class Stored : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("tumble_stored_test_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    file_ = folder_ / "model.tmbl";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string stored(const Model& model) const {
    save(model, file_);
    std::ifstream in(file_, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void write(const std::string& bytes) const {
    std::ofstream(file_, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  /// A forger knows how to make checksums.
  void write_with_checksum(std::string bytes) const {
    bytes.replace(checksum_at, 8, 8, '\0');
    Checksum checksum;
    checksum.add(std::as_bytes(std::span(bytes)));
    const std::uint64_t value = checksum.value();
    bytes.replace(checksum_at, 8, std::bit_cast<std::array<char, 8>>(value).data(), 8);
    write(bytes);
  }
  void expect_refused(ErrorCode code = ErrorCode::file_format) const {
    try {
      load_model(file_);
      ADD_FAILURE() << "opened";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), code) << error.what();
      EXPECT_NE(std::string(error.what()).find("model.tmbl"), std::string::npos) << error.what();
    }
  }

  std::filesystem::path folder_, file_;
};

Model small_model(Bound bound = Bound::obb) {
  Mesh mesh = scenes::wrinkled_torus(400);
  mesh.parts = {{"front", 0, 100}, {"back", 100, 300}};
  TreeOptions options;
  options.bound = bound;
  options.paper.orient = bound == Bound::dop;
  return Model(std::move(mesh), options);
}

TEST_F(Stored, OpensAsItWasSaved) {
  for (const Bound bound : {Bound::dop, Bound::obb}) {
    const Model model = small_model(bound);
    save(model, file_);
    const Model again = load_model(file_);
    const Tree &a = data_of(model).tree, &b = data_of(again).tree;
    EXPECT_TRUE(std::ranges::equal(model.vertices(), again.vertices()));
    EXPECT_TRUE(std::ranges::equal(model.triangles(), again.triangles()));
    EXPECT_TRUE(std::ranges::equal(model.parts(), again.parts()));
    EXPECT_EQ(a.frame, b.frame);
    EXPECT_EQ(a.k, b.k);
    ASSERT_EQ(a.node_count, b.node_count);
    EXPECT_EQ(std::memcmp(a.nodes, b.nodes, a.node_count * a.node_bytes()), 0);
    EXPECT_TRUE(std::ranges::equal(a.corners, b.corners));
    EXPECT_EQ(validate(again), "");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.nodes) % 64, 0u);
  }
}

TEST_F(Stored, ReadsFromMemoryWhereverItLies) {
  const std::string bytes = "x" + stored(small_model());
  const Model model = read_model(std::as_bytes(std::span(bytes)).subspan(1), "network");
  EXPECT_EQ(validate(model), "");
  try {
    read_model(std::as_bytes(std::span(bytes)), "network");
    ADD_FAILURE() << "opened";
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "network");
  }
  EXPECT_THROW(read_model({}), Error);
}

TEST_F(Stored, WritesToMemoryWhatItSaves) {
  const std::string saved = stored(small_model());
  EXPECT_TRUE(std::ranges::equal(write_model(small_model()), std::as_bytes(std::span(saved))));
}

TEST_F(Stored, SavingTwiceGivesTheSameBytes) { EXPECT_EQ(stored(small_model()), stored(small_model())); }

TEST_F(Stored, OutlivesItsFile) {
  save(small_model(), file_);
  const Model model = load_model(file_);
  std::filesystem::remove(file_);
  EXPECT_EQ(validate(model), "");
}

TEST_F(Stored, EveryTruncationIsRefused) {
  const std::string whole = stored(small_model());
  for (std::size_t size = 0; size < whole.size(); size += size < 512 ? 1 : 997) {
    write(whole.substr(0, size));
    expect_refused();
  }
  std::string longer = whole;
  longer.resize(whole.size() + 64);
  write(longer);
  expect_refused();
}

TEST_F(Stored, EveryDamagedByteIsNoticed) {
  const std::string whole = stored(small_model());
  for (std::size_t at = 0; at < whole.size(); at += at < header_bytes ? 1 : 211) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    write(damaged);
    EXPECT_THROW(load_model(file_), Error) << "byte " << at;
  }
}

TEST_F(Stored, ForeignAndNewerFilesAreNamed) {
  std::string bytes = stored(small_model());
  std::string newer = bytes;
  newer[version_at] = 2;
  write_with_checksum(newer);
  expect_refused(ErrorCode::unsupported);
  std::string foreign = bytes;
  std::reverse(foreign.begin() + byte_order_at, foreign.begin() + byte_order_at + 4);
  write_with_checksum(foreign);
  expect_refused(ErrorCode::unsupported);
  write(std::string(1000, 'x'));
  expect_refused();
  write({});
  expect_refused();
}

TEST_F(Stored, MissingFilesAndFoldersAreAccessErrors) {
  expect_refused(ErrorCode::file_access);
  std::filesystem::create_directory(file_);
  expect_refused(ErrorCode::file_access);
}

/// Whatever a forger writes, opening it either throws or gives a tree whose every index is safe to follow: walking all
/// of it must not leave the arrays (the sanitizer build watches).
TEST_F(Stored, ForgedContentsAreSafe) {
  const std::string whole = stored(small_model());
  constexpr std::uint64_t seed = 11;
  RecordProperty("seed", static_cast<int>(seed));
  scenes::Random random(seed);
  int opened = 0, refused = 0;
  for (int trial = 0; trial < 1000; ++trial) {
    std::string forged = whole;
    const std::size_t changes = 1 + random.index(3);
    for (std::size_t c = 0; c < changes; ++c) {
      const bool in_header = random.index(3) == 0;
      const std::size_t at = random.index(in_header ? header_bytes : forged.size());
      const std::size_t values[] = {0, 1, 0x7f, 0x80, 0xff, random.index(256)};
      forged[at] = static_cast<char>(values[random.index(6)]);
    }
    write_with_checksum(forged);
    try {
      const Model model = load_model(file_);
      const TreeStatistics s = statistics(model);
      EXPECT_EQ(s.triangles, model.triangles().size());
      ++opened;
    } catch (const Error&) {
      ++refused;
    }
  }
  EXPECT_GT(opened, 25) << "seed " << seed;
  EXPECT_GT(refused, 25) << "seed " << seed;
}

TEST_F(Stored, ForgedShapesAreRefused) {
  const Model model = small_model();
  const std::string whole = stored(model);
  const Tree& tree = data_of(model).tree;
  const auto aligned = [](std::size_t size) { return (size + 63) / 64 * 64; };
  const std::size_t vertices_at = aligned(header_bytes);
  const std::size_t triangles_at = vertices_at + aligned(model.vertices().size_bytes());
  const std::size_t nodes_at = triangles_at + aligned(model.triangles().size_bytes());
  const std::size_t child_at =
      nodes_at + tree.node_bytes() + ObbRows::count * node_lanes * sizeof(float);  // node 1, lane 0
  const std::size_t leaf_first_at = nodes_at + aligned(tree.node_count * tree.node_bytes());
  const auto forge = [&](std::size_t at, std::uint32_t value) {
    SCOPED_TRACE(at);
    std::string forged = whole;
    std::memcpy(forged.data() + at, &value, 4);
    write_with_checksum(forged);
    expect_refused();
  };
  forge(child_at, 1);                                  // a cycle
  forge(child_at, 0);                                  // back to the root
  forge(child_at, tree.node_count);                    // past the nodes
  forge(child_at, 0x80000000u | 0x7ffffff0u);          // past the leaves
  forge(child_at, 0xffffffffu);                        // an empty lane before used ones
  forge(child_at + 4, tree.node(1).children[0].bits);  // reached twice
  forge(nodes_at + tree.node_bytes(), 0x7fc00000u);    // a NaN bound
  // Numbers that overflow in a walk: of an axis, an extent, an empty lane (ObbRows, node 1 and the root's second lane).
  const auto row_at = [&](std::size_t node, int row, int lane) {
    return nodes_at + node * tree.node_bytes() + static_cast<std::size_t>(row + lane) * sizeof(float);
  };
  for (const float number : {1.7e38f, -1.7e38f, 0.0f})
    forge(row_at(1, ObbRows::axis(0, 0), 0), std::bit_cast<std::uint32_t>(number));
  forge(row_at(1, ObbRows::half(1), 0), std::bit_cast<std::uint32_t>(1e20f));
  forge(row_at(1, ObbRows::half(1), 0), std::bit_cast<std::uint32_t>(-1.0f));
  forge(row_at(0, ObbRows::center(0), 1), 0);
  forge(leaf_first_at + 4, 0);            // an empty leaf
  forge(leaf_first_at + 4, 0xfffffff0u);  // leaves out of order
  forge(triangles_at, 0xfffffff0u);       // a vertex out of range
  forge(vertices_at + 4, 0x7ff00000u);    // an infinite coordinate
}

}  // namespace
}  // namespace tumble
