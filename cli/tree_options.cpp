// SPDX-License-Identifier: Apache-2.0
// Words of the command line to TreeOptions and back.
#include "cli/tree_options.h"

#include "bounds/directions.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <string>
#include <vector>

namespace tumble::cli {
namespace {

constexpr char group[] = "Tree options";
constexpr std::array listed_arities{2, 3, 4, 8};
constexpr int largest_leaf = 255, most_threads = 4096;

/// The names of the enumerators 0 to `last`.
template <class Enum>
std::vector<std::string> names_up_to(Enum last) {
  std::vector<std::string> names;
  for (int i = 0; i <= static_cast<int>(last); ++i) names.emplace_back(name(static_cast<Enum>(i)));
  return names;
}

template <class Numbers>
std::vector<std::string> words_of(const Numbers& numbers) {
  std::vector<std::string> words;
  words.reserve(numbers.size());
  for (const int number : numbers) words.push_back(std::to_string(number));
  return words;
}

/// An option that takes one of `allowed`; `choose` receives which.
void add_choice(CLI::App& command, const std::string& option, const std::vector<std::string>& allowed,
                const std::string& by_default, const std::string& help,
                const std::function<void(std::size_t)>& choose) {
  command
      .add_option_function<std::string>(
          option,
          [option, allowed, choose](const std::string& word) {
            const auto found = std::ranges::find(allowed, word);
            if (found == allowed.end())
              throw CLI::ValidationError(option, fmt::format("'{}' is not one of {}", word, fmt::join(allowed, ", ")));
            choose(static_cast<std::size_t>(found - allowed.begin()));
          },
          help + "; " + by_default + " by default")
      ->group(group)
      ->type_name(fmt::to_string(fmt::join(allowed, "|")));
}

template <class Enum>
void add_choice_of(CLI::App& command, const std::string& option, Enum& value, Enum last, const std::string& help) {
  add_choice(command, option, names_up_to(last), name(value), help,
             [&value](std::size_t chosen) { value = static_cast<Enum>(chosen); });
}

/// An option that takes a number from 1 to `most`, or a word that stands for 0.
void add_count(CLI::App& command, const std::string& option, int& value, int most, const std::string& word_for_zero,
               const std::string& help) {
  command
      .add_option_function<std::string>(
          option,
          [option, &value, most, word_for_zero](const std::string& word) {
            int number = 0;
            const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), number);
            const bool is_number = error == std::errc{} && stop == word.data() + word.size();
            if (word != word_for_zero && (!is_number || number < 1 || number > most))
              throw CLI::ValidationError(
                  option, fmt::format("'{}' is not a number from 1 to {} or '{}'", word, most, word_for_zero));
            value = word == word_for_zero ? 0 : number;
          },
          fmt::format("{}; {} by default", help, value == 0 ? word_for_zero : std::to_string(value)))
      ->group(group)
      ->type_name("N|" + word_for_zero);
}

}  // namespace

void add_tree_options(CLI::App& command, TreeOptions& options) {
  // Options are read in this order whatever the order on the command line.
  add_choice_of(command, "--bound", options.bound, Bound::obb, "The volumes of the tree; automatic is obb");
  const auto ask_for_dop = [&options] {
    if (options.bound == Bound::automatic) options.bound = Bound::dop;
  };
  add_choice(command, "--k", words_of(listed_k), std::to_string(options.k),
             "The planes of each volume; asks for a dop tree", [&options, ask_for_dop](std::size_t chosen) {
               options.k = listed_k[chosen];
               ask_for_dop();
             });
  add_choice_of(command, "--split", options.split, Split::far_pair, "How a set of triangles is divided");
  add_choice_of(command, "--pivot", options.pivot, Pivot::sampled, "Where; not for binned and far_pair");
  add_choice_of(command, "--axes", options.axes, Axes::box, "Along what; not for binned and far_pair");
  add_count(command, "--leaf-size", options.leaf_size, largest_leaf, "auto",
            "The most triangles in a leaf; auto lets the cost model choose");
  add_choice(command, "--arity", words_of(listed_arities), std::to_string(options.arity), "The most children of a node",
             [&options](std::size_t chosen) { options.arity = listed_arities[chosen]; });
  add_choice_of(command, "--build", options.build, Build::bottom_up, "From the whole down or from triangles up");
  add_choice_of(command, "--obb-fit", options.obb_fit, ObbFit::hull_covariance, "How an oriented box finds its axes");
  command
      .add_flag_callback(
          "--orient",
          [&options, ask_for_dop] {
            options.orient = true;
            ask_for_dop();
          },
          "Turn the axes to make volumes tight; asks for a dop tree")
      ->group(group);
  add_count(command, "--threads", options.threads, most_threads, "all",
            "To build with; the tree is the same for any number");
}

bool tree_options_given(const CLI::App& command) {
  const auto given = [](const CLI::Option* option) { return option->get_group() == group && option->count() > 0; };
  return std::ranges::any_of(command.get_options(), given);
}

Json to_json(const TreeOptions& options) {
  return {{"bound", name(options.bound)},
          {"k", options.k},
          {"split", name(options.split)},
          {"pivot", name(options.pivot)},
          {"axes", name(options.axes)},
          {"leaf_size", options.leaf_size == 0 ? Json() : Json(options.leaf_size)},
          {"arity", options.arity},
          {"build", name(options.build)},
          {"obb_fit", name(options.obb_fit)},
          {"orient", options.orient},
          {"threads", options.threads == 0 ? Json() : Json(options.threads)}};
}

}  // namespace tumble::cli
