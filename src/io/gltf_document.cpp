// SPDX-License-Identifier: Apache-2.0
// The container, JSON, buffers and accessors of glTF 2.0 (Khronos, specification 2.0.1, sections 3 and 4).
#include "io/gltf_document.h"

#include "io/endian.h"
#include "io/inside_folder.h"
#include "io/text.h"

#include <tumble/mesh.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace tumble::io {
namespace {

// A vertex or triangle takes 24 or 12 bytes. Instances multiply what is stored; for more than this, a program must use
// load_assembly and keep meshes shared.
constexpr std::size_t items_per_byte = 64, least_budget = std::size_t{1} << 20;

constexpr std::size_t type_int8 = 5120, type_uint8 = 5121, type_int16 = 5122, type_uint16 = 5123, type_uint32 = 5125,
                      type_float32 = 5126;

std::size_t component_size(std::size_t type) {
  switch (type) {
    case type_int8:
    case type_uint8: return 1;
    case type_int16:
    case type_uint16: return 2;
    case type_uint32:
    case type_float32: return 4;
    default: return 0;
  }
}

std::uint32_t index_at(const char* at, std::size_t type) {
  if (type == type_uint8) return load<std::uint8_t>(at);
  if (type == type_uint16) return load<std::uint16_t>(at);
  return load<std::uint32_t>(at);
}

/// A component of a vector. A normalized integer stands for 0 to 1, or −1 to 1 (specification, 3.6.2.2).
double component_at(const char* at, std::size_t type, bool normalized) {
  const auto whole = [&](double value, double most) { return normalized ? std::fmax(value / most, -1.0) : value; };
  switch (type) {
    case type_int8: return whole(load<std::int8_t>(at), 127);
    case type_uint8: return whole(load<std::uint8_t>(at), 255);
    case type_int16: return whole(load<std::int16_t>(at), 32767);
    case type_uint16: return whole(load<std::uint16_t>(at), 65535);
    default: return load<float>(at);
  }
}

std::optional<std::string> decode_base64(std::string_view text) {
  const auto value_of = [](char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
  };
  while (text.ends_with('=')) text.remove_suffix(1);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 3);
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const int value = value_of(c);
    if (value < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value);
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  return bytes;
}

std::optional<std::string> decode_percent(std::string_view text) {
  const auto value_of = [](char c) {
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
  };
  std::string bytes;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      bytes += text[i];
      continue;
    }
    if (i + 2 >= text.size() || value_of(text[i + 1]) < 0 || value_of(text[i + 2]) < 0) return std::nullopt;
    bytes += static_cast<char>(value_of(text[i + 1]) * 16 + value_of(text[i + 2]));
    i += 2;
  }
  if (bytes.find('\0') != std::string::npos) return std::nullopt;
  return bytes;
}

/// Whether a required extension is read, or leaves the triangles as they are.
bool is_known(std::string_view extension) {
  if (extension == "KHR_mesh_quantization" || extension == "EXT_mesh_gpu_instancing") return true;
  for (const std::string_view prefix :
       {"KHR_materials_", "KHR_texture_", "KHR_lights_", "KHR_xmp", "EXT_texture_", "EXT_lights_", "MSFT_texture_"})
    if (extension.starts_with(prefix)) return true;
  return false;
}

}  // namespace

GltfDocument::GltfDocument(const Source& source) : source_(source) {
  budget_ = std::max(least_budget, items_per_byte * source.bytes.size());
  read_container();
  if (!root_.is_object()) source_.fail("not a glTF file: its JSON is not an object");
  const auto asset = root_.find("asset");
  if (asset == root_.end() || !asset->is_object() || !asset->contains("version") || !(*asset)["version"].is_string())
    source_.fail("not a glTF file: it has no asset.version");
  const std::string& version = (*asset)["version"].get_ref<const std::string&>();
  if (!version.starts_with("2."))
    source_.fail("glTF version 2 is read; this file is of another version", ErrorCode::unsupported);
  check_extensions();
}

