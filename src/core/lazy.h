// SPDX-License-Identifier: Apache-2.0
// Lazy: a value made once, on first use, by whichever thread asks first; copies share it.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>

namespace tumble {

template <class T>
class Lazy {
 public:
  /// The value; calls `make` if there is none yet. If that throws, the next call tries again.
  template <class Make>
  const T& get(const Make& make) const {
    std::call_once(state_->once, [&] {
      state_->value.emplace(make());
      state_->is_there.store(true, std::memory_order_release);
    });
    return *state_->value;
  }
  /// None if nobody has asked for it yet.
  const T* if_there() const { return state_->is_there.load(std::memory_order_acquire) ? &*state_->value : nullptr; }

 private:
  struct State {
    std::once_flag once;
    std::optional<T> value;
    std::atomic<bool> is_there = false;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace tumble
