// SPDX-License-Identifier: Apache-2.0
// UniqueNames: tells things of the same name apart by a number.
#pragma once

#include <map>
#include <string>

namespace tumble {

class UniqueNames {
 public:
  /// The name itself the first time; then with #2, #3 and so on, whichever is not taken.
  std::string operator()(const std::string& name) {
    std::size_t& uses = uses_[name];
    std::string unique = name;
    if (++uses > 1)
      while (uses_.contains(unique = name + "#" + std::to_string(uses))) ++uses;
    if (unique != name) uses_[unique] = 1;
    return unique;
  }

 private:
  std::map<std::string, std::size_t> uses_;
};

}  // namespace tumble