void GltfDocument::read_container() {
  const std::string_view bytes = source_.bytes;
  if (!bytes.starts_with("glTF")) {
    const std::size_t first = bytes.find_first_not_of(" \t\r\n", bytes.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    if (!is_utf16(bytes) && (first == std::string_view::npos || bytes[first] != '{'))
      source_.fail("neither glTF nor GLB: glTF begins with '{' and GLB with 'glTF', but this file with '" +
                   beginning_of(bytes) + "'");
    root_ = parse_json(source_, bytes);
    return;
  }
  constexpr std::size_t header_size = 12, chunk_header_size = 8;
  constexpr std::uint32_t json_chunk = 0x4E4F534A, binary_chunk = 0x004E4942;
  if (bytes.size() < header_size) source_.fail_at_byte(source_.end(), "the file ends inside the GLB header");
  if (load<std::uint32_t>(bytes.data() + 4) != 2)
    source_.fail_at_byte(bytes.data() + 4, "GLB version 2 is read; this file is of another version",
                         ErrorCode::unsupported);
  const std::size_t length = load<std::uint32_t>(bytes.data() + 8);
  if (length > bytes.size() || length < header_size)
    source_.fail_at_byte(bytes.data() + 8, "the header declares " + std::to_string(length) +
                                               " bytes, but the file has " + std::to_string(bytes.size()));
  bool has_json = false;
  for (std::size_t at = header_size; at < length;) {
    if (length - at < chunk_header_size) source_.fail_at_byte(bytes.data() + at, "the file ends inside a chunk header");
    const std::size_t size = load<std::uint32_t>(bytes.data() + at);
    const auto type = load<std::uint32_t>(bytes.data() + at + 4);
    if (size > length - at - chunk_header_size)
      source_.fail_at_byte(bytes.data() + at,
                           "a chunk declares " + std::to_string(size) + " bytes, more than are left");
    const std::string_view chunk = bytes.substr(at + chunk_header_size, size);
    if (!has_json && type != json_chunk) source_.fail_at_byte(bytes.data() + at, "the first chunk is not JSON");
    if (!has_json)
      root_ = parse_json(source_, chunk);
    else if (type == binary_chunk && !binary_chunk_)
      binary_chunk_ = chunk;
    has_json = true;
    at += chunk_header_size + size;
  }
  if (!has_json) source_.fail_at_byte(source_.end(), "the file ends before its JSON chunk");
}

void GltfDocument::check_extensions() const {
  const auto required = root_.find("extensionsRequired");
  if (required == root_.end()) return;
  if (!required->is_array()) source_.fail("extensionsRequired is not a list");
  for (const Json& extension : *required) {
    if (!extension.is_string()) source_.fail("extensionsRequired has an entry that is not a name");
    const std::string& name = extension.get_ref<const std::string&>();
    if (!is_known(name))
      source_.fail(
          "it requires the glTF extension " + shortened(name) + ", which tumble does not read; export without it",
          ErrorCode::unsupported);
  }
}

std::size_t GltfDocument::count(const char* list) const {
  const auto found = root_.find(list);
  if (found == root_.end()) return 0;
  if (!found->is_array()) source_.fail(std::string(list) + " is not a list");
  return found->size();
}

GltfItem GltfDocument::item(const char* list, std::size_t index) const {
  const std::size_t entries = count(list);
  if (index >= entries)
    source_.fail(std::string(list) + "[" + std::to_string(index) + "] is referred to, but there are " +
                 std::to_string(entries));
  const GltfItem found{root_[list][index], list, index};
  if (!found.json.is_object()) fail(found, "it is not an object");
  return found;
}

std::optional<std::size_t> GltfDocument::integer(const GltfItem& item, const char* key) const {
  const Json* value = item.find(key);
  if (!value) return std::nullopt;
  if (value->is_number_unsigned()) return value->get<std::size_t>();
  constexpr double exact = 9007199254740992.0;  // 2^53
  const double number = value->is_number_float() ? value->get<double>() : -1.0;
  if (!(number >= 0 && number <= exact && number == std::floor(number)))
    fail(item, std::string(key) + " must be a whole number that is not negative");
  return static_cast<std::size_t>(number);
}

std::size_t GltfDocument::required_integer(const GltfItem& item, const char* key) const {
  const std::optional<std::size_t> value = integer(item, key);
  if (!value) fail(item, std::string("it has no ") + key);
  return *value;
}

bool GltfDocument::read_numbers(const GltfItem& item, const char* key, double* values, std::size_t count) const {
  const Json* list = item.find(key);
  if (!list) return false;
  bool good = list->is_array() && list->size() == count;
  for (std::size_t i = 0; good && i < count; ++i) {
    good = (*list)[i].is_number();
    values[i] = good ? (*list)[i].get<double>() : 0;
    good = good && std::isfinite(values[i]);
  }
  if (!good) fail(item, std::string(key) + " must be a list of " + std::to_string(count) + " finite numbers");
  return true;
}

std::vector<std::size_t> GltfDocument::indices(const GltfItem& item, const char* key, const char* into) const {
  std::vector<std::size_t> all;
  const Json* list = item.find(key);
  if (!list) return all;
  if (!list->is_array()) fail(item, std::string(key) + " is not a list");
  const std::size_t limit = count(into);
  for (const Json& entry : *list) {
    if (!entry.is_number_unsigned() || entry.get<std::size_t>() >= limit)
      fail(item, std::string(key) + " has an entry that is not an index into " + into + " (there are " +
                     std::to_string(limit) + ")");
    all.push_back(entry.get<std::size_t>());
  }
  return all;
}

std::string GltfDocument::name(const GltfItem& item) const {
  const Json* name = item.find("name");
  return name && name->is_string() ? name->get_ref<const std::string&>() : std::string();
}

std::string_view GltfDocument::buffer(std::size_t index) {
  if (const auto known = buffers_.find(index); known != buffers_.end()) return known->second;
  const GltfItem item = this->item("buffers", index);
  const std::size_t length = required_integer(item, "byteLength");
  std::string_view bytes;
  const Json* uri = item.find("uri");
  if (!uri) {
    if (index != 0 || !binary_chunk_) fail(item, "it has neither a uri nor a GLB binary chunk");
    bytes = *binary_chunk_;
  } else if (!uri->is_string()) {
    fail(item, "its uri is not a string");
  } else if (const std::string& text = uri->get_ref<const std::string&>(); text.starts_with("data:")) {
    constexpr std::string_view marker = ";base64,";
    const std::size_t at = text.find(marker);
    if (at == std::string::npos) fail(item, "its data: URI is not base64", ErrorCode::unsupported);
    std::optional<std::string> decoded = decode_base64(std::string_view(text).substr(at + marker.size()));
    if (!decoded) fail(item, "its data: URI has a character that is not base64");
    bytes = decoded_[index] = std::move(*decoded);
  } else {
    bytes = external_file(item, text);
  }
  if (length > bytes.size())
    fail(item, "it declares " + std::to_string(length) + " bytes, but " +
                   (uri && !uri->get_ref<const std::string&>().starts_with("data:")
                        ? in_quotes(uri->get_ref<const std::string&>()) + " has "
                        : "there are ") +
                   std::to_string(bytes.size()));
  return buffers_[index] = bytes.substr(0, length);
}

// Reads only files at or below the folder of the glTF itself, after following links.
std::string_view GltfDocument::external_file(const GltfItem& item, const std::string& uri) {
  namespace fs = std::filesystem;
  if (source_.folder.empty())
    fail(item, "its data is in another file, which cannot be followed from memory", ErrorCode::unsupported);
  const std::optional<std::string> decoded = decode_percent(uri);
  const fs::path relative = decoded ? fs::path(*decoded) : fs::path();
  bool allowed = decoded && !relative.empty() && relative.is_relative() && uri.find(':') == std::string::npos &&
                 decoded->find('\\') == std::string::npos;
  for (const fs::path& step : relative) allowed = allowed && step != "..";
  const std::string shown = in_quotes(uri);
  if (!allowed)
    fail(item, "its uri must name a file inside the glTF's own folder, and is " + shown, ErrorCode::file_access);
  if (is_too_long(source_.folder / relative))
    fail(item, "its uri is too long for a file's name: " + shown, ErrorCode::file_access);
  if (!is_inside(source_.folder / relative, source_.folder))
    fail(item, "its uri " + shown + " leads out of the glTF's own folder", ErrorCode::file_access);
  std::error_code error;
  const fs::path file = fs::weakly_canonical(source_.folder / relative, error);
  if (error) fail(item, "cannot read " + shown + ": " + error.message(), ErrorCode::file_access);
  std::unique_ptr<FileBytes>& bytes = externals_[file];
  if (!bytes) try {
      bytes = std::make_unique<FileBytes>(file);
      budget_ += items_per_byte * bytes->bytes().size();
    } catch (const Error& failed) {  // names the buffer alone
      fail(item, shown + ": " + failed.message(), failed.code());
    }
  return bytes->bytes();
}

std::string_view GltfDocument::view(std::size_t index, std::size_t& stride) {
  const GltfItem item = this->item("bufferViews", index);
  const std::string_view bytes = buffer(required_integer(item, "buffer"));
  const std::size_t offset = integer(item, "byteOffset").value_or(0), length = required_integer(item, "byteLength");
  if (offset > bytes.size() || length > bytes.size() - offset)
    fail(item, "it reaches past the end of its buffer of " + std::to_string(bytes.size()) + " bytes");
  stride = integer(item, "byteStride").value_or(0);
  return bytes.substr(offset, length);
}

GltfDocument::Elements GltfDocument::elements(const GltfItem& item, const GltfItem& part, std::size_t count,
                                              std::size_t size) {
  Elements found;
  const std::string_view bytes = view(required_integer(part, "bufferView"), found.stride);
  const std::size_t offset = integer(part, "byteOffset").value_or(0);
  if (found.stride == 0) found.stride = size;
  if (found.stride < size) fail(item, "its byteStride is smaller than an element");
  // count − 1 steps and one element must fit. Divides instead of multiplying, because counts can be any number.
  if (count > 0 && (offset > bytes.size() || bytes.size() - offset < size ||
                    count - 1 > (bytes.size() - offset - size) / found.stride))
    fail(item, "its " + std::to_string(count) + " elements reach past the end of their bufferView of " +
                   std::to_string(bytes.size()) + " bytes");
  found.data = count > 0 ? bytes.data() + offset : bytes.data();
  return found;
}

template <class Reserve, class Use>
void GltfDocument::for_each_element(const GltfItem& item, const Layout& layout, Reserve reserve, Use use) {
  const std::size_t size = component_size(layout.component_type) * layout.components;
  static constexpr std::array<char, 16> zeros{};
  Elements all{zeros.data(), 0};
  if (item.find("bufferView")) all = elements(item, item, layout.count, size);
  spend(layout.count);
  reserve(layout.count);
  for (std::size_t i = 0; i < layout.count; ++i) use(i, all.at(i));
  const Json* sparse = item.find("sparse");
  if (!sparse) return;
  const auto inside = [&](const Json& parent, const char* key) {
    if (!parent.is_object() || !parent.contains(key) || !parent[key].is_object()) fail(item, "malformed sparse data");
    return GltfItem{parent[key], item.list, item.index};
  };
  const GltfItem where = inside(*sparse, "indices"), what = inside(*sparse, "values");
  const std::size_t replaced = required_integer(GltfItem{*sparse, item.list, item.index}, "count");
  const std::size_t type = required_integer(where, "componentType");
  if (type != type_uint8 && type != type_uint16 && type != type_uint32)
    fail(item, "its sparse indices must be unsigned");
  const Elements indices = elements(item, where, replaced, component_size(type));
  const Elements values = elements(item, what, replaced, size);
  for (std::size_t i = 0; i < replaced; ++i) {
    const std::uint32_t element = index_at(indices.at(i), type);
    if (element >= layout.count) fail(item, "a sparse index is out of range");
    use(element, values.at(i));
  }
}

template <std::size_t N>
std::vector<std::array<double, N>> GltfDocument::vectors(std::size_t accessor, const char* what) {
  const GltfItem item = this->item("accessors", accessor);
  const Layout layout{required_integer(item, "count"), required_integer(item, "componentType"), N};
  const Json *type = item.find("type"), *is_normalized = item.find("normalized");
  const std::size_t size = component_size(layout.component_type);
  if (!type || *type != (N == 3 ? "VEC3" : "VEC4") || size == 0 || layout.component_type == type_uint32)
    fail(item, std::string(what) + " must be " + (N == 3 ? "VEC3" : "VEC4") + " of float, or of bytes or shorts",
         ErrorCode::unsupported);
  const bool normalized = is_normalized && *is_normalized == true;
  std::vector<std::array<double, N>> all;
  const auto reserve = [&](std::size_t count) { all.resize(count); };
  for_each_element(item, layout, reserve, [&](std::size_t element, const char* bytes) {
    for (std::size_t i = 0; i < N; ++i) {
      const double value = component_at(bytes + i * size, layout.component_type, normalized);
      if (!std::isfinite(value))
        throw Error(ErrorCode::invalid_mesh, item.path() + ": " + bad_coordinate,
                    {.file = source_.name, .vertex = static_cast<std::int64_t>(element)});
      all[element][i] = value;
    }
  });
  return all;
}
template std::vector<std::array<double, 3>> GltfDocument::vectors<3>(std::size_t, const char*);
template std::vector<std::array<double, 4>> GltfDocument::vectors<4>(std::size_t, const char*);

std::vector<std::uint32_t> GltfDocument::vertex_indices(std::size_t accessor) {
  const GltfItem item = this->item("accessors", accessor);
  const Layout layout{required_integer(item, "count"), required_integer(item, "componentType"), 1};
  const Json* type = item.find("type");
  const bool is_unsigned = layout.component_type == type_uint8 || layout.component_type == type_uint16 ||
                           layout.component_type == type_uint32;
  if (!type || *type != "SCALAR" || !is_unsigned) fail(item, "indices must be SCALAR and unsigned");
  std::vector<std::uint32_t> all;
  const auto reserve = [&](std::size_t count) { all.resize(count); };
  for_each_element(item, layout, reserve, [&](std::size_t element, const char* bytes) {
    all[element] = index_at(bytes, layout.component_type);
  });
  return all;
}

void GltfDocument::spend(std::size_t items, const std::string& remedy) {
  if (items > budget_)
    source_.fail("it expands to far more vertices, triangles and instances than its size in bytes justifies" + remedy,
                 ErrorCode::unsupported);
  budget_ -= items;
}

}  // namespace tumble::io
