// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

#include <sys/resource.h>
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <csignal>

namespace tumble::test {
namespace {

const Mesh sample{{{0, 0, 0}, {0.1, -1e-300, 1e100}, {1.0 / 3, 2, 3}, {-0.0, 5, 123456789.125}},
                  {{0, 1, 2}, {0, 2, 3}, {3, 2, 1}, {1, 3, 0}},
                  {{"first part", 0, 1}, {"second", 2, 1}}};
const Mesh single{{{0, 0, 0}, {1, 0, 0}, {0.5f, 2, 3}, {-1, 5, 1024.125}}, {{0, 1, 2}, {0, 2, 3}, {3, 2, 1}}, {}};

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(Writers, ObjKeepsEverything) {
  const TempFolder folder;
  save_mesh(sample, folder / "a.obj");
  EXPECT_EQ(load_mesh(folder / "a.obj"), sample);
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(Writers, ObjSurvivesOddPartNames) {
  const TempFolder folder;
  Mesh mesh = single;
  mesh.parts = {{"a\nf 9 9 9", 0, 1}, {"empty", 1, 0}, {"back\\", 1, 1}, {"#x", 2, 1}};
  save_mesh(mesh, folder / "a.obj");
  EXPECT_EQ(load_mesh(folder / "a.obj").parts, (std::vector<Part>{{"a_f 9 9 9", 0, 1}, {"back_", 1, 1}, {"#x", 2, 1}}));
}

TEST(Writers, PlyKeepsAllButParts) {
  const TempFolder folder;
  save_mesh(sample, folder / "a.ply");
  Mesh expected = sample;
  expected.parts.clear();
  EXPECT_EQ(load_mesh(folder / "a.ply"), expected);
}

TEST(Writers, StlKeepsTriangles) {
  const TempFolder folder;
  save_mesh(single, folder / "a.stl");
  const Mesh mesh = load_mesh(folder / "a.stl");
  ASSERT_EQ(mesh.triangles.size(), single.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(mesh.vertices[mesh.triangles[t][i]], single.vertices[single.triangles[t][i]]);
  float normal[3];
  std::memcpy(normal, contents_of(folder / "a.stl").data() + 84, sizeof normal);
  EXPECT_NEAR(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2], 1, 1e-6);
}

TEST(Writers, GlbKeepsParts) {
  const TempFolder folder;
  Mesh mesh = single;
  mesh.parts = {{"a", 0, 1}, {"b \"quoted\"", 1, 2}};
  save_mesh(mesh, folder / "a.glb");
  const Mesh again = load_mesh(folder / "a.glb");
  EXPECT_EQ(again.parts, mesh.parts);
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_EQ(again.vertices[again.triangles[t][i]], mesh.vertices[mesh.triangles[t][i]]);
  save_mesh(single, folder / "whole.glb");
  EXPECT_EQ(load_mesh(folder / "whole.glb").parts, (std::vector<Part>{{"whole", 0, 3}}));
  mesh.parts = {{"\xFF\xFE not UTF-8", 1, 1}};
  save_mesh(mesh, folder / "a.glb");
  EXPECT_EQ(load_mesh(folder / "a.glb").parts.size(), 3u);
}

TEST(Writers, AssembliesShareMeshes) {
  const TempFolder folder;
  const double rows[12] = {0, -1, 0, 10.1, 1, 0, 0, 20.2, 0, 0, 1, 30.3};
  const Assembly assembly{{single, single},
                          {{"one", 0, Pose{}}, {"two", 0, Pose::from_rows(rows)}, {"three", 1, Pose{}}}};
  save_assembly(assembly, folder / "a.glb");
  const Assembly again = load_assembly(folder / "a.glb");
  ASSERT_EQ(again.instances.size(), 3u);
  EXPECT_EQ(again.meshes, assembly.meshes);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(again.instances[i].name, assembly.instances[i].name);
    EXPECT_EQ(again.instances[i].mesh, assembly.instances[i].mesh);
    EXPECT_EQ(again.instances[i].pose, assembly.instances[i].pose);
  }
}

/// The floats of an accessor of a GLB.
std::vector<float> floats_of(const nlohmann::json& json, const std::string& binary, std::size_t accessor) {
  const nlohmann::json &its = json["accessors"][accessor], &view = json["bufferViews"][its["bufferView"].get<int>()];
  const std::size_t width = its["type"] == "SCALAR" ? 1 : its["type"] == "VEC3" ? 3 : 4;
  std::vector<float> values(width * its["count"].get<std::size_t>());
  EXPECT_EQ(values.size() * sizeof(float), view["byteLength"].get<std::size_t>());
  EXPECT_FALSE(view.contains("target")) << "only what is drawn has one";
  std::memcpy(values.data(), binary.data() + view["byteOffset"].get<std::size_t>(), values.size() * sizeof(float));
  return values;
}

TEST(Writers, AnimationsKeepEveryPose) {
  const TempFolder folder;
  const Assembly assembly{{single}, {{"stands", 0, {}}, {"moves", 0, {}}, {"waits", 0, {}}}};
  std::vector<std::vector<Pose>> steps;
  const Pose aside = Pose::from_translation({5, 0, 0});
  for (int i = 0; i < 50; ++i)  // more than a turn: the quaternion's sign changes on the way
    steps.push_back({Pose{},
                     Pose::from_quaternion(std::cos(0.1 * i), 0, 0.6 * std::sin(0.1 * i), 0.8 * std::sin(0.1 * i),
                                           {0.5 * i, -1.0 * i, 3}),
                     aside});
  save_animation(assembly, steps, 0.25, folder / "a.glb");

  const std::string bytes = contents_of(folder / "a.glb");
  std::uint32_t text_size = 0;
  std::memcpy(&text_size, bytes.data() + 12, 4);
  const nlohmann::json json = nlohmann::json::parse(bytes.substr(20, text_size));
  const std::string binary = bytes.substr(20 + text_size + 8);
  ASSERT_EQ(json["animations"].size(), 1u);
  const nlohmann::json& animation = json["animations"][0];
  ASSERT_EQ(animation["channels"].size(), 2u) << "one body moves";
  std::vector<float> places, turns;
  for (const nlohmann::json& channel : animation["channels"]) {
    EXPECT_EQ(json["nodes"][channel["target"]["node"].get<int>()]["name"], "moves");
    const nlohmann::json& sampler = animation["samplers"][channel["sampler"].get<int>()];
    (channel["target"]["path"] == "rotation" ? turns : places) = floats_of(json, binary, sampler["output"]);
    const std::vector<float> times = floats_of(json, binary, sampler["input"]);
    ASSERT_EQ(times.size(), steps.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_EQ(times[i], 0.25f * static_cast<float>(i));
    EXPECT_EQ(json["accessors"][sampler["input"].get<int>()]["max"][0], times.back());
  }
  ASSERT_EQ(places.size(), 3 * steps.size());
  ASSERT_EQ(turns.size(), 4 * steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const float* const q = turns.data() + 4 * i;
    const Pose read =
        Pose::from_quaternion(q[3], q[0], q[1], q[2], {places[3 * i], places[3 * i + 1], places[3 * i + 2]});
    for (std::size_t n = 0; n < 12; ++n) EXPECT_NEAR(read.rows()[n], steps[i][1].rows()[n], 1e-6) << i;
    if (i == 0) continue;
    EXPECT_GT(q[0] * q[-4] + q[1] * q[-3] + q[2] * q[-2] + q[3] * q[-1], 0) << "the longer way round";
  }
  // What does not play animations sees the first step.
  const Assembly again = load_assembly(folder / "a.glb");
  ASSERT_EQ(again.instances.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t n = 0; n < 12; ++n)
      EXPECT_NEAR(again.instances[i].pose.rows()[n], steps[0][i].rows()[n], 1e-6) << i;
}

TEST(Writers, RefuseAnimationsThatDoNotFit) {
  const TempFolder folder;
  const Assembly assembly{{single}, {{"a", 0, {}}, {"b", 0, {}}}};
  const std::vector<std::vector<Pose>> good(3, std::vector<Pose>(2)), few(3, std::vector<Pose>(1));
  const auto code_of = [&](const std::vector<std::vector<Pose>>& steps, double seconds, const std::string& name) {
    try {
      save_animation(assembly, steps, seconds, folder / name);
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << name << " was written";
    return ErrorCode::file_format;
  };
  EXPECT_EQ(code_of(few, 1, "a.glb"), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of({}, 1, "a.glb"), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(good, 0, "a.glb"), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(good, std::nan(""), "a.glb"), ErrorCode::invalid_argument);
  EXPECT_EQ(code_of(good, 1, "a.obj"), ErrorCode::unsupported);
  EXPECT_EQ(entries(folder.path()), 0u);
}

TEST(Writers, RefuseWhatTheyCannotWrite) {
  const TempFolder folder;
  const auto code_of = [&](const Mesh& mesh, const std::string& name) {
    try {
      save_mesh(mesh, folder / name);
    } catch (const Error& error) {
      return error.code();
    }
    ADD_FAILURE() << name << " was written";
    return ErrorCode::invalid_argument;
  };
  EXPECT_EQ(code_of(sample, "huge.stl"), ErrorCode::invalid_mesh);  // 1e100 does not fit single precision
  EXPECT_EQ(code_of(sample, "huge.glb"), ErrorCode::invalid_mesh);
  EXPECT_EQ(code_of(Mesh{}, "empty.obj"), ErrorCode::invalid_mesh);
  EXPECT_EQ(code_of(Mesh{{{0, 0, 0}}, {{0, 0, 1}}, {}}, "bad.obj"), ErrorCode::invalid_mesh);
  EXPECT_EQ(code_of(single, "a.off"), ErrorCode::unsupported);
  EXPECT_EQ(code_of(single, "a.gltf"), ErrorCode::unsupported);
  EXPECT_EQ(code_of(single, "a.txt"), ErrorCode::unsupported);
  EXPECT_EQ(code_of(single, "no/such/folder/a.obj"), ErrorCode::file_access);
  std::filesystem::create_directory(folder / "folder.obj");
  EXPECT_EQ(code_of(single, "folder.obj"), ErrorCode::file_access);
  EXPECT_EQ(entries(folder.path()), 1u) << "something was left behind";
  EXPECT_THROW(save_assembly({{single}, {{"x", 0, {}}}}, folder / "a.obj"), Error);
  EXPECT_THROW(save_assembly({{single}, {{"x", 1, {}}}}, folder / "a.glb"), Error);
}

// A full disk, as far as a process can see one: the limit on a file's size is reached half way.
TEST(Writers, AFullDiskLeavesTheOldFile) {
  const TempFolder folder;
  Mesh large;
  for (std::uint32_t i = 0; i < 300000; ++i) large.vertices.push_back({0.1 * i, 1.7 * i, 1.0 / (i + 1)});
  for (std::uint32_t i = 0; i + 2 < 300000; i += 3) large.triangles.push_back({i, i + 1, i + 2});
  struct rlimit old {};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  for (const char* name : {"a.obj", "a.ply", "a.stl", "a.glb"}) {
    save_mesh(single, folder / name);
    const std::string before = contents_of(folder / name);
    struct rlimit limit = old;
    limit.rlim_cur = 1 << 20;
    ::setrlimit(RLIMIT_FSIZE, &limit);
    EXPECT_THROW(save_mesh(large, folder / name), Error) << name;
    ::setrlimit(RLIMIT_FSIZE, &old);
    EXPECT_EQ(contents_of(folder / name), before) << name;
  }
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(entries(folder.path()), 4u) << "a temporary file was left behind";
}

TEST(Writers, WriteThroughLinks) {
  const TempFolder folder;
  save_mesh(single, folder / "real.ply");
  std::filesystem::create_symlink("real.ply", folder / "link.ply");
  save_mesh(sample, folder / "link.ply");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.ply"));
  EXPECT_EQ(load_mesh(folder / "real.ply").vertices, sample.vertices);
}

// Nothing may be said of what is behind so many links: the system counts those of folders, too.
TEST(Writers, LeaveWhatCannotBeSeen) {
  const TempFolder folder;
  save_mesh(single, folder / "real.ply");
  const std::string before = contents_of(folder / "real.ply");
  std::filesystem::create_directory_symlink(".", folder / "d");
  std::string last = "real.ply";
  for (int i = 0; i < 25; ++i) {
    const std::string link = "link" + std::to_string(i) + ".ply";
    std::filesystem::create_symlink("d/" + last, folder / link);
    last = link;
  }
  EXPECT_THROW(save_mesh(sample, folder / last), Error);
  EXPECT_EQ(contents_of(folder / "real.ply"), before);
}

TEST(Load, NamesTheFileItCannotRead) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "folder.stl");
  ASSERT_EQ(::mkfifo((folder / "pipe.stl").c_str(), 0600), 0);
  for (const char* name : {"missing.stl", "folder.stl", "pipe.stl"}) {
    try {
      load_mesh(folder / name);
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_access);
      EXPECT_EQ(error.place().file, (folder / name).string());
    }
  }
}

TEST(Load, OtherFormatsGiveOneInstanceNamedByTheFile) {
  const TempFolder folder;
  save_mesh(single, folder / "wheel.ply");
  const Assembly assembly = load_assembly(folder / "wheel.ply");
  ASSERT_EQ(assembly.instances.size(), 1u);
  EXPECT_EQ(assembly.instances[0].name, "wheel");
  EXPECT_EQ(assembly.meshes[0], single);
}

}  // namespace
}  // namespace tumble::test
