// SPDX-License-Identifier: Apache-2.0
// What a mistyped word was meant to be.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tumble::io {

/// The one of `known` that `word` most likely stands for: the fewest letters added, left out, changed or swapped, and
/// no more than a third of them; or the only one that begins with it. Empty if there is none.
std::string closest_word(std::string_view word, std::span<const std::string> known);

/// "; did you mean 'X'?", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> known);

}  // namespace tumble::io
