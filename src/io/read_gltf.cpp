// SPDX-License-Identifier: Apache-2.0
// glTF 2.0: the nodes of the scene become instances with rigid poses, their meshes triangles; no materials.
#include "io/gltf_document.h"
#include "io/readers.h"
#include "math/mat3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace tumble::io {
namespace {

constexpr std::size_t deepest_node = 1024;

/// linear * p + offset: the transform of a node, before it is split into a rigid pose and a baked rest.
struct Affine {
  Mat3 linear;
  Vec3 offset;
};

Affine operator*(const Affine& a, const Affine& b) { return {a.linear * b.linear, a.linear * b.offset + a.offset}; }

bool is_finite(const Affine& a) {
  const auto finite = [](Vec3 v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); };
  return finite(a.linear.rows[0]) && finite(a.linear.rows[1]) && finite(a.linear.rows[2]) && finite(a.offset);
}

Vec3 scaled_to_one(Vec3 v) {
  const double largest = std::fmax(std::abs(v.x), std::fmax(std::abs(v.y), std::abs(v.z)));
  if (largest == 0) return {};
  v = v / largest;
  return v / length(v);
}

/// A rotation whose columns follow the matrix's columns (Gram–Schmidt): the rotation itself if the matrix is a rotation
/// times a scale along the axes, and some rotation if it is singular.
Mat3 rotation_along(const Mat3& m) {
  Vec3 x = scaled_to_one(m.column(0));
  if (x == Vec3{}) x = scaled_to_one(cross(scaled_to_one(m.column(1)), scaled_to_one(m.column(2))));
  if (x == Vec3{}) x = {1, 0, 0};
  const Vec3 direction = scaled_to_one(m.column(1));
  Vec3 y = direction - x * dot(x, direction);
  constexpr double parallel = 1e-8;
  if (length(y) < parallel) {
    const Vec3 other = scaled_to_one(m.column(2));
    y = cross(other - x * dot(x, other), x);
  }
  if (length(y) < parallel) y = std::abs(x.x) < 0.5 ? cross(x, {1, 0, 0}) : cross(x, {0, 1, 0});
  y = scaled_to_one(y);
  y = scaled_to_one(y - x * dot(x, y));
  const Vec3 z = cross(x, y);
  return transpose(Mat3{{x, y, z}});
}

/// Rounded to 40 bits below its largest entry, so that equal scales under different rotations are equal numbers.
Mat3 rounded(Mat3 m) {
  double largest = 0;
  for (const Vec3& row : m.rows)
    for (int i = 0; i < 3; ++i) largest = std::fmax(largest, std::abs(row[i]));
  if (largest == 0) return m;
  const int exponent = std::ilogb(largest) + 1 - 40;
  for (Vec3& row : m.rows)
    for (int i = 0; i < 3; ++i) row[i] = std::ldexp(std::nearbyint(std::ldexp(row[i], -exponent)), exponent) + 0.0;
  return m;
}

struct Placement {
  Pose pose;
  Mat3 baked;
};

class GltfReader {
 public:
  explicit GltfReader(const Source& source) : source_(source), document_(source) {}

  Assembly read() {
    order_nodes();
    place_nodes();
    std::size_t vertices = 0, triangles = 0;
    for (const Mesh& mesh : assembly_.meshes) vertices += mesh.vertices.size(), triangles += mesh.triangles.size();
    require_triangles(source_, vertices, triangles);
    return std::move(assembly_);
  }

