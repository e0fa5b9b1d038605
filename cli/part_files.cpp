// SPDX-License-Identifier: Apache-2.0
// Reads placed parts by the extension of their file, and finds files in folders.
#include "cli/part_files.h"

#include "cli/progress.h"
#include "cli/step_file.h"
#include "cli/text.h"
#include "cli/tree_options.h"
#include "io/json.h"
#include "io/text.h"

#include <tumble/error.h>
#include <tumble/io.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <variant>

namespace tumble::cli {
namespace {

namespace fs = std::filesystem;

bool has_extension(const fs::path& file, std::string_view lower) {
  return io::is_word(file.extension().string(), lower);
}

bool is_readable_kind(const fs::path& file, FolderFiles wanted) {
  constexpr std::array<std::string_view, 7> known{".stl", ".obj", ".ply", ".off", ".gltf", ".glb", ".tmbl"};
  return std::ranges::any_of(known, [&](std::string_view extension) { return has_extension(file, extension); }) ||
         (wanted == FolderFiles::parts && is_step(file.string()));
}

Parts build_trees(const Assembly& assembly, const std::string& file, const TreeOptions& tree) {
  const Progress progress("building the trees of " + file);
  return place(assembly, tree);
}

PartFile load_step_file(const std::string& file, const PartFileOptions& options) {
  const StepAssembly step = read_step(file, options.step);
  if (step.problems > 0)
    complain(fmt::format("{}: OpenCASCADE could not read {}, so something is missing; the first: {}", file,
                         count(step.problems, "item"), step.first_problem));
  if (step.without_faces > 0)
    complain(fmt::format("{}: left out {} without faces", file, count(step.without_faces, "product")));
  PartFile loaded{build_trees(step.assembly, file, options.tree), step.deflection};
  loaded.parts.units = "mm";
  return loaded;
}

bool is_gltf(MeshFormat format) { return format == MeshFormat::gltf || format == MeshFormat::glb; }

/// Whether --format may say what it is.
bool needs_format(const std::string& file) {
  std::error_code ignored;
  return !has_extension(file, ".json") && !has_extension(file, ".urdf") && !is_step(file) &&
         !fs::is_directory(file, ignored);
}

/// Whether a file is a PARTS.json, right or wrong: its member "parts" is a list, and what is first in it has a mesh.
bool places_parts(const fs::path& file) {
  constexpr std::uintmax_t largest = std::uintmax_t{1} << 26;  // of a file that is looked into for a hint alone
  std::error_code failed;
  if (fs::file_size(file, failed) > largest || failed) return false;
  try {
    const io::FileBytes contents(file);
    const io::Source source{file.string(), contents.bytes(), {}};
    if (source.bytes.find("\"mesh\"") == std::string_view::npos) return false;  // found sooner than it is parsed
    const io::Json root = io::parse_json(source, source.bytes);
    const auto parts = root.find("parts");
    return parts != root.end() && parts->is_array() && !parts->empty() && parts->front().contains("mesh");
  } catch (const Error&) {
    return false;
  }
}

/// Walks folders depth first, in the order of names.
class Folders {
 public:
  Folders(FileList& list, FolderFiles wanted) : list_(list), wanted_(wanted) {}

  void walk(const fs::path& folder) {
    std::error_code error;
    if (!visited_.insert(fs::canonical(folder, error)).second) return;
    std::vector<fs::path> entries;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
      if (!at->path().filename().string().starts_with('.')) entries.push_back(at->path());
    if (error)
      throw Error(ErrorCode::file_access, "cannot read the folder: " + error.message(), {.file = folder.string()});
    std::ranges::sort(entries);
    for (const fs::path& entry : entries) {
      std::error_code failed;  // reading the file reports what else is wrong
      const fs::file_status status = fs::status(entry, failed);
      if (fs::is_directory(status))
        walk(entry);
      else if (status.type() == fs::file_type::not_found || failed == std::errc::too_many_symbolic_link_levels)
        leave_out_link(entry);
      else
        add(entry, status);
    }
  }

 private:
  void leave_out_link(const fs::path& link) {
    ++list_.unknown;
    if (is_readable_kind(link, wanted_))
      note(fmt::format("{}: left out, since this link leads nowhere", link.string()));
  }

