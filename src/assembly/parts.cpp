// SPDX-License-Identifier: Apache-2.0
// Loads the meshes of placed parts, and fits names to patterns.
#include <tumble/parts.h>

#include "assembly/mesh_files.h"
#include "assembly/parts_file.h"
#include "assembly/unique_names.h"
#include "io/inside_folder.h"
#include "io/text.h"

#include <tumble/error.h>

#include <algorithm>
#include <map>

namespace tumble {

Parts load_parts(const std::filesystem::path& file, const TreeOptions& tree) {
  const io::FileBytes contents(file);
  const io::Source source{file.string(), contents.bytes(), file.has_parent_path() ? file.parent_path() : "."};
  PartsFile written = read_parts_file(source);
  Parts parts{std::move(written.units), {}, std::move(written.ignore)};
  MeshFiles meshes(tree);
  UniqueNames unique;
  for (std::size_t i = 0; i < written.parts.size(); ++i) {
    PartsFile::Entry& entry = written.parts[i];
    const std::string where = part_in_words(i, entry.name) + ": ";
    const std::filesystem::path mesh = source.folder / entry.mesh;
    if (io::is_too_long(mesh))
      source.fail(where + "the mesh " + io::in_quotes(entry.mesh) + " is too long for a file's name",
                  ErrorCode::file_access);
    if (!io::is_inside(mesh, source.folder))
      source.fail(where + "the mesh " + io::in_quotes(entry.mesh) + " is outside the file's own folder",
                  ErrorCode::file_access);
    try {
      parts.parts.push_back(
          {unique(entry.name), meshes.load(mesh, entry.scale), entry.pose, std::move(entry.group), entry.moves});
    } catch (const Error& error) {
      source.fail(where + error.what(), error.code());
    }
  }
  try {
    check(parts);
  } catch (const Error& error) {
    source.fail(error.message());
  }
  return parts;
}

Parts place(const Assembly& assembly, const TreeOptions& tree) {
  std::map<std::size_t, Model> models;
  Parts parts;
  for (const Instance& instance : assembly.instances) {
    auto at = models.find(instance.mesh);
    if (at == models.end()) at = models.emplace(instance.mesh, Model(assembly.meshes[instance.mesh], tree)).first;
    parts.parts.push_back({instance.name, at->second, instance.pose});
  }
  return parts;
}

// Where a character does not fit, the last * takes one more; earlier ones need not be tried again.
bool fits(std::string_view name, std::string_view pattern) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t n = 0, p = 0, star = none, after_star = 0;
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = n;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
      ++p, ++n;
    } else if (star != none) {
      p = star + 1;
      n = ++after_star;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

bool fits(const PlacedPart& part, std::string_view pattern) {
  return fits(part.name, pattern) || (!part.group.empty() && fits(part.group, pattern));
}

void check(const Parts& parts) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorCode::invalid_argument, what); };
  for (std::size_t i = 0; i < parts.ignore.size(); ++i)
    for (const std::string& pattern : parts.ignore[i])
      if (std::ranges::none_of(parts.parts, [&](const PlacedPart& part) { return fits(part, pattern); }))
        refuse("ignore[" + std::to_string(i) + "]: no part or group fits " + io::in_quotes(pattern));
  std::map<std::string_view, bool> moves;
  for (const PlacedPart& part : parts.parts)
    if (!part.group.empty() && moves.emplace(part.group, part.moves).first->second != part.moves)
      refuse("of the group " + io::in_quotes(part.group) + " some parts move and some do not; a group moves as one");
}

}  // namespace tumble