  Mesh read_flat() {
    const Assembly assembly = read();
    for (const Instance& instance : assembly.instances) {
      const Mesh& mesh = assembly.meshes[instance.mesh];
      document_.spend(mesh.vertices.size() + mesh.triangles.size(),
                      "; if it is meant to, load it as an assembly, which shares meshes between instances");
    }
    try {
      return flatten(assembly);
    } catch (const Error& error) {
      source_.fail(error.message(), error.code());
    }
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  /// Orders parents before children, otherwise as written; refuses anything but a forest.
  void order_nodes() {
    const std::size_t count = document_.count("nodes");
    std::vector<std::vector<std::size_t>> children(count);
    parent_.assign(count, none);
    for (std::size_t i = 0; i < count; ++i) {
      children[i] = document_.indices(document_.item("nodes", i), "children", "nodes");
      for (const std::size_t child : children[i]) {
        if (parent_[child] != none)
          document_.fail(document_.item("nodes", child), "it has two parents; nodes must form a tree");
        parent_[child] = i;
      }
    }
    std::vector<std::size_t> depth(count, 1), stack;
    for (std::size_t root = count; root-- > 0;)
      if (parent_[root] == none) stack.push_back(root);
    while (!stack.empty()) {
      const std::size_t node = stack.back();
      stack.pop_back();
      order_.push_back(node);
      if (depth[node] > deepest_node)
        document_.fail(document_.item("nodes", node),
                       "nodes are nested deeper than " + std::to_string(deepest_node) + " levels");
      for (auto child = children[node].rbegin(); child != children[node].rend(); ++child) {
        depth[*child] = depth[node] + 1;
        stack.push_back(*child);
      }
    }
    if (order_.size() < count) {
      std::vector<bool> reached(count);
      for (const std::size_t node : order_) reached[node] = true;
      const auto lost = static_cast<std::size_t>(std::ranges::find(reached, false) - reached.begin());
      document_.fail(document_.item("nodes", lost), "it is its own ancestor; nodes must form a tree");
    }
  }

  /// Whether each node belongs to the default scene; without scenes, all do.
  std::vector<bool> nodes_of_scene() {
    std::vector<bool> shown(parent_.size(), document_.count("scenes") == 0);
    if (document_.count("scenes") == 0) return shown;
    const GltfItem whole{document_.root(), "glTF", 0};
    const GltfItem scene = document_.item("scenes", document_.integer(whole, "scene").value_or(0));
    for (const std::size_t root : document_.indices(scene, "nodes", "nodes")) {
      if (parent_[root] != none || shown[root])
        document_.fail(scene,
                       "nodes[" + std::to_string(root) + "] is " + (shown[root] ? "listed twice" : "not a root"));
      shown[root] = true;
    }
    for (const std::size_t node : order_)
      if (parent_[node] != none && shown[parent_[node]]) shown[node] = true;
    return shown;
  }

  void place_nodes() {
    const std::vector<bool> shown = nodes_of_scene();
    std::vector<Affine> world(parent_.size());
    for (const std::size_t index : order_) {
      const GltfItem node = document_.item("nodes", index);
      if (!shown[index]) continue;
      world[index] = local_transform(node);
      if (parent_[index] != none) world[index] = world[parent_[index]] * world[index];
      if (!is_finite(world[index])) document_.fail(node, "its transform overflows", ErrorCode::invalid_pose);
      if (const std::optional<std::size_t> mesh = document_.integer(node, "mesh")) {
        refuse_what_bends(node);
        const std::optional<std::vector<Affine>> instances = gpu_instances(node);
        if (!instances) add_instance(node, *mesh, world[index]);
        for (const Affine& local : instances.value_or(std::vector<Affine>())) {
          const Affine placed = world[index] * local;
          if (!is_finite(placed))
            document_.fail(node, "the transform of an instance overflows", ErrorCode::invalid_pose);
          add_instance(node, *mesh, placed);
        }
      }
    }
  }

  /// The places of a node's mesh by EXT_mesh_gpu_instancing, relative to the node; none without it.
  std::optional<std::vector<Affine>> gpu_instances(const GltfItem& node) {
    const auto member = [&](const Json& parent, const char* key) -> const Json* {
      const auto found = parent.find(key);
      return found == parent.end() ? nullptr : &*found;
    };
    const Json* extensions = node.find("extensions");
    const Json* instancing =
        extensions && extensions->is_object() ? member(*extensions, "EXT_mesh_gpu_instancing") : nullptr;
    if (!instancing) return std::nullopt;
    const Json* attributes = instancing->is_object() ? member(*instancing, "attributes") : nullptr;
    if (!attributes || !attributes->is_object()) document_.fail(node, "its EXT_mesh_gpu_instancing has no attributes");
    const GltfItem given{*attributes, node.list, node.index};
    std::optional<std::size_t> count;
    const auto read = [&]<std::size_t N>(const char* key, std::array<double, N> by_default) {
      const std::optional<std::size_t> accessor = document_.integer(given, key);
      if (!accessor) return std::pair(std::vector<std::array<double, N>>(), by_default);
      auto values = document_.vectors<N>(*accessor, "transforms of instances");
      if (count && *count != values.size())
        document_.fail(node, "the attributes of its EXT_mesh_gpu_instancing have different counts");
      count = values.size();
      return std::pair(std::move(values), by_default);
    };
    const auto translations = read("TRANSLATION", std::array<double, 3>{0, 0, 0});
    const auto rotations = read("ROTATION", std::array<double, 4>{0, 0, 0, 1});
    const auto scales = read("SCALE", std::array<double, 3>{1, 1, 1});
    if (!count) document_.fail(node, "its EXT_mesh_gpu_instancing has no TRANSLATION, ROTATION or SCALE");
    const auto at = [](const auto& values, std::size_t i) {
      return values.first.empty() ? values.second : values.first[i];
    };
    std::vector<Affine> all(*count);
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = composed(node, at(translations, i), at(rotations, i), at(scales, i));
    return all;
  }

  Affine composed(const GltfItem& node, const std::array<double, 3>& translation, const std::array<double, 4>& rotation,
                  const std::array<double, 3>& scale) const {
    Affine local{rotation_of(node, rotation), {translation[0], translation[1], translation[2]}};
    for (Vec3& row : local.linear.rows)
      for (int i = 0; i < 3; ++i) row[i] *= scale[static_cast<std::size_t>(i)];
    return local;
  }

  void refuse_what_bends(const GltfItem& node) const {
    if (node.find("skin")) document_.fail(node, "skinned meshes are not rigid and not read", ErrorCode::unsupported);
  }

  Affine local_transform(const GltfItem& node) const {
    const auto matrix = document_.numbers<16>(node, "matrix");
    const auto translation = document_.numbers<3>(node, "translation"), scale = document_.numbers<3>(node, "scale");
    const auto rotation = document_.numbers<4>(node, "rotation");
    if (matrix) {
      if (translation || scale || rotation) document_.fail(node, "it has both a matrix and separate transforms");
      const auto& m = *matrix;  // by columns
      if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
        document_.fail(node, "the last row of its matrix is not 0 0 0 1", ErrorCode::invalid_pose);
      return {Mat3{{Vec3{m[0], m[4], m[8]}, Vec3{m[1], m[5], m[9]}, Vec3{m[2], m[6], m[10]}}}, {m[12], m[13], m[14]}};
    }
    return composed(node, translation.value_or(std::array<double, 3>{}),
                    rotation.value_or(std::array<double, 4>{0, 0, 0, 1}),
                    scale.value_or(std::array<double, 3>{1, 1, 1}));
  }

  Mat3 rotation_of(const GltfItem& node, const std::array<double, 4>& q) const {
    try {
      const Pose pose = Pose::from_quaternion(q[3], q[0], q[1], q[2], {});
      return {{pose.row(0), pose.row(1), pose.row(2)}};
    } catch (const Error& error) {
      document_.fail(node, error.message(), ErrorCode::invalid_pose);
    }
  }

  /// M = Q (QᵀM): the rotation Q stays a pose, the rest, scale and mirroring, goes into the mesh.
  Placement split(const GltfItem& node, const Affine& world) const {
    constexpr double rigid = 1e-6;  // rotations of single-precision exporters come this close, no scale does
    const bool as_given = departure_from_orthogonality(world.linear) <= rigid && determinant(world.linear) > 0;
    const Mat3 q = as_given ? world.linear : rotation_along(world.linear);
    const double rows[12] = {q.rows[0].x, q.rows[0].y,    q.rows[0].z, world.offset.x, q.rows[1].x, q.rows[1].y,
                             q.rows[1].z, world.offset.y, q.rows[2].x, q.rows[2].y,    q.rows[2].z, world.offset.z};
    try {
      return {Pose::from_rows(rows), as_given ? Mat3{} : rounded(transpose(q) * world.linear)};
    } catch (const Error& error) {
      document_.fail(node, error.message(), ErrorCode::invalid_pose);
    }
  }

  void add_instance(const GltfItem& node, std::size_t mesh, const Affine& world) {
    const Placement placement = split(node, world);
    const std::uint32_t shared = mesh_with(mesh, placement.baked);
    if (assembly_.meshes[shared].triangles.empty()) return;  // points or lines only
    std::string name = document_.name(node);
    if (name.empty()) name = document_.name(document_.item("meshes", mesh));
    if (name.empty()) name = std::to_string(node.index);
    document_.spend(1 + name.size() / 16);  // a few bytes can ask for many instances, each with its name
    assembly_.instances.push_back({std::move(name), shared, placement.pose});
  }

  /// The mesh with the rest of the transform baked in; equal ones are shared.
  std::uint32_t mesh_with(std::size_t index, const Mat3& baked) {
    std::array<double, 9> key;
    for (std::size_t i = 0; i < 9; ++i) key[i] = baked.rows[i / 3][static_cast<int>(i % 3)];
    const auto [known, is_new] = meshes_.try_emplace({index, key}, static_cast<std::uint32_t>(assembly_.meshes.size()));
    if (is_new) assembly_.meshes.push_back(read_mesh(document_.item("meshes", index), baked));
    return known->second;
  }

  Mesh read_mesh(const GltfItem& item, const Mat3& baked) {
    Mesh mesh;
    const Json* primitives = item.find("primitives");
    if (!primitives || !primitives->is_array()) document_.fail(item, "it has no list of primitives");
    refuse_morphing(item);
    std::map<std::size_t, std::uint32_t> bases;  // primitives often share one accessor of positions
    for (const Json& primitive : *primitives) {
      if (!primitive.is_object()) document_.fail(item, "a primitive is not an object");
      read_primitive(GltfItem{primitive, item.list, item.index}, mesh, bases);
    }
    if (mesh.triangles.empty()) return {};
    if (!(baked == Mat3{})) bake(item, mesh, baked);
    return mesh;
  }

  void refuse_morphing(const GltfItem& mesh) const {
    const Json* weights = mesh.find("weights");
    if (!weights || !weights->is_array()) return;
    for (const Json& weight : *weights)
      if (!weight.is_number() || weight.get<double>() != 0)
        document_.fail(mesh, "meshes with morph targets applied are not read", ErrorCode::unsupported);
  }

  void bake(const GltfItem& item, Mesh& mesh, const Mat3& baked) const {
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i) {
      Vec3& v = mesh.vertices[i];
      v = baked * v;
      for (int axis = 0; axis < 3; ++axis)
        if (!(std::abs(v[axis]) <= max_coordinate))
          throw Error(ErrorCode::invalid_mesh, item.path() + " as scaled: " + bad_coordinate,
                      {.file = source_.name, .vertex = static_cast<std::int64_t>(i)});
    }
    if (determinant(baked) < 0)
      for (Triangle& t : mesh.triangles) std::swap(t[1], t[2]);
  }

