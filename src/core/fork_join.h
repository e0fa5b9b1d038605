// SPDX-License-Identifier: Apache-2.0
// ForkJoin: tells the thread sanitizer what it cannot see in TBB, which is not instrumented: tasks begin after what was
// done before the parallel call, and end before what is done after it. Tasks stay unordered among each other, so that
// races between them are found. A task waits a little first: otherwise the caller would do all of a short loop before
// another thread wakes up, and nothing could race. Other builds compile it to nothing.
#pragma once

#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>

#include <chrono>
#include <thread>
#endif

namespace tumble {

#ifdef __SANITIZE_THREAD__

/// Lives as long as a parallel call.
class ForkJoin {
 public:
  ForkJoin() = default;
  /// Just before the call, when its tasks are made.
  void fork() const { __tsan_release(&fork_); }
  ~ForkJoin() { __tsan_acquire(&join_); }
  ForkJoin(const ForkJoin&) = delete;
  ForkJoin& operator=(const ForkJoin&) = delete;

  enum Order { unordered, after_others };  // after_others: it uses what tasks that have ended made

  /// Lives as long as a piece of work in it.
  class Task {
   public:
    explicit Task(const ForkJoin& call, Order order = unordered) : call_(call) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      __tsan_acquire(&call_.fork_);
      if (order == after_others) __tsan_acquire(&call_.join_);
    }
    ~Task() { __tsan_release(&call_.join_); }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;

   private:
    const ForkJoin& call_;
  };

 private:
  mutable char fork_ = 0, join_ = 0;  // their addresses stand for the two moments
};

#else

struct ForkJoin {
  void fork() const {}
  enum Order { unordered, after_others };
  struct Task {
    explicit Task(const ForkJoin&, Order = unordered) {}
  };
};

#endif

}  // namespace tumble
