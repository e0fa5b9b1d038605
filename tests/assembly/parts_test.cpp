// SPDX-License-Identifier: Apache-2.0
#include "assembly/parts_file.h"
#include "assembly/unique_names.h"
#include "io/helpers.h"
#include "scenes/random.h"

#include <tumble/parts.h>
#include <tumble/rotation.h>

#include <gtest/gtest.h>

#include <functional>
#include <regex>
#include <string>
#include <vector>

namespace tumble::test {
namespace {

const char wedge[] = "OFF 4 4 0\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

class PartsTest : public ::testing::Test {
 protected:
  PartsTest() {
    std::filesystem::create_directories(folder / "set/meshes");
    write_text(folder / "set/meshes/wedge.off", wedge);
    write_text(folder / "outside.off", wedge);
  }

  Parts load(const std::string& text) const {
    write_text(folder / "set/PARTS.json", text);
    return load_parts(folder / "set/PARTS.json");
  }

  std::string refusal(const std::string& text) const {
    try {
      load(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, (folder / "set/PARTS.json").string()) << error.what();
      return error.message();
    }
    ADD_FAILURE() << "was accepted: " << text;
    return "";
  }

  /// The refusal of one part with these members.
  std::string refusal_of_part(const std::string& members) const {
    return refusal(R"({"units": "mm", "parts": [)" + members + "]}");
  }

  const TempFolder folder;
};

TEST_F(PartsTest, ReadsAllMembers) {
  const Parts parts = load(R"({"units": "mm", "parts": [
    {"name": "lid", "mesh": "meshes/wedge.off", "pose": [0, -1, 0, 5, 1, 0, 0, 6, 0, 0, 1, 7], "scale": 2,
     "group": "cover", "moves": false},
    {"name": "hinge", "mesh": "meshes/../meshes/wedge.off", "scale": [1, -2, 3], "group": "cover", "moves": false},
    {"name": "hinge", "mesh": "meshes/wedge.off"},
    {"name": "hinge#2", "mesh": "meshes/wedge.off"}],
    "ignore": [["lid", "hinge*"], ["cover", "?inge#2*"]]})");
  EXPECT_EQ(parts.units, "mm");
  ASSERT_EQ(parts.parts.size(), 4u);
  const PlacedPart &lid = parts.parts[0], &mirrored = parts.parts[1], &third = parts.parts[2];
  EXPECT_EQ(lid.name, "lid");
  EXPECT_EQ(lid.pose * Vec3(1, 0, 0), (Vec3{5, 7, 7}));
  EXPECT_EQ(lid.group, "cover");
  EXPECT_FALSE(lid.moves);
  EXPECT_TRUE(third.moves);
  EXPECT_TRUE(third.pose.is_identity());
  EXPECT_EQ(third.group, "");
  EXPECT_EQ(mirrored.name, "hinge");
  EXPECT_EQ(third.name, "hinge#2");
  EXPECT_EQ(parts.parts[3].name, "hinge#2#2");
  EXPECT_EQ(third.model.vertices().data(), parts.parts[3].model.vertices().data());  // one model for both
  double volume = 0;
  for (const Triangle& t : mirrored.model.triangles()) {
    const auto v = mirrored.model.vertices();
    volume += dot(v[t[0]], cross(v[t[1]], v[t[2]])) / 6;
  }
  EXPECT_DOUBLE_EQ(volume, 1);
  ASSERT_EQ(parts.ignore.size(), 2u);
  EXPECT_EQ(parts.ignore[0], (std::array<std::string, 2>{"lid", "hinge*"}));
}

