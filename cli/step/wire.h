// SPDX-License-Identifier: Apache-2.0
// How tumble-step hands an assembly to tumble through a pipe: plain values, one after the other.
#pragma once

#include <tumble/error.h>
#include <tumble/step.h>
#include <tumble/version.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::cli {

/// Both must be of one version, as they are built together.
inline constexpr std::string_view step_greeting = "tumble-step " TUMBLE_VERSION "\n";

class StepWriter {
 public:
  std::string write(const StepAssembly& step) {
    out_ = step_greeting;
    put(step.deflection);
    put(std::uint64_t{step.without_faces});
    put(std::uint64_t{step.problems});
    put(std::string_view(step.first_problem));
    put(std::uint64_t{step.assembly.meshes.size()});
    for (const Mesh& mesh : step.assembly.meshes) {
      put_list(mesh.vertices);
      put_list(mesh.triangles);
    }
    put(std::uint64_t{step.assembly.instances.size()});
    for (const Instance& instance : step.assembly.instances) {
      put(std::string_view(instance.name));
      put(instance.mesh);
      put(instance.pose.rows());
    }
    return std::move(out_);
  }

 private:
  template <class T>
  void put(const T& value) {
    out_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string_view text) {
    put(std::uint64_t{text.size()});
    out_ += text;
  }
  template <class T>
  void put_list(const std::vector<T>& list) {
    put(std::uint64_t{list.size()});
    out_.append(reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T));
  }

  std::string out_;
};

class StepReader {
 public:
  explicit StepReader(std::string_view bytes) : left_(bytes) {}

  StepAssembly read() {
    if (take(step_greeting.size()) != step_greeting) fail();
    StepAssembly step;
    step.deflection = get<double>();
    step.without_faces = get<std::uint64_t>();
    step.problems = get<std::uint64_t>();
    step.first_problem = take(get<std::uint64_t>());
    step.assembly.meshes.resize(at_most(get<std::uint64_t>(), 16));
    for (Mesh& mesh : step.assembly.meshes) {
      get_list(mesh.vertices);
      get_list(mesh.triangles);
      check(mesh);
    }
    step.assembly.instances.resize(at_most(get<std::uint64_t>(), 16));
    for (Instance& instance : step.assembly.instances) {
      instance.name = take(get<std::uint64_t>());
      instance.mesh = get<std::uint32_t>();
      instance.pose = Pose::from_rows(get<std::array<double, 12>>());
      if (instance.mesh >= step.assembly.meshes.size()) fail();
    }
    if (!left_.empty()) fail();
    return step;
  }

 private:
  [[noreturn]] static void fail() {
    throw Error(ErrorCode::file_access, "tumble-step does not belong to this tumble; install both together");
  }
  std::string_view take(std::uint64_t size) {
    if (size > left_.size()) fail();
    const std::string_view taken = left_.substr(0, size);
    left_.remove_prefix(size);
    return taken;
  }
  std::uint64_t at_most(std::uint64_t n, std::size_t size_of_one) const {
    if (n > left_.size() / size_of_one) fail();
    return n;
  }
  template <class T>
  T get() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  template <class T>
  void get_list(std::vector<T>& list) {
    list.resize(at_most(get<std::uint64_t>(), sizeof(T)));
    std::memcpy(list.data(), take(list.size() * sizeof(T)).data(), list.size() * sizeof(T));
  }

  std::string_view left_;
};

}  // namespace tumble::cli
