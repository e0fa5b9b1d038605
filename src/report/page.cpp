// SPDX-License-Identifier: Apache-2.0
// Puts a page together: the viewer as it was built, data about parts and clashes as JSON, triangles as bytes.
#include "report/page.h"

#include "math/max_norm.h"
#include "mesh/growing_box.h"
#include "report/packed.h"
#include "report/viewer.h"

#include <tumble/error.h>
#include <tumble/version.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>

namespace tumble {
namespace {

using Json = nlohmann::ordered_json;

Json json_point(Vec3 p) { return Json::array({p.x, p.y, p.z}); }

/// Levels of volumes are added while they have at most so many triangles in all.
constexpr std::size_t most_volume_triangles = 150'000;

/// Takes the world's coordinates to numbers about 1, whatever its units.
struct Frame {
  Vec3 origin{};
  double scale = 1;

  explicit Frame(const std::vector<PagePart>& parts) {
    if (parts.empty()) return;
    GrowingBox box;
    for (const PagePart& part : parts) box.grow(box_of(part.model.vertices(), part.model.triangles(), part.pose));
    origin = box.lower * 0.5 + box.upper * 0.5;
    const Vec3 half = (box.upper - box.lower) * 0.5;
    const double longest = std::max({half.x, half.y, half.z});
    if (longest > 0) scale = longest * length(half / longest);  // no square of a large number
  }

  std::array<float, 3> operator()(Vec3 p) const {
    const Vec3 q = (p - origin) / scale;
    return {static_cast<float>(q.x), static_cast<float>(q.y), static_cast<float>(q.z)};
  }
};

/// One page's data on its way into the file.
class Writer {
 public:
  explicit Writer(const Page& page) : page_(page), frame_(page.parts) {
    add_meshes();
    add_volumes();
  }

  Json json() {
    Json clashes = Json::array();
    for (const PageClash& clash : page_.clashes) clashes.push_back(to_json(clash));
    return {{"tumble", version()},
            {"schema", "report/1"},
            {"title", page_.title},
            {"command", page_.command},
            {"units", page_.units},
            {"origin", json_point(frame_.origin)},
            {"scale", frame_.scale},
            {"meshes", std::move(meshes_)},
            {"parts", std::move(parts_)},
            {"clashes", std::move(clashes)},
            {"motion", page_.motion ? to_json(*page_.motion) : Json()},
            {"volumes", std::move(volumes_)},
            {"notes", page_.notes}};
  }

  std::string_view bytes() const { return packed_.bytes(); }

 private:
  std::size_t add_mesh(std::span<const Vec3> vertices, std::span<const Triangle> triangles) {
    const PackedMesh mesh = pack(vertices, triangles);
    meshes_.push_back({{"vertices", mesh.vertices},
                       {"triangles", mesh.triangles},
                       {"lower", json_point(mesh.box.lower)},
                       {"upper", json_point(mesh.box.upper)},
                       {"offset", packed_.add(std::span<const std::uint8_t>(mesh.bytes))},
                       {"bytes", mesh.bytes.size()}});
    return meshes_.size() - 1;
  }

  void add_meshes() {
    std::map<const Vec3*, std::size_t> known;  // by what copies of a model share
    for (const PagePart& part : page_.parts) {
      const auto [at, is_new] = known.try_emplace(part.model.vertices().data(), 0);
      if (is_new) {
        at->second = add_mesh(part.model.vertices(), part.model.triangles());
        models_.emplace_back(part.model, at->second);
      }
      parts_.push_back({{"name", part.name}, {"group", part.group}, {"mesh", at->second}, {"pose", part.pose.rows()}});
    }
  }

  /// Of all models, depth by depth; a depth is there whole or not at all.
  void add_volumes() {
    std::size_t triangles = 0;
    for (int depth = 0;; ++depth) {
      std::vector<std::pair<std::size_t, Mesh>> level;
      for (const auto& [model, mesh] : models_) {
        if (static_cast<std::size_t>(depth) >= statistics(model).leaves_at_depth.size()) continue;
        level.emplace_back(mesh, bounds_at_depth(model, depth));
        triangles += level.back().second.triangles.size();
        if (triangles > most_volume_triangles) return;
      }
      if (level.empty()) return;
      for (const auto& [mesh, shape] : level)
        volumes_.push_back({{"mesh", mesh}, {"depth", depth}, {"shape", add_mesh(shape.vertices, shape.triangles)}});
    }
  }

  Json to_json(const std::vector<Segment>& outline) {
    std::vector<float> floats;
    floats.reserve(outline.size() * 6);
    for (const Segment& segment : outline)
      for (const Vec3& end : segment)
        for (const float x : frame_(end)) floats.push_back(x);
    return {{"offset", packed_.add(std::span<const float>(floats))}, {"segments", outline.size()}};
  }

  Json to_json(const PageClash& clash) {
    const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(); };
    return {{"a", clash.a},
            {"b", clash.b},
            {"class", clash.kind},
            {"contacts", or_null(clash.contacts)},
            {"gap", or_null(clash.gap)},
            {"depth", or_null(clash.depth)},
            {"point", clash.point ? json_point(*clash.point) : Json()},
            {"verdict", clash.verdict},
            {"steps", or_null(clash.steps)},
            {"outline", to_json(clash.outline)}};
  }