TEST_F(PartsTest, RefusesWhatIsWrong) {
  const std::string good = R"({"name": "a", "mesh": "meshes/wedge.off")";
  EXPECT_EQ(refusal(""), "the file is empty");
  EXPECT_EQ(refusal(" "), "malformed JSON");
  EXPECT_EQ(refusal("[]"), "the file: it must be an object");
  EXPECT_EQ(refusal(R"({"parts": []})"), "units: it is missing: one of m, cm, mm, um, in and ft");
  EXPECT_EQ(refusal(R"({"units": 1, "parts": []})"), "units: there must be a text of this name");
  EXPECT_EQ(refusal(R"({"units": "furlong", "parts": []})"), "units: 'furlong' is none of m, cm, mm, um, in and ft");
  EXPECT_EQ(refusal(R"({"units": "m"})"), "parts: there must be a list of this name");
  EXPECT_EQ(refusal(R"({"units": "m", "parts": []})"), "parts: there are none");
  EXPECT_EQ(refusal(R"({"units": "m", "parts": [], "parst": []})"),
            "the file: the member 'parst' is not known; did you mean 'parts'?");
  EXPECT_EQ(refusal(R"({"units": "m", "parts": [], "units": "mm"})"),
            "the member 'units' is there twice in one object");
  EXPECT_EQ(refusal_of_part(good + R"(, "scale": 1, "\u0073cale": 2})"),
            "the member 'scale' is there twice in one object");
  EXPECT_EQ(refusal_of_part("1"), "parts[0]: it must be an object");
  EXPECT_EQ(refusal_of_part(good + "}, {}"), "parts[1]: name: there must be a text of this name");
  EXPECT_EQ(refusal_of_part(R"({"name": "a", "mesh": 1})"), "parts[0] 'a': mesh: there must be a text of this name");
  EXPECT_EQ(refusal_of_part(R"({"name": "", "mesh": "a"})"), "parts[0]: name: it is empty");
  EXPECT_EQ(refusal_of_part(R"({"name": "a\nb", "mesh": "a"})"), "parts[0]: name: it has a control character");
  EXPECT_EQ(refusal_of_part(good + R"(, "Pose": []})"),
            "parts[0]: the member 'Pose' is not known; did you mean 'pose'?");
  EXPECT_EQ(refusal_of_part(good + R"(, "pose": [1,0,0,0, 0,1,0,0, 0,0,1,1e999]})"),
            "malformed JSON: a number is too large");
  EXPECT_EQ(refusal_of_part(good + R"(, "pose": [-1,0,0,0, 0,1,0,0, 0,0,1,0]})").substr(0, 38),
            "parts[0] 'a': pose: the pose mirrors (");
  EXPECT_EQ(refusal_of_part(good + R"(, "scale": 0})"), "parts[0] 'a': scale: it must be finite and not zero");
  EXPECT_EQ(refusal_of_part(good + R"(, "scale": [1, 2]})"),
            "parts[0] 'a': scale: it must be a list of 3 finite numbers");
  EXPECT_EQ(refusal_of_part(good + R"(, "moves": 1})"), "parts[0] 'a': moves: it must be true or false");
  EXPECT_EQ(refusal(R"({"units": "m", "parts": [)" + good + R"(}], "ignore": [["a"]]})"),
            "ignore[0]: it must be a list of two patterns for names");
  EXPECT_EQ(refusal(R"({"units": "m", "parts": [)" + good + R"(}], "ignore": [["a", "b*"]]})"),
            "ignore[0]: no part or group fits 'b*'");
  EXPECT_EQ(refusal_of_part(good + R"(, "group": "g"}, )" + good + R"(, "group": "g", "moves": false})"),
            "of the group 'g' some parts move and some do not; a group moves as one");
  const std::string longest(4096, 'a'), shown = "'" + longest.substr(0, 60) + "…'";
  const std::string too_long = shown + " is longer than 4096 bytes", named = R"({"name": ")" + longest;
  EXPECT_EQ(refusal_of_part(named + R"(a", "mesh": "m"})"), "parts[0]: name: " + too_long);
  EXPECT_EQ(refusal_of_part(good + R"(, "group": ")" + longest + "a\"}"), "parts[0] 'a': group: " + too_long);
  EXPECT_EQ(refusal(R"({"units": "m", "parts": [)" + good + R"(}], "ignore": [["a", ")" + longest + "a\"]]}"),
            "ignore[0]: " + too_long);
  EXPECT_EQ(refusal(R"({"units": "m", "parts": [)" + good + R"(}], "ignore": [["a", ")" + longest + "\"]]}"),
            "ignore[0]: no part or group fits " + shown);
  EXPECT_EQ(refusal_of_part(named + R"(", "mesh": "none"})").find("parts[0] " + shown + ": "), 0u);
  EXPECT_EQ(refusal(std::string(100000, '[')), "JSON nested deeper than 128 levels");
  const auto mesh = [&](const std::string& name) {
    return refusal_of_part(R"({"name": "a", "mesh": ")" + name + "\"}");
  };
  EXPECT_EQ(mesh("../outside.off"), "parts[0] 'a': the mesh '../outside.off' is outside the file's own folder");
  EXPECT_EQ(mesh((folder / "outside.off").string()),
            "parts[0] 'a': the mesh '" + (folder / "outside.off").string() + "' is outside the file's own folder");
  EXPECT_EQ(mesh("none.off"), "parts[0] 'a': " + (folder / "set/none.off").string() + ": there is no such file");
  for (const std::size_t size : {300, 5000})
    EXPECT_EQ(mesh(std::string(size, 'm')),
              "parts[0] 'a': the mesh '" + std::string(60, 'm') + "…' is too long for a file's name");
  write_text(folder / "set/bad.off", "OFF 3 1 0\n0 0 0\n0 0 x\n");
  EXPECT_NE(mesh("bad.off").find("set/bad.off, line 3: "), std::string::npos);
}

