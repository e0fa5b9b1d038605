// SPDX-License-Identifier: Apache-2.0
// FileRival: a library that reads mesh files. Adapters are modules, as Rival's.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::lab {

class FileRival {
 public:
  virtual ~FileRival() = default;

  virtual std::string id() const = 0;
  virtual std::string name() const = 0;
  /// How it was set up and what a reader should know to judge the comparison, in a sentence.
  virtual std::string settings() const = 0;

  /// Whether it reads files that end so: "obj".
  virtual bool reads(std::string_view extension) const = 0;
  virtual void load(const std::string& file) = 0;
  /// Of what was loaded last; 0 if that failed.
  virtual std::size_t triangles() const = 0;
  virtual void clear() = 0;
};

using FileRivals = std::vector<std::unique_ptr<FileRival>>;

}  // namespace tumble::lab

/// Opens the one function a module shows to the outside: it appends its rivals.
#define TUMBLE_FILE_RIVALS extern "C" __attribute__((visibility("default"))) void tumble_file_rivals