  Json to_json(const PageMotion& motion) {
    std::vector<float> poses, values, microseconds;
    std::vector<std::uint8_t> colliding;
    std::vector<Segment> outline;
    std::vector<std::uint32_t> ends;
    for (const PageStep& step : motion.steps) {
      for (const Pose& pose : step.poses) {
        const std::array<float, 3> translation = frame_(pose.translation());
        // The mesh's coordinates are divided by the scale, too, and the origin is no part of them: R p / s + (t - o) /
        // s.
        for (int row = 0; row < 3; ++row) {
          for (int column = 0; column < 3; ++column) poses.push_back(static_cast<float>(pose.row(row)[column]));
          poses.push_back(translation[static_cast<std::size_t>(row)]);
        }
      }
      values.push_back(static_cast<float>(step.value));
      microseconds.push_back(static_cast<float>(step.microseconds));
      colliding.push_back(step.colliding);
      outline.insert(outline.end(), step.outline.begin(), step.outline.end());
      ends.push_back(static_cast<std::uint32_t>(outline.size()));
    }
    return {{"moved", motion.moved},
            {"steps", motion.steps.size()},
            {"poses", packed_.add(std::span<const float>(poses))},
            {"value", motion.value},
            {"values", packed_.add(std::span<const float>(values))},
            {"microseconds", packed_.add(std::span<const float>(microseconds))},
            {"colliding", packed_.add(std::span<const std::uint8_t>(colliding))},
            {"outline", to_json(outline)},
            {"outline_ends", packed_.add(std::span<const std::uint32_t>(ends))}};
  }

  const Page& page_;
  const Frame frame_;
  Packed packed_;
  Json meshes_ = Json::array(), parts_ = Json::array(), volumes_ = Json::array();
  std::vector<std::pair<Model, std::size_t>> models_;  // each once, and its mesh
};

/// Each segment once, whichever way round, and how often it was met; ends that single precision cannot tell apart, as
/// seen from the middle, are one. Seen from the world's origin, those of a far place would all be.
struct Segments {
  struct Met {
    Segment segment;
    int times = 0;
  };
  using End = std::array<float, 3>;
  Vec3 middle{};
  std::map<std::array<End, 2>, Met> found{};

  void add(const Segment& segment) {
    std::array<End, 2> key{};
    for (std::size_t i = 0; i < 2; ++i) {
      const Vec3 end = segment[i] - middle;
      key[i] = {static_cast<float>(end.x), static_cast<float>(end.y), static_cast<float>(end.z)};
    }
    if (key[1] < key[0]) std::swap(key[0], key[1]);
    ++found.try_emplace(key, Met{segment}).first->second.times;
  }
};

/// JSON that is also safe inside a <script>: names can neither end the element nor begin a comment in it.
std::string for_html(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', true, Json::error_handler_t::replace)) {
    switch (c) {
      case '<': text += "\\u003c"; break;
      case '>': text += "\\u003e"; break;
      case '&': text += "\\u0026"; break;
      default: text += c;
    }
  }
  return text;
}

}  // namespace

PageClash contact_row(std::size_t a, std::size_t b, std::span<const Contact> contacts) {
  PageClash row{.a = a, .b = b, .kind = "contact", .contacts = contacts.size()};
  if (contacts.empty()) return row;
  Vec3 middle{};
  for (const Contact& contact : contacts) middle += contact.point / static_cast<double>(contacts.size());
  Segments lines{middle}, edges{middle};
  for (const Contact& contact : contacts) {
    const std::span<const Vec3> vertices = contact.outline();
    if (vertices.size() == 2) lines.add({vertices[0], vertices[1]});
    for (std::size_t i = 0; vertices.size() > 2 && i < vertices.size(); ++i)
      edges.add({vertices[i], vertices[(i + 1) % vertices.size()]});
  }
  row.point = std::ranges::min(contacts, {}, [&](const Contact& c) { return max_norm(c.point - middle); }).point;
  for (const auto& [key, line] : lines.found) row.outline.push_back(line.segment);
  for (const auto& [key, edge] : edges.found)
    if (edge.times == 1) row.outline.push_back(edge.segment);  // met twice, it is between two polygons
  return row;
}

bool keep_outline(std::vector<Segment>& outline, std::size_t& left) {
  if (outline.size() > left) {
    outline.clear();
    return false;
  }
  left -= outline.size();
  return true;
}

std::string page_text(const Page& page) {
  const ViewerParts viewer = viewer_parts();
  Writer writer(page);
  const std::string json = for_html(writer.json());
  std::string text(viewer.before_json);
  text.reserve(text.size() + json.size() + writer.bytes().size() * 4 / 3 + viewer.between.size() + viewer.after.size() +
               8);
  text += json;
  text += viewer.between;
  text += base64(writer.bytes());
  text += viewer.after;
  return text;
}

}  // namespace tumble
