// SPDX-License-Identifier: Apache-2.0
// Lazy: a value made once, on first use, by whichever thread asks first; copies share it.
#pragma once

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
    std::call_once(state_->once, [&] { state_->value.emplace(make()); });
    return *state_->value;
  }

 private:
  struct State {
    std::once_flag once;
    std::optional<T> value;
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

}  // namespace tumble
