// SPDX-License-Identifier: Apache-2.0
// Parallel loops on oneTBB. Callers split work by the data alone, never by the number of threads, so the number of
// threads does not change results.
#pragma once

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_invoke.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_sort.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <utility>

namespace tumble {

/// Runs `work` with at most `threads` threads (0: all cores). More than there are cores are not started: they would
/// gain nothing, and the scheduler keeps memory for each.
template <class Work>
decltype(auto) with_threads(int threads, Work&& work) {
  tbb::task_arena arena(threads > 0 ? std::min(threads, tbb::info::default_concurrency()) : tbb::task_arena::automatic);
  return arena.execute(std::forward<Work>(work));
}

/// Calls body(i) for i in [0, count), about `grain` calls per task.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  if (count <= grain) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
    for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
  });
}

/// One T for each thread that asks, made on first use.
template <class T>
class PerThread {
 public:
  explicit PerThread(std::function<T()> make) : values_(std::move(make)) {}
  T& local() { return values_.local(); }

 private:
  tbb::enumerable_thread_specific<T> values_;
};

/// merge(of_range(begin, end), ...) over [0, count) in pieces of about `grain`. The pieces may differ from run to run,
/// so `merge` must give the same in any grouping: extremes and whole numbers, never sums of floating-point numbers.
template <class OfRange, class Merge>
auto parallel_reduce(std::size_t count, std::size_t grain, const OfRange& of_range, const Merge& merge) {
  using Value = decltype(of_range(std::size_t{}, std::size_t{}));
  if (count <= grain) return of_range(0, count);
  return tbb::parallel_reduce(
      tbb::blocked_range<std::size_t>(0, count, grain), Value{},
      [&](const auto& range, const Value& so_far) { return merge(so_far, of_range(range.begin(), range.end())); },
      merge);
}

/// No two values may be equal. Then the order is the same for any number of threads.
template <class Values>
void parallel_sort(Values& values) {
  tbb::parallel_sort(values.begin(), values.end());
}

template <class Left, class Right>
void parallel_invoke(bool parallel, Left&& left, Right&& right) {
  if (parallel) {
    tbb::parallel_invoke(std::forward<Left>(left), std::forward<Right>(right));
  } else {
    left();
    right();
  }
}

}  // namespace tumble