TEST_F(PartsTest, RefusesScalesOutOfProportionToTheFiles) {
  constexpr int faces = 20'000;
  std::string mesh = "OFF 3 " + std::to_string(faces) + " 0\n0 0 0\n1 0 0\n0 1 0\n";
  for (int i = 0; i < faces; ++i) mesh += "3 0 1 2\n";
  write_text(folder / "set/large.off", mesh);
  const auto scaled = [](int count) {
    std::string parts;
    for (int i = 1; i <= count; ++i)
      parts += std::string(i > 1 ? "," : "") + R"({"name": "copy", "mesh": "large.off", "scale": )" +
               std::to_string(i) + "}";
    return R"({"units": "mm", "parts": [)" + parts + "]}";
  };
  EXPECT_EQ(load(scaled(20)).parts.size(), 20u);
  // 2^20 triangles, and one for each byte of the mesh.
  const std::size_t count = ((std::size_t{1} << 20) + mesh.size()) / faces + 2;
  EXPECT_EQ(refusal(scaled(100)),
            "parts[" + std::to_string(count - 1) + "] 'copy': " + (folder / "set/large.off").string() +
                ": this mesh is asked for at " + std::to_string(count) + " scales so far, and all scaled copies have " +
                std::to_string((count - 1) * faces) +
                " triangles, far more than the sizes of the files justify; use fewer scales, or store each scaled mesh "
                "in a file of its own");
}

TEST_F(PartsTest, TakesPosesAsACommandLineDoes) {
  const auto pose = [&](const std::string& text) {
    const PartsFile file =
        read_parts_file({"test", R"({"units": "m", "parts": [{"name": "a", "mesh": "m", "pose": )" + text + "}]}", {}});
    return file.parts[0].pose;
  };
  // A quarter turn about z, exactly.
  const Pose turned = Pose::from_rows(std::array<double, 12>{0, -1, 0, 0.5, 1, 0, 0, 6, 0, 0, 1, 7});
  for (const char* text :
       {"[0,-1,0,0.5, 1,0,0,6, 0,0,1,7]", "[0,-1,0,0.5, 1,0,0,6, 0,0,1,7, 0,0,0,1]", R"("0.5 6 7 yaw 90")",
        R"("translation 0.5 6 7, axis 0 0 2, angle 90")", R"("t=(0.5, 6, 7) rpy 0 0 90deg")",
        R"({"translation": [0.5, 6, 7], "yaw": 90})", R"({"yaw": [90], "translation": [0.5, 6, 7]})",
        R"({"translation": [0.5, 6, 7], "axis": [0, 0, 3], "angle": "90deg"})",
        R"({"translation": [0.5, 6, 7], "rpy": [0, 0, 90]})",
        R"({"translation": [0.5, 6, 7], "euler": ["XYZ", 0, 0, 90]})"})
    EXPECT_EQ(pose(text), turned) << text;
  EXPECT_EQ(pose("[0.5, 6, 7]"), Pose::from_translation({0.5, 6, 7}));
  EXPECT_EQ(pose(R"({"quaternion": [1, 2, 3, 4]})"), Pose::from_quaternion(1, 2, 3, 4, {}));
  EXPECT_EQ(pose(R"({"xyzw": [2, 3, 4, 1]})"), Pose::from_quaternion(1, 2, 3, 4, {}));
  EXPECT_EQ(pose(R"({"roll": 10, "pitch": 20, "yaw": 30})"), pose_from_euler("xyz", {10, 20, 30}));
  EXPECT_EQ(pose(R"({"euler": ["zyx", 10, "20", 30]})"), pose_from_euler("zyx", {10, 20, 30}));

  const auto refused = [&](const std::string& pattern, const std::string& text) {
    const std::string said = refusal_of_part(R"({"name": "lid", "mesh": "meshes/wedge.off", "pose": )" + text + "}");
    EXPECT_TRUE(std::regex_search(said, std::regex("^parts\\[0\\] 'lid': pose: " + pattern))) << text << "\n" << said;
  };
  for (const char* text : {"1", "true", "null"}) refused("it must be a list of 12 numbers.*or an object such as", text);
  refused("a pose is 12 numbers.*not 0", "[]");
  refused("a pose is 12 numbers.*not 0", "{}");
  refused("a pose is 12 numbers.*not 0", "\"\"");
  refused("a pose is 12 numbers.*not 2", "[1, 2]");
  refused("a pose is 12 numbers.*here are more than 16", "[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1, 0]");
  refused("a list must hold numbers", R"([1,0,0,0, 0,1,0,0, 0,0,1,"0"])");
  refused("a list must hold numbers.*row after row", "[[1,0,0,0], [0,1,0,0], [0,0,1,0]]");
  refused("the pose is not rigid.*rounded to fewer than five digits", "[0.707,-0.707,0,0, 0.707,0.707,0,0, 0,0,1,0]");
  refused("'yow' is not a number.*did you mean 'yaw'", R"("yow 90")");
  refused("'@pose.txt' is not a number", R"("@pose.txt")");
  refused("'quat' is not one of translation.*did you mean 'quaternion'", R"({"quat": [1, 0, 0, 0]})");
  refused("quaternion takes 4 numbers, not 3", R"({"quaternion": [1, 0, 0]})");
  refused("translation takes 3 numbers, and here are more", R"({"translation": [1, 0, 0, 0]})");
  refused("translation: it must be a number or a list", R"({"translation": ["yaw", 1, 2]})");
  refused("translation: it must be a number or a list", R"({"translation": {"x": 1}})");
  refused("yaw: it must be a number or a list", R"({"yaw": null})");
  refused("yaw: it must be a number or a list", R"({"yaw": [[90]]})");
  refused("euler: it must be a list of axes and numbers", R"({"euler": ["XYZ", true, 0, 0]})");
  refused("the axes of Euler angles", R"({"euler": [1, 2, 3]})");
  refused("an axis and an angle go together", R"({"axis": [0, 0, 1]})");
  refused("it turns in more than one way", R"({"yaw": 1, "quaternion": [1, 0, 0, 0]})");
  refused("an angle must be finite", R"({"yaw": "inf"})");
}

