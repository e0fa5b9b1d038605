// SPDX-License-Identifier: Apache-2.0
// What the tests of the readers and writers share.
#pragma once

#include <tumble/error.h>
#include <tumble/io.h>

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tumble::test {

inline std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

/// Reads from an exact copy on the heap, so that sanitizers see every step outside of it.
inline Mesh read(std::string_view text, MeshFormat format) {
  const std::vector<std::byte> copy(bytes_of(text).begin(), bytes_of(text).end());
  Mesh mesh = read_mesh(copy, format, "test");
  check(mesh);
  return mesh;
}

inline Assembly read_parts(std::string_view text, MeshFormat format) {
  const std::vector<std::byte> copy(bytes_of(text).begin(), bytes_of(text).end());
  Assembly assembly = read_assembly(copy, format, "test");
  for (const Mesh& mesh : assembly.meshes) check(mesh);
  return assembly;
}

/// The error that reading raises; a failure if it raises none.
inline Error error_of(std::string_view text, MeshFormat format) {
  try {
    read(text, format);
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, "test") << error.what();
    return error;
  }
  ADD_FAILURE() << "was accepted: " << text.substr(0, 200);
  return Error(ErrorCode::invalid_argument, "no error");
}

template <class... T>
std::string pack(T... values) {
  std::string bytes;
  (bytes.append(reinterpret_cast<const char*>(&values), sizeof values), ...);
  return bytes;
}

template <class T>
std::string pack_big_endian(T value) {
  std::string bytes = pack(value);
  return {bytes.rbegin(), bytes.rend()};
}

/// Twice the sum of the triangles' vector areas projected on `normal`, all of them the same way round.
inline double area_along(const Mesh& mesh, Vec3 normal) {
  double sum = 0;
  for (const Triangle& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]];
    const double area = dot(cross(mesh.vertices[t[1]] - a, mesh.vertices[t[2]] - a), normal);
    EXPECT_GE(area, 0) << "a triangle is turned over";
    sum += area;
  }
  return sum;
}

/// A folder of its own for each test, removed afterwards.
class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tumble-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() { std::filesystem::remove_all(path_); }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;

  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

inline std::string contents_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_text(const std::filesystem::path& file, std::string_view text) {
  std::ofstream(file, std::ios::binary) << text;
}

/// Every beginning of the text must load or raise Error, nothing else.
inline void expect_every_truncation_to_be_handled(std::string_view text, MeshFormat format) {
  for (std::size_t size = 0; size < text.size(); ++size) {
    try {
      read(text.substr(0, size), format);
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, "test") << error.what();
    }
  }
}

}  // namespace tumble::test
