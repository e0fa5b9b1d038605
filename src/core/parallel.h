// SPDX-License-Identifier: Apache-2.0
// Parallel loops on oneTBB. Callers split work by the data alone, never by the number of threads, so the number of
// threads does not change results.
#pragma once

#include "core/fork_join.h"
#include "core/plain_arithmetic.h"

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

/// Each piece of work begins so, on a thread that need not be the caller's.
struct Task {
  ForkJoin::Task task;
  PlainArithmetic plain{};

  explicit Task(const ForkJoin& call, ForkJoin::Order order = ForkJoin::unordered) : task(call, order) {}
};

/// Runs `work` with at most `threads` threads (0: all cores). More than there are cores are not started: they would
/// gain nothing, and the scheduler keeps memory for each.
template <class Work>
decltype(auto) with_threads(int threads, const Work& work) {
  const ForkJoin call;
  const auto as_task = [&]() -> decltype(auto) {
    const Task task(call);
    return work();
  };
  call.fork();
  if (threads <= 0) return as_task();  // without an arena of its own, of which oneTBB keeps some kilobytes
  tbb::task_arena arena(std::min(threads, tbb::info::default_concurrency()));
  return arena.execute(as_task);
}

/// How many threads may work at once where this is called.
inline std::size_t most_threads_here() { return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency()); }

/// Calls body(i) for i in [0, count), about `grain` calls per task.
template <class Body>
void parallel_for(std::size_t count, std::size_t grain, const Body& body) {
  if (count <= grain) {
    for (std::size_t i = 0; i < count; ++i) body(i);
    return;
  }
  const ForkJoin loop;
  const auto in_range = [&](const auto& range) {
    const Task task(loop);
    for (std::size_t i = range.begin(); i != range.end(); ++i) body(i);
  };
  loop.fork();
  tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count, grain), in_range);
}

/// One T for each thread that asks, made on first use.
template <class T>
class PerThread {
 public:
  explicit PerThread(std::function<T()> make) : values_(std::move(make)) {}
  T& local() { return values_.local(); }
  /// Calls each(value) for all there are, while no other thread works on one.
  template <class Each>
  void each(const Each& each) const {
    for (const T& value : values_) each(value);
  }

 private:
  tbb::enumerable_thread_specific<T> values_;
};

/// merge(of_range(begin, end), ...) over [0, count) in pieces of about `grain`. The pieces may differ from run to run,
/// so `merge` must give the same in any grouping: extremes and whole numbers, never sums of floating-point numbers.
template <class OfRange, class Merge>
auto parallel_reduce(std::size_t count, std::size_t grain, const OfRange& of_range, const Merge& merge) {
  using Value = decltype(of_range(std::size_t{}, std::size_t{}));
  if (count <= grain) return of_range(0, count);
  const ForkJoin reduction;
  const auto in_range = [&](const auto& range, const Value& so_far) {
    const Task task(reduction);
    return merge(so_far, of_range(range.begin(), range.end()));
  };
  const auto both = [&](const Value& left, const Value& right) {
    const Task task(reduction, ForkJoin::after_others);
    return merge(left, right);
  };
  reduction.fork();
  return tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, count, grain), Value{}, in_range, both);
}

/// No two values may be equal. Then the order is the same for any number of threads.
template <class Values>
void parallel_sort(Values& values) {
  tbb::parallel_sort(values.begin(), values.end());
}

template <class Left, class Right>
void parallel_invoke(bool parallel, const Left& left, const Right& right) {
  if (parallel) {
    const ForkJoin both;
    const auto as_task = [&](auto& work) {
      return [&both, &work] {
        const Task task(both);
        work();
      };
    };
    const auto left_task = as_task(left);
    const auto right_task = as_task(right);
    both.fork();
    tbb::parallel_invoke(left_task, right_task);
  } else {
    left();
    right();
  }
}

}  // namespace tumble
