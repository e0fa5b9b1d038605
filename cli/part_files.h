// SPDX-License-Identifier: Apache-2.0
// Placed parts from the files of a command line: PARTS.json, assemblies, STEP files, meshes and stored models.
#pragma once

#include "cli/given_files.h"
#include "cli/model_argument.h"

#include <tumble/parts.h>
#include <tumble/step.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace tumble::cli {

struct PartFileOptions {
  TreeOptions tree;
  StepOptions step;
  std::optional<MeshFormat> format;
};

/// Adds --format, --deflection, --angle and the options of trees.
void add_part_file_options(CLI::App& command, PartFileOptions& options);
/// Throws Error if one of these options is given and no file needs it, and as check_files() does; `others` are the
/// options that name files to read, too.
void check_part_files(const CLI::App& command, const std::vector<std::string>& files, const PartFileOptions& options,
                      std::vector<GivenFile> others, const std::vector<GivenFile>& written);

struct PartFile {
  Parts parts;                         // one alone, of a mesh, is named by the file, or "standard input"
  std::optional<double> deflection{};  // of a STEP file: the largest that was allowed to a part
};

/// Reads one file and builds its trees, with progress bars. What a STEP file leaves out is told on standard error.
PartFile load_part_file(const std::string& file, const PartFileOptions& options);

/// The units of several files: those that name any must name the same.
class CommonUnits {
 public:
  /// Throws Error(invalid_argument).
  void add(const std::string& units, const std::string& file);
  const std::string& get() const { return units_; }  // empty: no file names any

 private:
  std::string units_, named_by_;
};

struct FileList {
  std::vector<std::string> files;
  std::size_t unknown = 0;  // files in folders that are left out: no meshes, assemblies or STEP files
};

/// Puts the files of folders, and of folders in them, in the place of the folders: sorted, without hidden ones. A
/// folder that is reached twice counts once. Throws Error for a folder without a file to read.
enum class FolderFiles { parts, meshes };  // with STEP files, or without
FileList expand_folders(const std::vector<std::string>& files, FolderFiles wanted = FolderFiles::parts);

}  // namespace tumble::cli
