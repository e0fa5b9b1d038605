// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"
#include "real_meshes.h"

#include <tumble/robot.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <clocale>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numbers>
#include <set>
#include <string>
#include <vector>

namespace tumble::test {
namespace {

namespace fs = std::filesystem;

const char arm[] = R"(<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://ros.org/wiki/xacro">
  <!-- comments, materials and transmissions are left out -->
  <material name="red"><color rgba="1 0 0 1"/></material>
  <link name="ground"/>
  <link name="upper">
    <inertial><mass value="nan"/></inertial>
    <visual><geometry><mesh filename="nowhere.dae"/></geometry></visual>
    <collision><origin xyz="0 0 1" rpy="0 1.5707963267948966 0"/><geometry><box size="1 2 3"/></geometry></collision>
    <collision><geometry><sphere radius="0.5"/></geometry></collision>
  </link>
  <link name="tool &amp; flange"><collision><geometry><cylinder radius="0.5" length="2"/></geometry></collision></link>
  <joint name="turn" type="revolute">
    <origin xyz="0 0 +1.5e0" rpy="0.1 0.2 0.3"/>
    <parent link="ground"/><child link="upper"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="2" effort="1" velocity="1"/>
  </joint>
  <joint name="slide" type="prismatic">
    <parent link="upper"/><child link="tool &amp; flange"/><limit upper=".25"/>
    <mimic joint="turn" multiplier="-0.1" offset="0.1"/>
  </joint>
  <transmission name="t"/><gazebo reference="upper"/>
</robot>)";

Robot read_urdf(std::string_view text, const RobotOptions& options = {}) {
  const std::vector<std::byte> copy(bytes_of(text).begin(), bytes_of(text).end());
  return read_robot(copy, "test", options);
}

Error error_in(const std::function<void()>& work, const std::string& file = "test") {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.place().file, file) << error.what();
    return error;
  }
  ADD_FAILURE() << "was accepted";
  return Error(ErrorCode::invalid_argument, "no error");
}

/// "LINE: MESSAGE" of the refusal of a URDF.
std::string refusal(const std::string& text) {
  const Error error = error_in([&] { read_urdf(text); });
  return std::to_string(error.place().line) + ": " + error.message();
}

/// The arm with one piece of its text replaced.
std::string changed(const std::string& from, const std::string& to) {
  std::string text = arm;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Urdf, TellsLinksThatAreOnlyShown) {
  const Robot robot = read_urdf(changed("<link name=\"ground\"/>", "<link name=\"ground\"><visual/></link>"));
  EXPECT_TRUE(robot.links()[0].only_visual);
  EXPECT_FALSE(robot.links()[1].only_visual);
}

TEST(Urdf, ReadsLinksAndJoints) {
  const Robot robot = read_urdf(arm);
  EXPECT_EQ(robot.name(), "arm");
  ASSERT_EQ(robot.links().size(), 3u);
  ASSERT_EQ(robot.joints().size(), 2u);
  EXPECT_EQ(robot.links()[2].name, "tool & flange");
  EXPECT_EQ(robot.links()[0].shapes.size(), 0u);
  for (const Link& link : robot.links()) EXPECT_FALSE(link.only_visual);
  ASSERT_EQ(robot.links()[1].shapes.size(), 2u);
  const LinkShape& box = robot.links()[1].shapes[0];
  EXPECT_EQ(box.name, "box");
  EXPECT_EQ(box.model.triangles().size(), 12u);
  EXPECT_EQ(box.pose.translation(), (Vec3{0, 0, 1}));
  EXPECT_NEAR((box.pose * Vec3{1, 0, 0}).z, 0, 1e-15);  // about y, x goes down
  const Joint& turn = robot.joints()[0];
  EXPECT_EQ(turn.type, JointType::revolute);
  EXPECT_EQ(turn.lower, -1);
  EXPECT_EQ(turn.upper, 2);
  EXPECT_EQ(turn.axis, (Vec3{0, 0, 1}));
  EXPECT_EQ(turn.origin.translation(), (Vec3{0, 0, 1.5}));
  // Roll, pitch and yaw about fixed axes, by the textbook's formula.
  const double cr = std::cos(0.1), sr = std::sin(0.1), cp = std::cos(0.2), sp = std::sin(0.2), cy = std::cos(0.3),
               sy = std::sin(0.3);
  const double expected[3][3] = {{cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr},
                                 {sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr},
                                 {-sp, cp * sr, cp * cr}};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_NEAR(turn.origin.row(i)[j], expected[i][j], 1e-15);
  const Joint& slide = robot.joints()[1];
  EXPECT_EQ(slide.axis, (Vec3{1, 0, 0}));
  EXPECT_EQ(slide.lower, 0);
  EXPECT_EQ(slide.upper, 0.25);
  ASSERT_TRUE(slide.mimic);
  EXPECT_EQ(slide.mimic->joint, "turn");
  EXPECT_EQ(robot.free_joints(), (std::vector<std::size_t>{0}));
  EXPECT_EQ(robot.ignored(), (std::set<std::array<std::size_t, 2>>{{0, 1}, {1, 2}}));
  EXPECT_NEAR((robot.poses(std::array{1.0})[1].inverse() * robot.poses(std::array{1.0})[2]).translation().x, 0, 1e-15);
}

