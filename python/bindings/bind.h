// SPDX-License-Identifier: Apache-2.0
// What the files of the extension offer to module.cpp, and what they share: models, budgets, and turns.
#pragma once

#include "arrays.h"
#include "scalars.h"

#include <tumble/budget.h>
#include <tumble/error.h>
#include <tumble/model.h>
#include <tumble/world.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

namespace tumble::python {

void bind_answers(py::module_& m);
void bind_mesh(py::module_& m);
void bind_pair(py::module_& m);
void bind_points(py::module_& m);
void bind_world(py::module_& m);
void bind_convex(py::module_& m);
void bind_motion(py::module_& m);
void bind_assembly(py::module_& m);
void bind_robot(py::module_& m);
void bind_page(py::module_& m);

/// A model, and the file it was opened from, if it was.
struct StoredModel {
  Model model;
  std::string file{};
  std::uint64_t checksum = 0;
};

/// Whether a file's name ends like that of a stored model.
bool is_stored(const std::filesystem::path& file);
StoredModel open_stored(const std::filesystem::path& file);
Mesh mesh_of(const Model& model);

/// Whether what a callback returned lets the question go on: None does, and whatever is true.
inline bool goes_on(const py::object& returned) { return returned.is_none() || py::bool_(returned); }

/// Pairs and worlds serve one thread at a time. Others wait for their turn, without the interpreter's lock.
class Turns {
 public:
  /// Calls `work` without the interpreter's lock when it is this thread's turn.
  template <class Work>
  auto take(const Work& work) {
    const std::thread::id self = std::this_thread::get_id();
    if (at_work_.load(std::memory_order_relaxed) == self)
      throw Error(ErrorCode::invalid_argument, "a callback must not use the object that calls it");
    const py::gil_scoped_release released;
    const std::lock_guard lock(mutex_);
    const AtWork at_work(at_work_, self);
    return work();
  }

 private:
  struct AtWork {
    AtWork(std::atomic<std::thread::id>& who, std::thread::id self) : who_(who) {
      who_.store(self, std::memory_order_relaxed);
    }
    ~AtWork() { who_.store({}, std::memory_order_relaxed); }
    std::atomic<std::thread::id>& who_;
  };

  std::mutex mutex_;
  std::atomic<std::thread::id> at_work_{};
};

/// Calls `work` without the interpreter's lock.
template <class Work>
auto freely(const Work& work) {
  const py::gil_scoped_release released;
  return work();
}

/// A budget from seconds and node pairs, each of which may be missing.
inline Budget budget_of(const std::optional<double>& time, const std::optional<std::uint64_t>& node_pairs) {
  Budget budget;
  if (node_pairs) budget.node_pairs = *node_pairs;
  if (time) {
    if (!(*time >= 0)) throw Error(ErrorCode::invalid_argument, "a budget of time must be at least 0 seconds");
    if (*time < 9e9) budget.time = std::chrono::nanoseconds(std::llround(*time * 1e9));
  }
  return budget;
}

/// The value whose name it is, among the first `count` of an enumeration; throws Error naming them all.
template <class Type>
Type named(const char* what, const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    const Type value = static_cast<Type>(i);
    if (text == name(value)) return value;
    all += (i == 0 ? "" : i + 1 == count ? " or " : ", ") + std::string(name(value));
  }
  throw Error(ErrorCode::invalid_argument, std::string(what) + " must be " + all + ", not '" + text + "'");
}

/// The id of a body: an integer of any kind.
inline BodyId id_from(py::handle source) {
  const py::object index = py::reinterpret_steal<py::object>(PyNumber_Index(source.ptr()));
  if (!index) throw py::error_already_set();
  const unsigned long value = PyLong_AsUnsignedLong(index.ptr());
  if (PyErr_Occurred() != nullptr || value > 0xffffffffUL) {
    PyErr_Clear();
    throw Error(ErrorCode::invalid_argument, "there is no body " + std::string(py::str(index)));
  }
  return {static_cast<std::uint32_t>(value)};
}

/// A Model or a ConvexModel; anything else throws TypeError.
BodyModel body_model(py::handle source);

/// Tree options from keyword arguments; unknown ones throw TypeError.
TreeOptions tree_options(const py::kwargs& options);

}  // namespace tumble::python

namespace pybind11::detail {

template <>
struct type_caster<tumble::BodyId> {
  PYBIND11_TYPE_CASTER(tumble::BodyId, const_name("int"));
  bool load(handle source, bool) {
    value = tumble::python::id_from(source);
    return true;
  }
};

}  // namespace pybind11::detail
