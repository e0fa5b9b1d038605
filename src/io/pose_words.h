// SPDX-License-Identifier: Apache-2.0
// PoseWords: a pose as people write it, in numbers and in words.
#pragma once

#include <tumble/error.h>
#include <tumble/pose.h>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tumble::io {

/// Collects the words of a pose, and makes it: 12 or 16 numbers (a matrix), 3 numbers (a translation), or names with
/// their numbers: translation, quaternion, xyzw, axis and angle, rpy, roll, pitch, yaw, euler.
class PoseWords {
 public:
  /// Adds the words of a text. Throws Error(invalid_pose) at the first that cannot belong to a pose; so do all of
  /// these.
  void add(std::string_view text, const Place& place);
  /// Adds a name, spelled as above. Its numbers follow.
  void begin(std::string_view name, const Place& place);
  void add(double number, const Place& place);
  /// Adds a word that is no name: a number, an angle with its unit or the axes of euler. False if it is none of these.
  bool add_value(std::string_view word, const Place& place);
  bool empty() const { return words_ == 0; }

  /// Throws Error(invalid_pose); `hint` ends the message about too few or too many numbers.
  Pose make(const Place& place, const char* hint) const;

  struct Made {
    Pose pose;
    bool was_rounded = false;  // the matrix was no rotation but for the rounding of its numbers: it is the nearest one
  };
  /// The same, and takes matrices of rounded numbers, too: whoever calls this says so.
  Made make_of_rounded(const Place& place, const char* hint) const;

 private:
  /// What a name stands for, and the numbers that follow it.
  struct Named {
    std::string name;
    std::string axes;  // of euler
    std::vector<double> numbers;
    std::size_t wanted;
  };

  const Named* find(std::string_view name) const;
  bool is_matrix() const { return named_.empty() && (bare_.size() == 12 || bare_.size() == 16); }
  Pose from_names(const Place& place) const;

  std::vector<double> bare_;  // numbers before the first name
  std::vector<Named> named_;
  std::size_t words_ = 0;
};

}  // namespace tumble::io