TEST(Urdf, DoesNotDependOnTheLocale) {
  const char* found = std::setlocale(LC_ALL, "de_DE.UTF-8");  // where it is installed, 1.5 is 1,5 to strtod
  const Robot robot = read_urdf(arm);
  if (found) std::setlocale(LC_ALL, "C");
  EXPECT_EQ(robot.joints()[0].origin.translation().z, 1.5);
}

TEST(Urdf, NamesTheLineOfWhatIsWrong) {
  EXPECT_EQ(refusal(""), "1: malformed XML: no element found");
  EXPECT_EQ(refusal("<robot>\n<link name='a'>\n"), "3: malformed XML: no element found");
  EXPECT_EQ(refusal("<robot>\n<link name='a'/>\n</robot>x"), "3: malformed XML: junk after document element");
  EXPECT_EQ(refusal("<mujoco/>"), "1: a URDF begins with <robot>, not with <mujoco>");
  EXPECT_EQ(refusal("<robot/>"), "1: a robot needs a link");
  EXPECT_EQ(refusal(changed("<link name=\"ground\"/>", "<link/>")), "5: <link> has no name");
  EXPECT_EQ(refusal(changed("<link name=\"ground\"/>", "<link name=\"upper\"/>")), "6: two links are named 'upper'");
  EXPECT_EQ(refusal(changed("<link name=\"ground\"/>", "<link name=\"a&#10;b\"/>")),
            "5: the name of a link has a control character");
  EXPECT_EQ(refusal(changed("<geometry><box size=\"1 2 3\"/></geometry>", "")), "9: <collision> has no <geometry>");
  EXPECT_EQ(refusal(changed("<box size=\"1 2 3\"/>", "")), "9: <geometry> must have one shape");
  EXPECT_EQ(refusal(changed("<box size=\"1 2 3\"/>", "<capsule/>")),
            "9: the shape <capsule> is not read, only mesh, box, cylinder and sphere");
  for (const char* bad :
       {"1 2", "1 2 3 4", "1 2 nan", "1 2 inf", "1 2 1e999", "1,5 2 3", "1 2 0x3", "1 2 +-3", "a b c", ""})
    EXPECT_EQ(refusal(changed("size=\"1 2 3\"", "size=\"" + std::string(bad) + "\"")),
              "9: <box>: size must be 3 finite numbers, not '" + std::string(bad) + "'");
  EXPECT_EQ(refusal(changed("size=\"1 2 3\"", "size=\"1 0 3\"")), "9: <box>: size must be three numbers above zero");
  EXPECT_EQ(refusal(changed("size=\"1 2 3\"", "")), "9: <box>: size must be three numbers above zero");
  EXPECT_EQ(refusal(changed("size=\"1 2 3\"", "size=\"1 2 1e150\"")).substr(0, 24), "9: link 'upper': vertex ");
  EXPECT_EQ(refusal(changed("<sphere radius=\"0.5\"/>", "<sphere/>")), "10: <sphere> has no radius");
  EXPECT_EQ(refusal(changed("<sphere radius=\"0.5\"/>", "<sphere radius=\"-1\"/>")),
            "10: <sphere>: radius must be above zero");
  EXPECT_EQ(refusal(changed("xyz=\"0 0 +1.5e0\"", "xyz=\"0 0 1e101\"")),
            "14: the pose's translation must be finite and at most 1e100 in magnitude");
  EXPECT_EQ(refusal(changed("type=\"revolute\"", "type=\"floating\"")),
            "13: joint 'turn' is of the type 'floating'; tumble reads fixed, revolute, continuous and prismatic ones");
  EXPECT_EQ(refusal(changed("<parent link=\"ground\"/>", "")), "13: <joint> has no <parent>");
  EXPECT_EQ(refusal(changed("<parent link=\"ground\"/>", "<parent/>")), "15: <parent> has no link");
  EXPECT_EQ(refusal(changed("<parent link=\"ground\"/>", "<parent link=\"x\"/>")),
            "13: joint 'turn': there is no link 'x'");
  EXPECT_EQ(refusal(changed("<limit upper=\".25\"/>", "")), "18: <joint> has no <limit>");
  EXPECT_EQ(refusal(changed("joint=\"turn\"", "joint=\"x\"")), "18: joint 'slide': it mimics 'x', which is no joint");
  EXPECT_EQ(refusal(changed("<link name=\"ground\"/>", "<link name=\"ground\"/><link name=\"x\"/>")),
            "5: links 'ground' and 'x' both have no joint above them; a robot has one root");
  EXPECT_EQ(refusal(changed("<parent link=\"ground\"/>", "<parent link=\"tool &amp; flange\"/>")).substr(0, 4), "13: ");
  EXPECT_EQ(refusal(changed("<link name=\"ground\"/>", "<xacro:include filename=\"x\"/>")),
            "5: it is a xacro; run xacro first to get a URDF");
  EXPECT_EQ(refusal(changed("<sphere radius=\"0.5\"/>", "<mesh filename=\"a.stl\"/>")),
            "10: the mesh 'a.stl' is in another file, which cannot be followed from memory");
}

