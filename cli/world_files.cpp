// SPDX-License-Identifier: Apache-2.0
// Reads what a world is made of.
#include "cli/world_files.h"

#include "assembly/unique_names.h"
#include "cli/choices.h"
#include "cli/model_argument.h"
#include "cli/number_lines.h"
#include "cli/pattern_lines.h"
#include "cli/progress.h"
#include "cli/text.h"
#include "io/suggest.h"
#include "io/text.h"

#include <tumble/error.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>

namespace tumble::cli {
namespace {

bool has_extension(const std::string& file, std::string_view lower) {
  return io::is_word(std::filesystem::path(file).extension().string(), lower);
}

/// A link without collision geometry never collides, which must not be taken for an answer.
void check_geometry(const Robot& robot, const std::string& file) {
  const std::vector<Link>& links = robot.links();
  const auto only_visual = std::size_t(std::ranges::count(links, true, &Link::only_visual));
  if (std::ranges::all_of(links, [](const Link& link) { return link.shapes.empty(); }))
    throw Error(ErrorCode::unsupported,
                only_visual > 0
                    ? "no link has a <collision>, and <visual> is not tested; give a <collision> to each link to test"
                    : "no link has a <collision>, so there is nothing to test",
                {.file = file});
  if (only_visual == 0) return;
  const std::string& first = std::ranges::find(links, true, &Link::only_visual)->name;
  note(fmt::format("{}: of {}, {} {} a <visual> and no <collision>, and {} not tested: {}{}", file,
                   count(links.size(), "link"), only_visual, only_visual == 1 ? "has" : "have",
                   only_visual == 1 ? "is" : "are", first, only_visual == 1 ? "" : ", …"));
}

/// Bodies in one file are in the same units.
void note_sizes_of_files(const World& world, const std::vector<std::string>& file_of) {
  if (std::ranges::adjacent_find(file_of, std::ranges::not_equal_to()) == file_of.end()) return;
  std::map<std::string, double> sizes;
  std::map<const Vec3*, double> known;  // bodies share models
  for (const BodyId body : world.bodies()) {
    const Model& model = world.model(body);
    const auto [of_model, is_new] = known.try_emplace(model.vertices().data());
    if (is_new) of_model->second = size_of(model);
    double& size = sizes[file_of[body.value - 1]];
    size = std::max(size, of_model->second);
  }
  const auto [small, large] = std::ranges::minmax_element(sizes, {}, [](const auto& one) { return one.second; });
  note_sizes({small->first, small->second}, {large->first, large->second});
}

RobotBodies add_robot(World& world, const std::string& file, const WorldFiles& files) {
  const Progress progress("reading " + file);
  RobotOptions options{{files.packages.begin(), files.packages.end()}, files.reading.tree};
  Robot robot = load_robot(file, options);
  check_geometry(robot, file);
  if (files.srdf) load_srdf(robot, *files.srdf);
  return add(world, robot, {.poses = {.beyond_limits = files.beyond_limits}});
}

/// One pair of patterns in each line. They fit the names that answers have, not the world's; members of groups, which
/// answers do not name, also go by their own.
void ignore_listed(World& world, const std::vector<Solo>& solos, const std::string& file) {
  std::map<BodyId, std::string_view> names;
  for (const Solo& solo : solos) names[solo.id] = solo.name;
  const auto fitting = [&](const std::string& pattern) {
    std::vector<BodyId> found;
    for (const BodyId body : world.bodies())
      if (const BodyId solo = world.group_of(body);
          fits(names.at(solo), pattern) || (solo != body && fits(world.name(body), pattern)))
        found.push_back(solo);
    return found;
  };
  PatternLines lines(file);
  for (std::vector<std::string> words = lines.next(); !words.empty(); words = lines.next()) {
    if (words.size() != 2)
      lines.fail(
          fmt::format("two patterns for names are needed, not {}; a name with spaces needs quotes", words.size()));
    const std::vector<BodyId> first = fitting(words[0]), second = fitting(words[1]);
    bool is_any = false;
    for (const BodyId a : first)
      for (const BodyId b : second)
        if (a != b) world.ignore(a, b), is_any = true;
    if (!is_any)
      lines.fail(fmt::format("no two bodies fit {} and {}", io::in_quotes(words[0]), io::in_quotes(words[1])));
  }
}

std::vector<Solo> solos_of(const World& world, const std::vector<std::string>& file_of) {
  std::vector<Solo> solos;
  std::map<BodyId, std::size_t> index;  // in solos
  UniqueNames unique;
  for (const BodyId body : world.bodies()) {
    const BodyId id = world.group_of(body);
    const auto [at, is_new] = index.try_emplace(id, solos.size());
    if (is_new) solos.push_back({id, unique(world.name(id)), file_of[body.value - 1], 0});
    solos[at->second].triangles += world.model(body).triangles().size();
  }
  return solos;
}

}  // namespace

void add_world_files(CLI::App& command, WorldFiles& files) {
  add_operands(command, "FILE", files.files, " ",
               "Folders, robots (.urdf), parts (.json), assemblies (.glb .gltf .step), meshes or -, models");
  add_words(command, "--package", files.packages, "DIR",
            "Where package://NAME/... is: a folder that holds NAME, or is it; may be repeated");
  add_part_file_options(command, files.reading);
}

void check_world_files(const CLI::App& command, const WorldFiles& files, std::vector<GivenFile> others,
                       const std::vector<GivenFile>& written) {
  others.emplace_back("--ignore", files.ignore);
  others.emplace_back("--srdf", files.srdf);
  check_part_files(command, files.files, files.reading, std::move(others), written);
}

LoadedWorld load_world(const WorldFiles& files) {
  const auto robots = std::ranges::count_if(files.files, [](const auto& f) { return has_extension(f, ".urdf"); });
  if (files.srdf && robots != 1)
    throw Error(ErrorCode::invalid_argument, fmt::format("--srdf is for one robot (.urdf), and there are {}", robots));
  LoadedWorld loaded{World({.threads = files.reading.tree.threads}), {}, {}, {}};
  World& world = loaded.world;
  CommonUnits units;
  std::vector<std::string> file_of;  // by id
  const FileList list = expand_folders(files.files);
  for (const std::string& file : list.files) {
    if (has_extension(file, ".urdf")) {
      loaded.robots.push_back(add_robot(world, file, files));
    } else {
      const Parts parts = load_part_file(file, files.reading).parts;
      units.add(parts.units, file);
      add(world, parts);
    }
    if (const std::vector<BodyId> all = world.bodies(); !all.empty()) file_of.resize(all.back().value, file);
  }
  loaded.solos = solos_of(world, file_of);
  note_sizes_of_files(world, file_of);
  if (files.ignore) ignore_listed(world, loaded.solos, *files.ignore);
  loaded.units = units.get();
  return loaded;
}

std::vector<double> read_configurations(const std::string& file, const Robot& robot, const PoseOptions& options) {
  const std::vector<std::size_t>& joints = robot.free_joints();
  const NumbersWanted wanted{"configuration", "one number for each joint", joints.size(), ErrorCode::file_format};
  NumberLines lines(file, wanted);
  std::vector<std::string> names;
  const auto fail = [&](const std::string& what) { throw Error(wanted.code, what, lines.place()); };
  while (names.empty()) {
    const auto line = lines.next_line();
    if (!line)
      throw Error(wanted.code, "it is empty; its first line must name the joints", {.file = lines.place().file});
    if (io::trimmed(*line).empty()) continue;
    for (std::string_view rest = *line;; rest.remove_prefix(rest.find(',') + 1)) {
      std::string_view name = io::trimmed(rest.substr(0, rest.find(',')));
      if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
      names.emplace_back(name);
      if (rest.find(',') == rest.npos) break;
    }
  }
  std::vector<std::string> known;
  known.reserve(joints.size());
  for (const std::size_t joint : joints) known.push_back(robot.joints()[joint].name);
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::ranges::find(known, *name) == known.end())
      fail(fmt::format("'{}' is not a joint of the robot that takes a value{}", *name, io::did_you_mean(*name, known)));
    if (std::find(names.begin(), name, *name) != name) fail(fmt::format("'{}' is named twice", *name));
  }
  std::vector<std::size_t> column;
  for (const std::string& name : known) {
    column.push_back(static_cast<std::size_t>(std::ranges::find(names, name) - names.begin()));
    if (column.back() == names.size()) fail(fmt::format("its first line does not name the joint '{}'", name));
  }
  std::vector<double> values, numbers;
  for (; lines.next(numbers); numbers.clear()) {
    if (numbers.size() != joints.size())
      fail(fmt::format("a configuration is {}, and here are {}", count(joints.size(), "number"), numbers.size()));
    for (const std::size_t c : column) values.push_back(numbers[c]);
    try {
      robot.check(std::span(values).last(joints.size()), options);
    } catch (const Error& error) {
      fail(error.message());
    }
  }
  if (values.empty()) fail("there is no configuration in it");
  return values;
}

}  // namespace tumble::cli