  void add(const fs::path& file, fs::file_status status) {
    if (!fs::is_other(status) && is_readable_kind(file, wanted_)) {
      refuse_written(file);
      list_.files.push_back(file.string());
      return;
    }
    ++list_.unknown;
    if (fs::is_other(status)) return;  // a pipe without a writer would keep us waiting
    if (wanted_ == FolderFiles::parts && has_extension(file, ".json") && places_parts(file))
      note(fmt::format("{}: places parts, but is not read in a folder; name it instead of the folder", file.string()));
  }

  FileList& list_;
  FolderFiles wanted_;
  std::set<fs::path> visited_;
};

}  // namespace

PartFile load_part_file(const std::string& file, const PartFileOptions& options) {
  if (has_extension(file, ".json")) {
    const Progress progress("reading " + file);
    return {load_parts(file, options.tree)};
  }
  if (is_step(file)) return load_step_file(file, options);
  const auto alone = [&](const NamedModel& model) -> PartFile {
    return {{{}, {{file == "-" ? "standard input" : fs::path(file).stem().string(), model.model}}, {}}};
  };
  if (is_stored_model(file)) return alone(load_stored_model(file));
  const auto read = [&]() -> std::variant<Mesh, Assembly> {
    const Progress progress("reading " + file);
    if (const std::optional<ReadBytes> unnamed = read_unnamed(file, options.format)) {
      const auto bytes = std::as_bytes(std::span(unnamed->bytes));
      if (is_gltf(unnamed->format)) return read_assembly(bytes, unnamed->format, unnamed->name);
      return read_mesh(bytes, unnamed->format, unnamed->name);
    }
    if (is_gltf(format_of(file))) return load_assembly(file);
    return load_mesh(file);
  };
  std::variant<Mesh, Assembly> contents = read();
  if (const Assembly* const assembly = std::get_if<Assembly>(&contents))
    return {build_trees(*assembly, file, options.tree)};
  return alone(build_model(file, std::get<Mesh>(std::move(contents)), options.tree));
}

void add_part_file_options(CLI::App& command, PartFileOptions& options) {
  add_format(command, options.format);
  add_step_options(command, options.step);
  add_tree_options(command, options.tree);
}

void check_part_files(const CLI::App& command, const std::vector<std::string>& files, const PartFileOptions& options,
                      std::vector<GivenFile> others, const std::vector<GivenFile>& written) {
  refuse_tree_options_for_stored(command, files);
  std::vector<std::string> meshes;
  std::ranges::copy_if(files, std::back_inserter(meshes), needs_format);
  check_format(options.format, meshes);
  for (const std::string& file : files) others.emplace_back("FILE", file);
  check_files(others, written);
}

void CommonUnits::add(const std::string& units, const std::string& file) {
  if (units.empty()) return;
  if (!units_.empty() && units != units_)
    throw Error(
        ErrorCode::invalid_argument,
        fmt::format("its units are {}, and those of {} are {}; all must have the same", units, named_by_, units_),
        {.file = file});
  units_ = units;
  named_by_ = file;
}

FileList expand_folders(const std::vector<std::string>& files, FolderFiles wanted) {
  FileList list;
  for (const std::string& file : files) {
    std::error_code ignored;  // reading the file reports what else is wrong
    if (file == "-") {
      list.files.push_back(file);
      continue;
    }
    if (!fs::is_directory(file, ignored)) {
      if (fs::status(file, ignored).type() == fs::file_type::not_found)
        throw Error(ErrorCode::file_access,
                    file.empty() ? "the name of the file is empty" : "there is no such file or folder", {.file = file});
      list.files.push_back(file);
      continue;
    }
    const std::size_t before = list.files.size();
    Folders(list, wanted).walk(file);
    if (list.files.size() == before)
      throw Error(ErrorCode::file_access,
                  wanted == FolderFiles::meshes ? "there is no mesh in this folder"
                                                : "there is no mesh, assembly or STEP file in this folder",
                  {.file = file});
  }
  return list;
}

}  // namespace tumble::cli
