// SPDX-License-Identifier: Apache-2.0
// Loads meshes and models and builds trees, with a progress bar if it takes long.
#include "cli/model_argument.h"

#include "cli/choices.h"
#include "cli/given_files.h"
#include "cli/input.h"
#include "cli/progress.h"
#include "cli/text.h"

#include <tumble/error.h>
#include <tumble/io.h>
#include <tumble/solid.h>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <initializer_list>
#include <string_view>
#include <tuple>
#include <utility>

namespace tumble::cli {
namespace {

std::optional<MeshFormat> format_by_name(const std::string& file) {
  try {
    return format_of(file);
  } catch (const Error&) {
    return std::nullopt;
  }
}

/// Why a file of that name is not read here, and what to do.
std::string unknown_format(const std::string& file) {
  std::string extension = std::filesystem::path(file).extension().string();
  std::ranges::transform(extension, extension.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const auto is_one_of = [&](std::initializer_list<std::string_view> known) {
    return std::ranges::find(known, extension) != known.end();
  };
  if (is_one_of({".step", ".stp"}))
    return "a STEP file is an assembly: 'tumble world', 'tumble clash' and 'tumble view' read it, if built with "
           "OpenCASCADE";
  if (is_one_of({".xacro"})) return "it is a xacro; run xacro first to get a URDF";
  if (is_one_of({".urdf"})) return "robots are read by 'tumble world' and 'tumble view'";
  if (is_one_of({".json"})) return "placed parts are read by 'tumble world', 'tumble clash' and 'tumble view'";
  if (is_one_of({".3ds",  ".3mf",  ".amf",  ".blend", ".brep", ".catpart", ".dae",    ".dwg",    ".dxf", ".fbx",
                 ".ifc",  ".iges", ".igs",  ".jt",    ".msh",  ".nas",     ".sldasm", ".sldprt", ".usd", ".usda",
                 ".usdc", ".usdz", ".vrml", ".vtk",   ".vtp",  ".wrl",     ".x3d",    ".x_t",    ".zip"}))
    return extension + " is not read; convert it to .stl, .obj, .ply, .off, .gltf or .glb";
  return "unknown mesh format: the name does not tell it; give --format stl, obj, ply, off, gltf or glb";
}

}  // namespace

bool is_stored_model(const std::string& file) {
  const std::string extension = std::filesystem::path(file).extension().string();
  return extension == ".tmbl" || extension == ".TMBL";
}

Mesh mesh_of(const Model& model) {
  const auto copy = [](const auto& range) { return std::vector(range.begin(), range.end()); };
  return {copy(model.vertices()), copy(model.triangles()), copy(model.parts())};
}

double size_of(const Model& model) {
  const auto vertices = model.vertices();
  double sum = 0;
  for (double Vec3::*axis : {&Vec3::x, &Vec3::y, &Vec3::z}) {
    const auto [least, most] = std::ranges::minmax_element(vertices, {}, axis);
    sum = std::hypot(sum, *most.*axis - *least.*axis);
  }
  return sum;
}

void note_sizes(const FileSize& a, const FileSize& b) {
  constexpr double units_apart = 999;  // a thousand, roundings allowed
  const auto& [small, large] = a.size < b.size ? std::tie(a, b) : std::tie(b, a);
  if (!(small.size > 0) || large.size < units_apart * small.size) return;
  note(fmt::format("{} is {} times as large as {}; are they in the same units? glTF is in metres, CAD mostly in mm",
                   large.file, number(large.size / small.size), small.file));
}

void add_format(CLI::App& command, std::optional<MeshFormat>& format) {
  add_choice(command, more_options, "--format", {"stl", "obj", "ply", "off", "gltf", "glb"}, "by name",
             "Of standard input, a pipe, or a file whose name does not tell it",
             [&format](std::size_t chosen) { format = static_cast<MeshFormat>(chosen); });
}

void check_format(const std::optional<MeshFormat>& format, std::span<const std::string> files) {
  if (format &&
      std::ranges::none_of(files, [](const std::string& f) { return !is_stored_model(f) && !format_by_name(f); }))
    throw Error(ErrorCode::invalid_argument,
                "--format is for standard input, pipes and files whose names do not tell their format; rename the file "
                "if its name is wrong");
}

std::optional<ReadBytes> read_unnamed(const std::string& file, const std::optional<MeshFormat>& format) {
  const bool is_standard_input = file == "-";
  std::error_code ignored;  // reading reports what is wrong
  const std::filesystem::file_status status =
      is_standard_input ? std::filesystem::file_status() : std::filesystem::status(file, ignored);
  const Place place{.file = is_standard_input ? "standard input" : file};
  if (!is_standard_input && status.type() == std::filesystem::file_type::not_found)
    throw Error(ErrorCode::file_access, file.empty() ? "the name of the file is empty" : "there is no such file",
                place);
  if (status.type() == std::filesystem::file_type::directory)
    throw Error(ErrorCode::file_access,
                "it is a folder, and this needs one mesh; 'tumble info' and 'tumble clash' take folders", place);
  const std::optional<MeshFormat> named = format_by_name(file);
  if (named && status.type() != std::filesystem::file_type::fifo) return std::nullopt;
  if (!named && !format) throw Error(ErrorCode::unsupported, unknown_format(file), place);
  return ReadBytes{read_all(file), named ? *named : *format, place.file};
}

Mesh load_triangles(const std::string& file, const std::optional<MeshFormat>& format) {
  if (is_stored_model(file)) return mesh_of(load_stored_model(file).model);
  const Progress progress("reading " + file);
  const std::optional<ReadBytes> read = read_unnamed(file, format);
  return read ? read_mesh(std::as_bytes(std::span(read->bytes)), read->format, read->name) : load_mesh(file);
}

NamedModel load_stored_model(const std::string& file) {
  refuse_written(file);
  const Progress progress("opening " + file);
  return {file, load_model(file), {}};
}

NamedModel build_model(const std::string& file, Mesh mesh, const TreeOptions& options) {
  const Progress progress("building the tree of " + file);
  const auto start = std::chrono::steady_clock::now();
  Model model(std::move(mesh), options);
  const std::chrono::duration<double, std::milli> elapsed = std::chrono::steady_clock::now() - start;
  return {file, std::move(model), Building{options, elapsed.count()}};
}

NamedModel load_or_build(const std::string& file, const TreeOptions& options, const std::optional<MeshFormat>& format) {
  return is_stored_model(file) ? load_stored_model(file) : build_model(file, load_triangles(file, format), options);
}

void require_closed(const NamedModel& model) {
  const Progress progress("looking whether it is closed: " + model.file);
  try {
    check_closed(model.model);
  } catch (const Error& error) {
    throw Error(error.code(), error.message(), {.file = model.file});
  }
}

}  // namespace tumble::cli