TEST(Urdf, RefusesEntitiesDepthAndSize) {
  EXPECT_EQ(
      refusal(
          "<!DOCTYPE robot [\n<!ENTITY a \"aaaaaaaa\"><!ENTITY b \"&a;&a;\">]>\n<robot><link name=\"&b;\"/></robot>"),
      "1: it has a DOCTYPE, which is not read; remove it");
  EXPECT_EQ(refusal("<robot><link name=\"&b;\"/></robot>"), "1: malformed XML: undefined entity");
  std::string deep = "<robot>";
  for (int i = 0; i < 100000; ++i) deep += "<a>";
  EXPECT_EQ(refusal(deep), "1: elements are nested deeper than 128 levels");
  EXPECT_EQ(error_in([&] { read_urdf(std::string((16u << 20) + 1, ' ')); }).message(),
            "it has more than 16 MiB; that is too large for XML that describes a robot");
}

TEST(Urdf, EveryTruncationIsRefused) {
  const std::string text = arm;
  for (std::size_t size = 0; size < text.size(); ++size) error_in([&] { read_urdf(text.substr(0, size)); });
}

TEST(Urdf, LoadsMeshesFromItsFolderAndPackagesOnly) {
  const TempFolder folder;
  fs::create_directories(folder / "robot/meshes");
  fs::create_directories(folder / "packages/parts/sub");
  const char wedge[] = "OFF 4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";
  for (const char* file : {"robot/meshes/wedge.off", "packages/parts/sub/wedge.off", "secret.off"})
    write_text(folder / file, wedge);
  write_text(folder / "robot/bad.off", "OFF 4 4 0\n0 0 0\n1 0 nan\n");
  write_text(folder / "robot/scene.dae", "<COLLADA/>");
  fs::create_symlink(folder / "secret.off", folder / "robot/link.off");
  const std::string file = (folder / "robot/robot.urdf").string();
  const auto load = [&](const std::string& mesh, const std::vector<fs::path>& packages = {}) {
    write_text(file, "<robot name='r'>\n<link name='a'>\n<collision><geometry>\n<mesh filename='" + mesh +
                         "'/></geometry></collision></link></robot>");
    return load_robot(file, {.packages = packages});
  };
  const auto refused = [&](const std::string& mesh, const std::vector<fs::path>& packages = {}) {
    const Error error = error_in([&] { load(mesh, packages); }, file);
    EXPECT_EQ(error.place().line, 4) << error.what();
    return error.message();
  };
  const fs::path packages = folder / "packages", parts = folder / "packages/parts";
  EXPECT_EQ(load("meshes/wedge.off").links()[0].shapes[0].name, "meshes/wedge.off");
  EXPECT_NO_THROW(load("package://meshes/wedge.off"));
  EXPECT_NO_THROW(load("package://parts/sub/wedge.off", {folder / "secret.off", packages}));
  EXPECT_NO_THROW(load("package://parts/sub/wedge.off", {parts}));
  EXPECT_NO_THROW(load("package://parts/sub/wedge.off", {parts / ""}));
  EXPECT_NO_THROW(load("../packages/parts/sub/wedge.off", {parts}));

  const std::string outside = "' is outside the robot's folder and the packages'";
  EXPECT_EQ(refused("../packages/parts/sub/wedge.off"), "the mesh '../packages/parts/sub/wedge.off" + outside);
  EXPECT_EQ(refused("../secret.off"), "the mesh '../secret.off" + outside);
  EXPECT_EQ(refused("../no/such.off"), "the mesh '../no/such.off" + outside);  // not even whether it exists
  EXPECT_EQ(refused("link.off"), "the mesh 'link.off" + outside);
  EXPECT_EQ(refused((folder / "secret.off").string()), "the mesh '" + (folder / "secret.off").string() + outside);
  EXPECT_EQ(refused("package://parts/../../secret.off", {packages}),
            "the mesh 'package://parts/../../secret.off" + outside);
  EXPECT_EQ(refused("package://../secret.off", {packages}),
            "the mesh 'package://../secret.off' does not name a package and a file in it");
  EXPECT_EQ(
      refused("package://other/wedge.off", {packages}),
      "the mesh 'package://other/wedge.off' is in package 'other', which is in none of the folders given; packages "
      "(--package) names where it is");
  EXPECT_EQ(refused("file:///etc/passwd"),
            "the mesh 'file:///etc/passwd' is neither a file beside the robot nor in a package (package://)");
  EXPECT_EQ(refused("none.off"), "link 'a': " + (folder / "robot/none.off").string() + ": there is no such file");
  EXPECT_EQ(refused(std::string(300, 'm')), "the mesh '" + std::string(60, 'm') + "…' is too long for a file's name");
  EXPECT_EQ(refused("bad.off").substr(0, 9), "link 'a':");
  EXPECT_NE(refused("bad.off").find("bad.off, line 3: "), std::string::npos);
  EXPECT_EQ(refused("scene.dae"),
            "link 'a': " + (folder / "robot/scene.dae").string() +
                ": unknown mesh format '.dae'; tumble reads .stl, .obj, .ply, .off, .gltf and .glb");
  EXPECT_EQ(refused(""), "the name of a mesh's file is empty");
  EXPECT_EQ(error_in([&] { load_robot(folder / "none.urdf"); }, (folder / "none.urdf").string()).code(),
            ErrorCode::file_access);
}

