// SPDX-License-Identifier: Apache-2.0
// Real and broken files, of the repository and from beside it.
#include "io/helpers.h"
#include "real_meshes.h"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <sstream>

namespace tumble::test {
namespace {

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else
      fields.back() += c;
  }
  return fields;
}

bool is_mesh(const std::filesystem::path& file) {
  try {
    format_of(file);
    return true;
  } catch (const Error&) {
    return false;
  }
}

TEST(Data, EveryListedMeshHasItsTriangles) {
  for (const auto& [file, triangles] : {std::pair(testing::part_file(), 2116u), std::pair(testing::nut_file(), 876u)}) {
    const Mesh mesh = load_mesh(file);
    check(mesh);
    EXPECT_EQ(mesh.triangles.size(), triangles) << file;
    EXPECT_TRUE(summarize(mesh).closed) << file;
  }
  const auto folder = testing::further_meshes();
  if (!folder) return;
  const std::filesystem::path& data = *folder;
  std::ifstream inventory(data / "INVENTORY.csv");
  std::string line;
  std::size_t files = 0;
  while (std::getline(inventory, line)) {
    const std::vector<std::string> fields = fields_of(line);
    const std::string& name = fields[0];
    if (!is_mesh(name) || name.starts_with("nasty/") || !std::filesystem::exists(data / name)) continue;
    // The inventory overlooks three faces that go on after a backslash.
    const std::size_t listed = name.ends_with("wallhole.obj") ? 66 : std::stoul(fields[2]);
    const Mesh mesh = load_mesh(data / name);
    check(mesh);
    EXPECT_EQ(mesh.triangles.size(), listed) << name;
    ++files;
  }
  EXPECT_GT(files, 100u);
}

struct Outcome {
  bool handled = false;
  double seconds = 0;
  long kilobytes = 0;  // by which the largest resident set grew
};

/// Loads in a process of its own, so that its memory can be measured and a crash is no more than a failure.
Outcome load_apart(const std::filesystem::path& file) {
  int channel[2];
  if (::pipe(channel) != 0) return {};
  const pid_t child = ::fork();
  if (child == 0) {
    struct rusage before {
    }, after{};
    Outcome outcome;
    ::getrusage(RUSAGE_SELF, &before);
    const auto start = std::chrono::steady_clock::now();
    try {
      check(load_mesh(file));
      outcome.handled = true;
    } catch (const Error& error) {
      outcome.handled = error.place().file == file.string();
    } catch (...) {
    }
    outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ::getrusage(RUSAGE_SELF, &after);
    outcome.kilobytes = after.ru_maxrss - before.ru_maxrss;
    const bool sent = ::write(channel[1], &outcome, sizeof outcome) == sizeof outcome;
    ::_exit(sent ? 0 : 1);
  }
  ::close(channel[1]);
  Outcome outcome;
  if (::read(channel[0], &outcome, sizeof outcome) != sizeof outcome) outcome = {};
  ::close(channel[0]);
  ::waitpid(child, nullptr, 0);
  return outcome;
}

TEST(Data, NastyFilesAreHandledQuicklyAndInLittleMemory) {
  // What the fuzzer starts from, whole and cut off at each eighth, and the broken files of others.
  TempFolder cut;
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(testing::repository() / "tests/fuzz/corpus")) {
    if (!entry.is_regular_file() || !is_mesh(entry.path())) continue;
    const std::string text = contents_of(entry.path());
    for (std::size_t eighths = 1; eighths <= 8; ++eighths) {
      all.push_back(cut / (std::to_string(eighths) + entry.path().filename().string()));
      write_text(all.back(), std::string_view(text).substr(0, text.size() * eighths / 8));
    }
  }
  EXPECT_GT(all.size(), 50u);
  if (const auto folder = testing::further_meshes())
    for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder / "nasty"))
      if (entry.is_regular_file() && is_mesh(entry.path())) all.push_back(entry.path());
  // The file itself, 24 bytes for a vertex written in 6, 12 for a triangle written in 4, vectors that double: below
  // 32 times its size. The rest is for pages touched the first time, and for sanitizers.
  constexpr long factor = 32, floor_kilobytes = 32 * 1024;
  for (const std::filesystem::path& file : all) {
    const Outcome outcome = load_apart(file);
    EXPECT_TRUE(outcome.handled) << file;
    EXPECT_LT(outcome.seconds, 1) << file;
    EXPECT_LE(outcome.kilobytes, floor_kilobytes + factor * static_cast<long>(std::filesystem::file_size(file)) / 1024)
        << file;
  }
}

}  // namespace
}  // namespace tumble::test
