// SPDX-License-Identifier: Apache-2.0
// Bodies on a command line: a mesh file, or a model stored by 'tumble build'.
#pragma once

#include <tumble/model.h>

#include <optional>
#include <string>

namespace tumble::cli {

/// The help text of such an argument.
inline constexpr char body_help[] = "a mesh (.stl, .obj, .ply, .off, .gltf, .glb) or a stored model (.tmbl)";

/// Decides by the extension.
bool is_stored_model(const std::string& file);

Mesh mesh_of(const Model& model);

/// The triangles of a mesh file or of a stored model.
Mesh load_triangles(const std::string& file);

struct Building {
  TreeOptions options;
  double milliseconds = 0;
};

struct NamedModel {
  std::string file;
  Model model;
  std::optional<Building> building;  // none: its tree was stored
};

NamedModel load_stored_model(const std::string& file);
/// `file` names the source of the mesh.
NamedModel build_model(const std::string& file, Mesh mesh, const TreeOptions& options);

/// A stored model as it is, or a mesh with a tree built for it.
NamedModel load_or_build(const std::string& file, const TreeOptions& options);

/// check_closed(), naming the file.
void require_closed(const NamedModel& model);

/// The help text of --solid.
inline constexpr char solid_help[] =
    "Take both for solids, as closed meshes are: one inside the other is in contact with it";
inline constexpr char ignore_touch_help[] = "Contacts of kind touch do not count: only crossing and coplanar ones";

}  // namespace tumble::cli