TEST(Urdf, BakesScalesAndTurnsMirroredFaces) {
  const TempFolder folder;
  write_text(folder / "wedge.off", "OFF 4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n");
  const auto model = [&](const std::string& scale) {
    write_text(folder / "r.urdf", "<robot><link name='a'><collision><geometry><mesh filename='wedge.off' scale='" +
                                      scale + "'/></geometry></collision></link></robot>");
    return load_robot(folder / "r.urdf").links()[0].shapes[0].model;
  };
  for (const auto& [scale, expected] : std::vector<std::pair<std::string, Vec3>>{
           {"1 1 1", {1, 1, 1}}, {"-1 2 3", {-1, 2, 3}}, {"-1 -2 3", {-1, -2, 3}}, {"-1 -2 -3", {-1, -2, -3}}}) {
    const Model scaled = model(scale);
    double volume = 0;
    Vec3 reach;
    for (const Triangle& t : scaled.triangles())
      volume += dot(scaled.vertices()[t[0]], cross(scaled.vertices()[t[1]], scaled.vertices()[t[2]])) / 6;
    for (const Vec3& v : scaled.vertices()) reach += v;
    EXPECT_EQ(reach, expected) << scale;
    EXPECT_NEAR(volume, std::abs(expected.x * expected.y * expected.z) / 6, 1e-15) << scale;
  }
  EXPECT_EQ(error_in([&] { model("1 0 1"); }, (folder / "r.urdf").string()).message(),
            "the scale of a mesh must not be zero");
  EXPECT_NE(error_in([&] { model("1 1e200 1"); }, (folder / "r.urdf").string()).message().find("as scaled"),
            std::string::npos);
}

TEST(Urdf, SharesAMeshOfTwoLinks) {
  const TempFolder folder;
  write_text(folder / "t.off", "OFF 3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  write_text(folder / "r.urdf",
             R"(<robot><link name="a"><collision><geometry><mesh filename="t.off"/></geometry></collision>
    <collision><geometry><mesh filename="./t.off"/></geometry></collision></link></robot>)");
  const Robot robot = load_robot(folder / "r.urdf");
  EXPECT_EQ(robot.links()[0].shapes[0].model.vertices().data(), robot.links()[0].shapes[1].model.vertices().data());
}

