// SPDX-License-Identifier: Apache-2.0
// GltfDocument: the checked JSON of a glTF or GLB, its buffers and accessors. read_gltf.cpp interprets the nodes.
#pragma once

#include "io/json.h"
#include "io/source.h"

#include <tumble/vec.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::io {

/// One entry of a top-level list, such as nodes[4], or an object inside of it.
struct GltfItem {
  const Json& json;
  std::string_view list;
  std::size_t index;

  std::string path() const { return std::string(list) + "[" + std::to_string(index) + "]"; }
  /// Null if there is no such member.
  const Json* find(const char* key) const {
    const auto found = json.find(key);
    return found == json.end() ? nullptr : &*found;
  }
};

class GltfDocument {
 public:
  /// Parses and checks the version and the required extensions.
  explicit GltfDocument(const Source& source);

  std::size_t count(const char* list) const;
  GltfItem item(const char* list, std::size_t index) const;
  const Json& root() const { return root_; }

  /// A whole number that is not negative.
  std::optional<std::size_t> integer(const GltfItem& item, const char* key) const;
  std::size_t required_integer(const GltfItem& item, const char* key) const;
  /// A list of exactly N numbers, all finite.
  template <std::size_t N>
  std::optional<std::array<double, N>> numbers(const GltfItem& item, const char* key) const {
    std::array<double, N> values;
    if (!read_numbers(item, key, values.data(), N)) return std::nullopt;
    return values;
  }
  /// A list of indices into another list; empty if there is none.
  std::vector<std::size_t> indices(const GltfItem& item, const char* key, const char* into) const;
  /// Empty if there is none.
  std::string name(const GltfItem& item) const;

  /// The contents of an accessor of N numbers each (3 or 4): floats, or bytes and shorts as KHR_mesh_quantization and
  /// EXT_mesh_gpu_instancing allow them. All are finite. `what` names them in errors.
  template <std::size_t N>
  std::vector<std::array<double, N>> vectors(std::size_t accessor, const char* what);
  /// The contents of an accessor of indices.
  std::vector<std::uint32_t> vertex_indices(std::size_t accessor);

  /// Counts vertices and triangles made from the file, and refuses too many. A few bytes can ask for the same data any
  /// number of times, so a file may expand only in proportion to its size. `remedy` ends the message.
  void spend(std::size_t items, const std::string& remedy = {});

  [[noreturn]] void fail(const GltfItem& item, const std::string& what, ErrorCode code = ErrorCode::file_format) const {
    source_.fail(item.path() + ": " + what, code);
  }

 private:
  struct Layout {
    std::size_t count, component_type, components;
  };
  /// Elements `stride` bytes apart; without data, all are zero.
  struct Elements {
    const char* data = nullptr;
    std::size_t stride = 0;

    const char* at(std::size_t i) const { return data + i * stride; }
  };

  void read_container();
  void check_extensions() const;
  bool read_numbers(const GltfItem& item, const char* key, double* values, std::size_t count) const;
  std::string_view buffer(std::size_t index);
  std::string_view external_file(const GltfItem& item, const std::string& uri);
  std::string_view view(std::size_t index, std::size_t& stride);
  /// The `count` elements of `size` bytes that `part` (an accessor or one side of its sparse data) refers to.
  Elements elements(const GltfItem& item, const GltfItem& part, std::size_t count, std::size_t size);
  /// Calls `use(element, bytes)` for each element, then for those that a sparse accessor replaces. Calls `reserve`
  /// first, once the count has been checked.
  template <class Reserve, class Use>
  void for_each_element(const GltfItem& item, const Layout& layout, Reserve reserve, Use use);

  const Source& source_;
  Json root_;
  std::optional<std::string_view> binary_chunk_;
  std::map<std::size_t, std::string_view> buffers_;
  std::map<std::size_t, std::string> decoded_;                             // from data: URIs, by buffer
  std::map<std::filesystem::path, std::unique_ptr<FileBytes>> externals_;  // by canonical path
  std::size_t budget_ = 0;
};

}  // namespace tumble::io
