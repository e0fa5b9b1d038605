// SPDX-License-Identifier: Apache-2.0
// Bodies on a command line: a mesh file, or a model stored by 'tumble build'.
#pragma once

#include <tumble/io.h>
#include <tumble/model.h>

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace tumble::cli {

/// The help text of such an argument.
inline constexpr char body_help[] = "a mesh (.stl .obj .ply .off .gltf .glb, or -) or stored model (.tmbl)";

/// Decides by the extension.
bool is_stored_model(const std::string& file);

Mesh mesh_of(const Model& model);

/// The diagonal of the box around a model's vertices.
double size_of(const Model& model);

struct FileSize {
  std::string file;
  double size = 0;  // of its body, or of the largest
};
/// Notes that one is a thousand times as large as the other, as bodies in different units are.
void note_sizes(const FileSize& a, const FileSize& b);

/// Adds --format: of standard input, pipes and files whose name does not tell it.
void add_format(CLI::App& command, std::optional<MeshFormat>& format);
/// Throws Error if --format is given and no file needs it.
void check_format(const std::optional<MeshFormat>& format, std::span<const std::string> files);

/// A mesh or an assembly that is not read by its name: from standard input ("-"), a pipe, or a file whose name does not
/// tell its format.
struct ReadBytes {
  std::string bytes;
  MeshFormat format;
  std::string name;  // for messages
};
/// None if the library reads the file by its name. Throws Error for what is no file, and without a format.
std::optional<ReadBytes> read_unnamed(const std::string& file, const std::optional<MeshFormat>& format);

/// The triangles of a mesh file or of a stored model; "-" is standard input.
Mesh load_triangles(const std::string& file, const std::optional<MeshFormat>& format = {});

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
NamedModel load_or_build(const std::string& file, const TreeOptions& options,
                         const std::optional<MeshFormat>& format = {});

/// check_closed(), naming the file.
void require_closed(const NamedModel& model);

/// The help text of --solid.
inline constexpr char solid_help[] =
    "Take both for solids, as closed meshes are: one inside the other is in contact with it";
inline constexpr char ignore_touch_help[] = "Contacts of kind touch do not count: only crossing and coplanar ones";

}  // namespace tumble::cli