TEST(Urdf, SharesEqualShapes) {
  std::string shapes;
  for (const char* shape : {"<sphere radius='1'/>", "<sphere radius='2'/>", "<cylinder radius='1' length='2'/>",
                            "<cylinder radius='2' length='1'/>", "<box size='1 2 1'/>", "<box size='2 1 1'/>"})
    for (int i = 0; i < 2; ++i) shapes += "<collision><geometry>" + std::string(shape) + "</geometry></collision>";
  const Robot robot = read_urdf("<robot><link name='a'>" + shapes + "</link></robot>");
  std::set<const Vec3*> different;
  const std::vector<LinkShape>& all = robot.links()[0].shapes;
  ASSERT_EQ(all.size(), 12u);
  for (std::size_t i = 0; i < all.size(); ++i) {
    different.insert(all[i].model.vertices().data());
    EXPECT_EQ(all[i].model.vertices().data(), all[i / 2 * 2].model.vertices().data()) << i;
  }
  EXPECT_EQ(different.size(), 6u);
}

TEST(Urdf, RefusesShapesOutOfProportionToTheFile) {
  const auto spheres = [](int count) {
    std::string shapes;
    for (int i = 1; i <= count; ++i)
      shapes += "<collision><geometry><sphere radius='" + std::to_string(i) + "'/></geometry></collision>\n";
    return "<robot><link name='a'>\n" + shapes + "</link></robot>";
  };
  const std::string why = refusal(spheres(1000));
  const std::size_t count = std::stoul(why) - 1, triangles = 2208 * count;
  EXPECT_EQ(why, std::to_string(count + 1) + ": with this one, the robot's " + std::to_string(count) +
                     " different boxes, cylinders and spheres have " + std::to_string(triangles) +
                     " triangles, far more than the file's size justifies; use fewer sizes (equal shapes share one "
                     "mesh) or name a mesh instead");
  EXPECT_GT(count, 500u);
  EXPECT_LT(count, 900u);
}

TEST(Srdf, AddsDisabledPairs) {
  Robot robot = read_urdf(arm);
  const auto read = [&](std::string_view text) { read_srdf(robot, bytes_of(text), "test"); };
  read(
      "<robot name='arm'><group name='g'/><disable_collisions link1='tool &amp; flange' link2='ground' "
      "reason='Never'/></robot>");
  EXPECT_EQ(robot.ignored(), (std::set<std::array<std::size_t, 2>>{{0, 1}, {0, 2}, {1, 2}}));
  const auto refused = [&](std::string_view text) { return error_in([&] { read(text); }).message(); };
  EXPECT_EQ(refused("<robot>\n<disable_collisions link1='x' link2='ground'/></robot>"), "there is no link 'x'");
  EXPECT_EQ(refused("<robot><disable_collisions link1='upper'/></robot>"), "<disable_collisions> has no link2");
  EXPECT_EQ(refused("<sdf/>"), "an SRDF begins with <robot>, not with <sdf>");
  EXPECT_EQ(refused("<robot>"), "malformed XML: no element found");
}

/// A robot of the field, where it is: forward kinematics that somebody else computed, at zero.
TEST(Urdf, AgreesWithTheStoredPosesOfAPanda) {
  const std::optional<fs::path> data = testing::further_meshes();
  if (!data) return;
  const fs::path folder = *data / "robot-panda-mbm";
  Robot robot = load_robot(folder / "panda.urdf");
  load_srdf(robot, folder / "panda.srdf");
  EXPECT_GT(robot.ignored().size(), 20u);
  std::vector<double> zero(robot.free_joints().size());
  EXPECT_EQ(zero.size(), 7u);
  const std::vector<Pose> poses = robot.poses(zero, {.beyond_limits = true});
  const nlohmann::json stored = nlohmann::json::parse(contents_of(folder / "poses_panda.json"));
  std::size_t compared = 0;
  for (const nlohmann::json& instance : stored.at("instances")) {
    const std::size_t link = robot.link(instance.at("body").get<std::string>());
    ASSERT_EQ(robot.links()[link].shapes.size(), 1u);
    const Pose pose = poses[link] * robot.links()[link].shapes[0].pose;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 4; ++j)
        EXPECT_NEAR(pose.rows()[4 * i + j], instance.at("T_world")[i][j].get<double>(), 1e-14);
    ++compared;
  }
  EXPECT_EQ(compared, 11u);
}

}  // namespace
}  // namespace tumble::test