  void read_primitive(const GltfItem& primitive, Mesh& mesh, std::map<std::size_t, std::uint32_t>& bases) {
    enum Mode : std::size_t { triangles = 4, strip = 5, fan = 6 };
    const std::size_t mode = document_.integer(primitive, "mode").value_or(triangles);
    if (mode > fan) document_.fail(primitive, "a primitive has an unknown mode");
    if (mode < triangles) return;  // points and lines
    const Json* attributes = primitive.find("attributes");
    if (!attributes || !attributes->is_object()) document_.fail(primitive, "a primitive has no attributes");
    const std::optional<std::size_t> position =
        document_.integer(GltfItem{*attributes, primitive.list, primitive.index}, "POSITION");
    if (!position) return;  // by the specification, nothing to draw
    const auto [known, is_new] = bases.try_emplace(*position, static_cast<std::uint32_t>(mesh.vertices.size()));
    const std::uint32_t base = known->second;
    if (is_new) {
      const auto vertices = document_.vectors<3>(*position, "positions");
      for (const auto& [x, y, z] : vertices) mesh.vertices.push_back({x, y, z});
      sizes_[*position] = vertices.size();
    }
    const std::size_t vertex_count = sizes_[*position];
    const std::optional<std::size_t> accessor = document_.integer(primitive, "indices");
    const std::vector<std::uint32_t> indices =
        accessor ? document_.vertex_indices(*accessor) : std::vector<std::uint32_t>();
    const std::size_t count = accessor ? indices.size() : vertex_count;
    const auto corner = [&](std::size_t i) {
      const std::size_t index = accessor ? indices[i] : i;
      if (index >= vertex_count)
        document_.fail(primitive,
                       "vertex index " + std::to_string(index) + " is out of range: there are " +
                           std::to_string(vertex_count) + " vertices",
                       ErrorCode::invalid_mesh);
      return base + static_cast<std::uint32_t>(index);
    };
    if (mode == triangles && count % 3 != 0)
      document_.fail(primitive,
                     "a primitive of triangles has " + std::to_string(count) + " corners, not a multiple of 3");
    document_.spend(mode == triangles ? count / 3 : count);
    if (mode == triangles)
      for (std::size_t i = 0; i < count; i += 3) mesh.triangles.push_back({corner(i), corner(i + 1), corner(i + 2)});
    else
      for (std::size_t i = 0; i + 2 < count; ++i) {
        const Triangle t = mode == fan  ? Triangle{corner(0), corner(i + 1), corner(i + 2)}
                           : i % 2 == 0 ? Triangle{corner(i), corner(i + 1), corner(i + 2)}
                                        : Triangle{corner(i + 1), corner(i), corner(i + 2)};
        // Triangles that repeat a vertex join strips; they do not belong to the surface.
        if (t[0] != t[1] && t[1] != t[2] && t[2] != t[0]) mesh.triangles.push_back(t);
      }
  }

  const Source& source_;
  GltfDocument document_;
  std::vector<std::size_t> parent_, order_;
  std::map<std::size_t, std::size_t> sizes_;  // vertices by accessor
  std::map<std::pair<std::size_t, std::array<double, 9>>, std::uint32_t> meshes_;
  Assembly assembly_;
};

}  // namespace

Assembly read_gltf(const Source& source) { return GltfReader(source).read(); }

Mesh read_gltf_flat(const Source& source) { return GltfReader(source).read_flat(); }

}  // namespace tumble::io