TEST_F(PartsTest, EveryTruncationIsRefused) {
  const std::string text =
      R"({"units": "mm", "parts": [{"name": "a", "mesh": "m", "pose": [1,0,0,0, 0,1,0,0, 0,0,1,0]}],
    "ignore": [["a", "b"]]})";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const std::string head = text.substr(0, size);
    EXPECT_THROW(read_parts_file({"test", head, {}}), Error) << head;
  }
  EXPECT_NO_THROW(read_parts_file({"test", text, {}}));
}

TEST(UniqueNames, NumbersWhatIsTaken) {
  UniqueNames unique;
  std::vector<std::string> names;
  for (const char* name : {"bolt", "bolt", "bolt#3", "bolt", "nut", "bolt#3", "bolt"}) names.push_back(unique(name));
  EXPECT_EQ(names, (std::vector<std::string>{"bolt", "bolt#2", "bolt#3", "bolt#4", "nut", "bolt#3#2", "bolt#5"}));
}

TEST(Patterns, FitAsRegularExpressionsSay) {
  const std::uint64_t seed = 7;
  SCOPED_TRACE("seed " + std::to_string(seed));
  scenes::Random random(seed);
  const auto word = [&](std::string_view letters) {
    std::string text;
    for (std::size_t size = random.index(7); text.size() < size;) text += letters[random.index(letters.size())];
    return text;
  };
  std::size_t fitting = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string name = word("ab."), pattern = word("ab.**?");
    std::string expression;
    for (const char c : pattern) expression += c == '*' ? ".*" : c == '?' ? "." : c == '.' ? "\\." : std::string(1, c);
    const bool expected = std::regex_match(name, std::regex(expression));
    EXPECT_EQ(fits(name, pattern), expected) << name << " " << pattern;
    fitting += expected;
  }
  EXPECT_GT(fitting, 300u);
  const std::string many_a(5000, 'a');
  std::string many_stars;
  for (int i = 0; i < 500; ++i) many_stars += "*a";
  EXPECT_FALSE(fits(many_a, many_stars + "b"));  // at once: not by trying every division

  PlacedPart part{"bolt", Model(Mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}}, {}})};
  EXPECT_TRUE(fits(part, "b*") && !fits(part, ""));  // no group is not a group of no name
  part.group = "lid";
  EXPECT_TRUE(fits(part, "b*") && fits(part, "lid") && !fits(part, "lid bolt"));
}

}  // namespace
}  // namespace tumble::test
