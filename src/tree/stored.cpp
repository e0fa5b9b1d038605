// SPDX-License-Identifier: Apache-2.0
// The stored form of a model (.tmbl): a mapped file is used in place. docs/formats/tmbl.md describes it.
#include "bounds/directions.h"
#include "core/aligned_buffer.h"
#include "core/checksum.h"
#include "core/mapped_file.h"
#include "core/out_file.h"
#include "core/plain_arithmetic.h"
#include "tree/model_data.h"
#include "tree/validate.h"

#include <tumble/error.h>
#include <tumble/model.h>

#include <array>
#include <cstring>

namespace tumble {
namespace {

constexpr std::array<char, 8> magic{'T', 'U', 'M', 'B', 'L', 'E', '\r', '\n'};  // text-mode transfers break it
constexpr std::uint32_t current_version = 1;
constexpr std::uint32_t byte_order_mark = 0x01020304;

/// The sections follow in this order, each on a 64-byte boundary; their places follow from the counts, so there is no
/// offset to lie about.
struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t file_bytes;
  std::uint64_t checksum;  // of the whole file with this field 0
  std::uint32_t bound, k, arity;
  std::int32_t exponent;
  double center[3];
  double rotation[9];
  std::uint64_t vertices, triangles, nodes, leaves, parts, part_name_bytes;
};
static_assert(sizeof(Header) == 192);

struct StoredPart {
  std::uint32_t first_triangle, triangle_count, name_bytes;
};

constexpr std::size_t aligned(std::size_t size) { return (size + 63) / 64 * 64; }

/// Where each section begins, and the size of the whole.
struct Layout {
  std::size_t vertices, triangles, nodes, leaf_first, triangle_ids, corners, parts, part_names, end;
};

/// False, before any product that could overflow, if a count does not fit a file of `limit` bytes.
bool lay_out(const Header& h, std::size_t limit, Layout& layout) {
  for (const std::uint64_t count : {h.vertices, h.triangles, h.nodes, h.leaves, h.parts, h.part_name_bytes})
    if (count > limit) return false;
  if (limit > std::size_t{1} << 56) return false;
  const std::size_t node_bytes = Tree::node_bytes_of(static_cast<Bound>(h.bound), static_cast<int>(h.k));
  std::size_t at = aligned(sizeof(Header));
  const auto place = [&at](std::size_t bytes) {
    const std::size_t here = at;
    at = aligned(at + bytes);
    return here;
  };
  layout.vertices = place(h.vertices * sizeof(Vec3));
  layout.triangles = place(h.triangles * sizeof(Triangle));
  layout.nodes = place(h.nodes * node_bytes);
  layout.leaf_first = place((h.leaves + 1) * sizeof(std::uint32_t));
  layout.triangle_ids = place(h.triangles * sizeof(std::uint32_t));
  layout.corners = place((Tree::corner_floats * h.triangles + Tree::corner_padding) * sizeof(float));
  layout.parts = place(h.parts * sizeof(StoredPart));
  layout.part_names = place(h.part_name_bytes);
  layout.end = at;
  return true;
}

template <class T>
std::span<const std::byte> bytes_of(std::span<const T> values) {
  return std::as_bytes(values);
}

/// Passes a model's sections in file order to `sink`, padded to their boundaries.
template <class Sink>
void for_each_section(const Header& header, const ModelData& data, std::span<const StoredPart> parts,
                      std::span<const char> names, const Sink& sink) {
  const Tree& tree = data.tree;
  const std::array<std::span<const std::byte>, 9> sections{std::as_bytes(std::span(&header, 1)),
                                                           bytes_of(data.vertices),
                                                           bytes_of(data.triangles),
                                                           std::span(tree.nodes, tree.node_count * tree.node_bytes()),
                                                           bytes_of(tree.leaf_first),
                                                           bytes_of(tree.triangle_ids),
                                                           bytes_of(tree.corners),
                                                           bytes_of(parts),
                                                           bytes_of(names)};
  static constexpr std::array<std::byte, 64> zeros{};
  for (const std::span<const std::byte> section : sections) {
    const std::size_t whole = section.size() / 64 * 64;
    sink(section.first(whole));
    if (whole == section.size()) continue;
    std::array<std::byte, 64> last = zeros;
    std::memcpy(last.data(), section.data() + whole, section.size() - whole);
    sink(std::span<const std::byte>(last));
  }
}

[[noreturn]] void refuse(const std::string& file, const std::string& what, ErrorCode code = ErrorCode::file_format) {
  throw Error(code, what, {.file = file});
}

/// Checks the header alone.
void check_header(const std::string& file, const Header& h, std::size_t file_bytes) {
  if (h.magic != magic) refuse(file, "is not a stored model of tumble");
  if (h.byte_order != byte_order_mark)
    refuse(file, "was stored on a machine of another byte order; build it again here", ErrorCode::unsupported);
  if (h.version != current_version)
    refuse(file,
           "is stored in version " + std::to_string(h.version) + ", this program reads version " +
               std::to_string(current_version) + "; build it again from the mesh",
           ErrorCode::unsupported);
  if (h.file_bytes != file_bytes)
    refuse(file, "is " + std::to_string(file_bytes) + " bytes long and should be " + std::to_string(h.file_bytes) +
                     "; it was cut off or changed");
  const bool dop = h.bound == static_cast<std::uint32_t>(Bound::dop);
  if (!dop && h.bound != static_cast<std::uint32_t>(Bound::obb)) refuse(file, "has an unknown bounding volume");
  if (dop ? h.k > max_k || !is_listed(static_cast<int>(h.k)) : h.k != 0) refuse(file, "has an unknown k");
  if (h.arity < 2 || h.arity > Tree::lanes) refuse(file, "has an arity out of range");
  if (h.exponent < -1000 || h.exponent > 1000) refuse(file, "has a scale out of range");
  for (const double c : h.center)
    if (!(std::abs(c) <= max_coordinate)) refuse(file, "has a centre out of range");
  for (const double r : h.rotation)
    if (!(std::abs(r) <= 1.001)) refuse(file, "has a frame that is no rotation");
}

void check_contents(const std::string& file, const ModelData& data) {
  for (std::size_t v = 0; v < data.vertices.size(); ++v)
    for (int axis = 0; axis < 3; ++axis)
      if (!(std::abs(data.vertices[v][axis]) <= max_coordinate))
        throw Error(ErrorCode::file_format, "a coordinate is not finite or above 1e100 in magnitude",
                    {.file = file, .vertex = static_cast<std::int64_t>(v)});
  for (std::size_t t = 0; t < data.triangles.size(); ++t)
    for (const std::uint32_t v : data.triangles[t])
      if (v >= data.vertices.size())
        throw Error(ErrorCode::file_format, "a vertex index is out of range",
                    {.file = file, .triangle = static_cast<std::int64_t>(t)});
  const Mat3 rotation = data.tree.frame.rotation;
  if (!(departure_from_orthogonality(rotation) < 1e-9) || !(determinant(rotation) > 0))
    refuse(file, "has a frame that is no rotation");
  if (const std::string fault = fault_of_shape(data.tree); !fault.empty())
    refuse(file, "has an unsound tree: " + fault);
}

/// Checks everything, then uses `bytes` in place; `storage` keeps them alive. They begin on a 64-byte boundary.
Model open(const std::string& file, std::span<const std::byte> bytes, const std::shared_ptr<const void>& storage) {
  const PlainArithmetic plain;
  Header header{};
  if (bytes.size() < magic.size() || std::memcmp(bytes.data(), magic.data(), magic.size()) != 0)
    refuse(file, "is not a stored model of tumble");
  if (bytes.size() < aligned(sizeof(Header))) refuse(file, "ends within its header; it was cut off");
  std::memcpy(&header, bytes.data(), sizeof(Header));
  check_header(file, header, bytes.size());
  Layout layout;
  if (!lay_out(header, bytes.size(), layout) || layout.end != bytes.size())
    refuse(file, "has counts that do not fit its size");

  Header without_checksum = header;
  without_checksum.checksum = 0;
  Checksum checksum;
  std::array<std::byte, aligned(sizeof(Header))> first{};
  std::memcpy(first.data(), &without_checksum, sizeof(Header));
  checksum.add(first);
  checksum.add(bytes.subspan(first.size()));
  if (checksum.value() != header.checksum) refuse(file, "does not match its checksum; it was damaged");

  const auto section = [&]<class T>(std::size_t at, std::uint64_t count, const T*) {
    return std::span(reinterpret_cast<const T*>(bytes.data() + at), count);
  };
  auto data = std::make_shared<ModelData>();
  data->vertices = section(layout.vertices, header.vertices, static_cast<const Vec3*>(nullptr));
  data->triangles = section(layout.triangles, header.triangles, static_cast<const Triangle*>(nullptr));
  data->mesh_storage = storage;
  Tree& tree = data->tree;
  tree.bound = static_cast<Bound>(header.bound);
  tree.k = static_cast<int>(header.k);
  tree.arity = static_cast<int>(header.arity);
  tree.frame.exponent = header.exponent;
  for (int i = 0; i < 3; ++i) {
    tree.frame.center[i] = header.center[i];
    for (int j = 0; j < 3; ++j) tree.frame.rotation.rows[static_cast<std::size_t>(i)][j] = header.rotation[3 * i + j];
  }
  if (header.nodes >= Child::leaf_bit || header.leaves >= Child::leaf_bit - 1 || header.triangles >= Child::leaf_bit)
    refuse(file, "has more nodes or triangles than a tree can");
  tree.node_count = static_cast<std::uint32_t>(header.nodes);
  tree.nodes = bytes.data() + layout.nodes;
  const std::uint32_t* const word = nullptr;
  tree.leaf_first = section(layout.leaf_first, header.leaves + 1, word);
  tree.triangle_ids = section(layout.triangle_ids, header.triangles, word);
  tree.corners = section(layout.corners, Tree::corner_floats * header.triangles + Tree::corner_padding,
                         static_cast<const float*>(nullptr));
  tree.storage = storage;
  check_contents(file, *data);

  std::size_t name_at = layout.part_names, end_triangle = 0;
  for (const StoredPart& part : section(layout.parts, header.parts, static_cast<const StoredPart*>(nullptr))) {
    const std::size_t name_end = layout.part_names + header.part_name_bytes;
    if (part.name_bytes > name_end - name_at || part.first_triangle < end_triangle ||
        std::size_t{part.first_triangle} + part.triangle_count > header.triangles)
      refuse(file, "has a part out of range");
    end_triangle = std::size_t{part.first_triangle} + part.triangle_count;
    data->parts.push_back({std::string(reinterpret_cast<const char*>(bytes.data() + name_at), part.name_bytes),
                           part.first_triangle, part.triangle_count});
    name_at += part.name_bytes;
  }
  return ModelAccess::model(std::move(data));
}

/// Passes the stored form to `sink`, piece by piece.
template <class Sink>
void store(const Model& model, const Sink& sink) {
  const ModelData& data = data_of(model);
  const Tree& tree = data.tree;
  std::vector<StoredPart> parts;
  std::vector<char> names;
  for (const Part& part : data.parts) {
    parts.push_back({part.first_triangle, part.triangle_count, static_cast<std::uint32_t>(part.name.size())});
    names.insert(names.end(), part.name.begin(), part.name.end());
  }
  Header header{};
  header.magic = magic;
  header.version = current_version;
  header.byte_order = byte_order_mark;
  header.bound = static_cast<std::uint32_t>(tree.bound);
  header.k = static_cast<std::uint32_t>(tree.k);
  header.arity = static_cast<std::uint32_t>(tree.arity);
  header.exponent = tree.frame.exponent;
  for (int i = 0; i < 3; ++i) {
    header.center[i] = tree.frame.center[i];
    for (int j = 0; j < 3; ++j) header.rotation[3 * i + j] = tree.frame.rotation.rows[static_cast<std::size_t>(i)][j];
  }
  header.vertices = data.vertices.size();
  header.triangles = data.triangles.size();
  header.nodes = tree.node_count;
  header.leaves = tree.leaf_count();
  header.parts = parts.size();
  header.part_name_bytes = names.size();
  Layout layout;
  lay_out(header, std::size_t{1} << 56, layout);
  header.file_bytes = layout.end;

  Checksum checksum;
  for_each_section(header, data, parts, names, [&](std::span<const std::byte> bytes) { checksum.add(bytes); });
  header.checksum = checksum.value();
  for_each_section(header, data, parts, names, sink);
}

}  // namespace

void save(const Model& model, const std::filesystem::path& file) {
  OutFile out(file);
  store(model, [&out](std::span<const std::byte> bytes) {
    out.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  });
  out.commit();
}

std::vector<std::byte> write_model(const Model& model) {
  std::vector<std::byte> stored;
  store(model,
        [&stored](std::span<const std::byte> bytes) { stored.insert(stored.end(), bytes.begin(), bytes.end()); });
  return stored;
}

Model load_model(const std::filesystem::path& file) {
  const auto mapped = std::make_shared<const MappedFile>(file);
  return open(file.string(), mapped->bytes(), mapped);
}

Model read_model(std::span<const std::byte> bytes, std::string_view name) {
  const auto copy = std::make_shared<AlignedBuffer>(bytes.size());
  if (!bytes.empty()) std::memcpy(copy->data(), bytes.data(), bytes.size());
  return open(std::string(name), {copy->data(), bytes.size()}, copy);
}

}  // namespace tumble
