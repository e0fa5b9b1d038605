// SPDX-License-Identifier: Apache-2.0
// Reads STEP files that OpenCASCADE itself has written: closedness, poses, names, units; and files that are broken.
#include <tumble/step.h>

#include <tumble/error.h>
#include <tumble/mass.h>

#include <gtest/gtest.h>
#include <opencascade/BRepAlgoAPI_Cut.hxx>
#include <opencascade/BRepAlgoAPI_Fuse.hxx>
#include <opencascade/BRepBuilderAPI_MakeEdge.hxx>
#include <opencascade/BRepPrimAPI_MakeBox.hxx>
#include <opencascade/BRepPrimAPI_MakeCone.hxx>
#include <opencascade/BRepPrimAPI_MakeCylinder.hxx>
#include <opencascade/BRepPrimAPI_MakeSphere.hxx>
#include <opencascade/BRepPrimAPI_MakeTorus.hxx>
#include <opencascade/Interface_Static.hxx>
#include <opencascade/Message.hxx>
#include <opencascade/Message_Messenger.hxx>
#include <opencascade/STEPCAFControl_Writer.hxx>
#include <opencascade/STEPControl_Controller.hxx>
#include <opencascade/TDataStd_Name.hxx>
#include <opencascade/TDocStd_Document.hxx>
#include <opencascade/XCAFDoc_DocumentTool.hxx>
#include <opencascade/XCAFDoc_ShapeTool.hxx>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string_view>

namespace tumble {
namespace {

using std::numbers::pi;

gp_Trsf moved(double x, double y, double z, double turn_about_z = 0) {
  gp_Trsf turn, shift;
  turn.SetRotation(gp::OZ(), turn_about_z);
  shift.SetTranslation(gp_Vec(x, y, z));
  return shift * turn;
}

TopoDS_Shape box(double x, double y, double z) { return BRepPrimAPI_MakeBox(x, y, z).Shape(); }
TopoDS_Shape cylinder(double radius, double height) { return BRepPrimAPI_MakeCylinder(radius, height).Shape(); }
TopoDS_Shape block_with_hole() {
  return BRepAlgoAPI_Cut(box(20, 20, 10), cylinder(4, 10).Moved(TopLoc_Location(moved(10, 10, 0)))).Shape();
}

/// A file of one product with products around it: each holds the one before `uses` times, the first the file's own, or,
/// in a ring, the last. OpenCASCADE's writer would write every place of them.
std::string nested(std::string text, int levels, int uses, bool in_a_ring = false) {
  const auto last_argument = [&](std::size_t item) {
    const std::size_t end = text.find(");", item), begin = text.rfind('#', end);
    return text.substr(begin, end - begin);
  };
  const auto item = [&](const char* type) { return text.find(std::string(" = ") + type + "("); };
  const auto id = [&](const char* type) {
    const std::size_t begin = text.rfind('#', item(type));
    return text.substr(begin, text.find(' ', begin) - begin);
  };
  const std::string context = last_argument(item("ADVANCED_BREP_SHAPE_REPRESENTATION"));
  const std::string about = last_argument(item("PRODUCT_DEFINITION")), origin = id("AXIS2_PLACEMENT_3D");
  const auto first_of = [](int level) { return 100000 + 100 * level; };
  const auto number = [](int n) { return "#" + std::to_string(n); };
  std::string more;
  const auto add = [&](int n, const std::string& what) { more += number(n) + " = " + what + ";\n"; };
  for (int level = 1; level <= levels; ++level) {
    const int p = first_of(level), held = first_of(level > 1 ? level - 1 : levels);
    const bool holds_own = level == 1 && !in_a_ring;
    add(p, "PRODUCT('level " + std::to_string(level) + "','','',(" + id("PRODUCT_CONTEXT") + "))");
    add(p + 1, "PRODUCT_DEFINITION_FORMATION('',''," + number(p) + ")");
    add(p + 2, "PRODUCT_DEFINITION('design',''," + number(p + 1) + "," + about + ")");
    add(p + 3, "PRODUCT_DEFINITION_SHAPE('',''," + number(p + 2) + ")");
    std::string places = origin;
    for (int i = 0; i < uses; ++i) {
      const int q = p + 10 + 10 * i;
      add(q, "NEXT_ASSEMBLY_USAGE_OCCURRENCE('" + std::to_string(i) + "','',''," + number(p + 2) + "," +
                 (holds_own ? id("PRODUCT_DEFINITION") : number(held + 2)) + ",$)");
      add(q + 1, "PRODUCT_DEFINITION_SHAPE('',''," + number(q) + ")");
      add(q + 2, "CARTESIAN_POINT('',(" + std::to_string(3 * i) + ".,0.,0.))");
      add(q + 3, "AXIS2_PLACEMENT_3D(''," + number(q + 2) + ",$,$)");
      add(q + 4, "ITEM_DEFINED_TRANSFORMATION('',''," + origin + "," + number(q + 3) + ")");
      add(q + 5, "( REPRESENTATION_RELATIONSHIP('',''," +
                     (holds_own ? id("ADVANCED_BREP_SHAPE_REPRESENTATION") : number(held + 4)) + "," + number(p + 4) +
                     ") REPRESENTATION_RELATIONSHIP_WITH_TRANSFORMATION(" + number(q + 4) +
                     ") SHAPE_REPRESENTATION_RELATIONSHIP() )");
      add(q + 6, "CONTEXT_DEPENDENT_SHAPE_REPRESENTATION(" + number(q + 5) + "," + number(q + 1) + ")");
      places += "," + number(q + 3);
    }
    add(p + 4, "SHAPE_REPRESENTATION('',(" + places + ")," + context + ")");
    add(p + 5, "SHAPE_DEFINITION_REPRESENTATION(" + number(p + 3) + "," + number(p + 4) + ")");
  }
  return text.insert(text.rfind("ENDSEC;"), more);
}

/// A document of shapes and assemblies, and the file it is written to.
class Step : public testing::Test {
 protected:
  Step() : shapes_(XCAFDoc_DocumentTool::ShapeTool(document_->Main())) {
    Message::DefaultMessenger()->ChangePrinters().Clear();
    const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
    file_ = testing::TempDir() + "tumble_" + test->name() + ".step";
  }
  ~Step() override { std::filesystem::remove(file_); }

  TDF_Label product(const char* name, const TopoDS_Shape& shape) {
    const TDF_Label label = shapes_->AddShape(shape, false);
    TDataStd_Name::Set(label, TCollection_ExtendedString(name, true));
    return label;
  }
  TDF_Label assembly(const char* name) {
    const TDF_Label label = shapes_->NewShape();
    TDataStd_Name::Set(label, name);
    return label;
  }
  void place(const TDF_Label& in, const TDF_Label& what, const gp_Trsf& where, const char* name) {
    TDataStd_Name::Set(shapes_->AddComponent(in, what, TopLoc_Location(where)), name);
  }
  void write(const char* units = "MM") {
    shapes_->UpdateAssemblies();
    STEPControl_Controller::Init();
    Interface_Static::SetCVal("write.step.unit", units);
    STEPCAFControl_Writer writer;  // takes the units that are set when it is made
    ASSERT_TRUE(writer.Transfer(document_));
    ASSERT_EQ(writer.Write(file_.c_str()), IFSelect_RetDone);
  }
  StepAssembly read(const StepOptions& options = {}) { return load_step(file_, options); }
  Mesh read_alone(const TopoDS_Shape& shape, const StepOptions& options = {}) {
    product("part", shape);
    write();
    StepAssembly result = read(options);
    EXPECT_EQ(result.assembly.instances.size(), 1u);
    EXPECT_EQ(result.problems, 0u) << result.first_problem;
    return std::move(result.assembly.meshes.at(0));
  }

  std::string text() const {
    std::ifstream in(file_, std::ios::binary);
    return (std::ostringstream() << in.rdbuf()).str();
  }
  void overwrite(const std::string& bytes) { std::ofstream(file_, std::ios::binary) << bytes; }
  /// What is wrong with the file, in one line.
  std::string refusal() {
    try {
      read();
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
      EXPECT_EQ(std::string(error.what()).find(file_.substr(file_.rfind('/') + 1)) != std::string::npos, true);
      return error.what();
    }
    return "none";
  }

  Handle(TDocStd_Document) document_ = new TDocStd_Document("test");
  Handle(XCAFDoc_ShapeTool) shapes_;
  std::string file_;
};

void expect_closed(const Mesh& mesh, double volume, double relative) {
  const MeshSummary facts = summarize(mesh);
  EXPECT_TRUE(facts.closed) << facts.open_edges << " open edges";
  EXPECT_EQ(facts.non_manifold_edges, 0u);
  EXPECT_EQ(facts.points, mesh.vertices.size()) << "every vertex is used, and no two are at one place";
  EXPECT_NEAR(mass_properties(mesh).volume / volume, 1, relative);
}

TEST_F(Step, ABoxIsTwelveTrianglesAndClosed) {
  const Mesh mesh = read_alone(box(1, 2, 3));
  EXPECT_EQ(mesh.triangles.size(), 12u);
  EXPECT_EQ(mesh.vertices.size(), 8u);
  expect_closed(mesh, 6, 1e-12);
}
TEST_F(Step, ABlockWithAHoleIsClosed) { expect_closed(read_alone(block_with_hole()), 4000 - 160 * pi, 0.01); }
TEST_F(Step, ACylinderIsClosedAcrossItsSeam) { expect_closed(read_alone(cylinder(4, 10)), 160 * pi, 0.01); }
TEST_F(Step, ASphereIsClosedAtItsPoles) {
  expect_closed(read_alone(BRepPrimAPI_MakeSphere(5).Shape()), 500 * pi / 3, 0.01);
}
TEST_F(Step, ATorusIsClosedAcrossBothSeams) {
  expect_closed(read_alone(BRepPrimAPI_MakeTorus(10, 2).Shape()), 80 * pi * pi, 0.02);
}
TEST_F(Step, AConeIsClosedAtItsTip) { expect_closed(read_alone(BRepPrimAPI_MakeCone(5, 0, 9).Shape()), 75 * pi, 0.02); }
TEST_F(Step, ASphereGrownIntoABoxIsClosed) {
  const TopoDS_Shape ball = BRepPrimAPI_MakeSphere(5).Shape().Moved(TopLoc_Location(moved(10, 10, 10)));
  const Mesh mesh = read_alone(BRepAlgoAPI_Fuse(box(20, 20, 10), ball).Shape());
  expect_closed(mesh, 4000 + 250 * pi / 3, 0.005);
}

TEST_F(Step, DeflectionBoundsTheDistanceToTheShape) {
  for (const double deflection : {0.5, 0.05, 0.005}) {
    document_ = new TDocStd_Document("test");
    shapes_ = XCAFDoc_DocumentTool::ShapeTool(document_->Main());
    const Mesh mesh = read_alone(BRepPrimAPI_MakeSphere(5).Shape(), {.deflection = deflection, .angle = 90});
    double worst = 0;
    for (const Triangle& t : mesh.triangles) {
      const Vec3 a = mesh.vertices[t[0]], b = mesh.vertices[t[1]], c = mesh.vertices[t[2]];
      worst = std::max(worst, 5 - std::hypot((a.x + b.x + c.x) / 3, (a.y + b.y + c.y) / 3, (a.z + b.z + c.z) / 3));
    }
    EXPECT_LE(worst, 2 * deflection);  // OpenCASCADE itself allows some more at places
    EXPECT_GT(worst, deflection / 20);
  }
}

TEST_F(Step, InstancesShareAMeshAndHaveNamesAndPoses) {
  const TDF_Label bolt = product("bolt", cylinder(1, 5)), plate = product("Plättchen", box(10, 10, 1));
  const TDF_Label pair = assembly("pair"), root = assembly("machine");
  place(pair, bolt, moved(2, 0, 0), "left");
  place(pair, bolt, moved(4, 0, 0), "NAUO7");
  place(root, pair, moved(0, 10, 0, pi / 2), "first");
  place(root, pair, moved(0, 0, 30), "=>[0:1:1:3]");
  place(root, plate, moved(0, 0, 0), "");
  write();
  const StepAssembly read_back = read();
  const Assembly& all = read_back.assembly;
  std::vector<std::string> names;
  for (const Instance& instance : all.instances) names.push_back(instance.name);
  EXPECT_EQ(names, (std::vector<std::string>{"first/left", "first/bolt", "pair/left", "pair/bolt", "Plättchen"}));
  EXPECT_EQ(all.meshes.size(), 2u);
  for (int i = 1; i < 4; ++i) EXPECT_EQ(all.instances[std::size_t(i)].mesh, all.instances[0].mesh);
  const Pose& turned = all.instances[1].pose;  // (4, 0, 0) turned about z is (0, 4, 0), then up by 10 along y
  EXPECT_NEAR(turned.translation().x, 0, 1e-12);
  EXPECT_NEAR(turned.translation().y, 14, 1e-12);
  EXPECT_EQ(all.instances[3].pose.translation(), (Vec3{4, 0, 30}));
  EXPECT_DOUBLE_EQ(read_back.deflection, std::max(std::sqrt(201.0) / 1000, read_back.deflection));
}

TEST_F(Step, UnitsBecomeMillimetres) {
  for (const char* units : {"MM", "M", "INCH"}) {
    document_ = new TDocStd_Document("test");
    shapes_ = XCAFDoc_DocumentTool::ShapeTool(document_->Main());
    product("box", box(25.4, 1000, 1));
    write(units);
    const Box extent = bounding_box(read().assembly.meshes[0]);
    EXPECT_NEAR(extent.upper.x, 25.4, 1e-9) << units;
    EXPECT_NEAR(extent.upper.y, 1000, 1e-9) << units;
  }
}

TEST_F(Step, ProductsWithoutFacesAreLeftOutAndCounted) {
  product("curve", BRepBuilderAPI_MakeEdge(gp_Pnt(0, 0, 0), gp_Pnt(1, 0, 0)).Shape());
  product("box", box(1, 1, 1));
  write();
  const StepAssembly result = read();
  ASSERT_EQ(result.assembly.instances.size(), 1u);
  EXPECT_EQ(result.assembly.instances[0].name, "box");
}

TEST_F(Step, BrokenFilesAreRefused) {
  product("box", block_with_hole());
  write();
  const std::string good = text();
  overwrite("");
  EXPECT_NE(refusal().find("no STEP file"), std::string::npos);
  overwrite("garbage");
  EXPECT_NE(refusal().find("no STEP file"), std::string::npos);
  overwrite("ISO-10303-21;\nEND-ISO-10303-21;\n");
  EXPECT_NE(refusal(), "none");
  overwrite(std::string("ISO-10303-21;\n") + std::string(5000, '\0') + "END-ISO-10303-21;\n");
  EXPECT_NE(refusal(), "none");
  for (std::size_t part = 1; part < 20; ++part) {
    overwrite(good.substr(0, good.size() * part / 20));
    EXPECT_NE(refusal().find("cut off"), std::string::npos);
  }
  std::filesystem::remove(file_);
  EXPECT_NE(refusal().find("cannot read"), std::string::npos);
}

TEST_F(Step, ReferencesThatLeadNowhereAreRefused) {  // on which OpenCASCADE crashes
  product("box", box(1, 2, 3));
  write();
  const std::string good = text();
  std::size_t tried = 0;
  for (std::size_t at = good.find("FACE"); (at = good.find(",#", at + 1)) != good.npos && tried < 20; ++tried) {
    overwrite(std::string(good).replace(at, 2, ",#9999"));
    EXPECT_NE(refusal().find("malformed"), std::string::npos) << good.substr(at, 20);
  }
  EXPECT_EQ(tried, 20u);
}

TEST_F(Step, HugeNumbersAreRefused) {
  product("box", box(1, 2, 3));
  write();
  std::string huge = text();
  constexpr std::string_view point = "CARTESIAN_POINT('',(";
  for (std::size_t at = 0; (at = huge.find(point, at)) != huge.npos;) {
    at += point.size();
    huge.replace(at, huge.find(',', at) - at, "9.E300");
  }
  overwrite(huge);
  EXPECT_NE(refusal(), "none");
}

/// Each product holds the next one twice: in a file of n products, the last has 2^n places.
TEST_F(Step, DoublingsWithoutAnEndAreRefused) {
  for (const auto& [levels, places] : {std::pair{10, 1 << 10}, {30, 0}, {120, 0}}) {
    document_ = new TDocStd_Document("test");
    shapes_ = XCAFDoc_DocumentTool::ShapeTool(document_->Main());
    product("box", box(1, 1, 1));
    write();
    overwrite(nested(text(), levels, 2));
    if (places > 0)
      EXPECT_EQ(read().assembly.instances.size(), std::size_t(places));
    else
      EXPECT_NE(refusal().find("places products more than 1000000 times"), std::string::npos) << levels;
  }
}

TEST_F(Step, AssembliesInThemselvesAndDeepOnesAreRefused) {
  product("box", box(1, 1, 1));
  write();
  const std::string alone = text();
  overwrite(nested(alone, 100, 1));
  EXPECT_EQ(read().assembly.instances.size(), 1u);
  overwrite(nested(alone, 300, 1));
  EXPECT_NE(refusal().find("deeper than 256 levels"), std::string::npos);
  overwrite(nested(alone, 5, 1, true));
  EXPECT_NE(refusal().find("a part of itself"), std::string::npos);
}

/// Neither read nor left out without a word, whether the other file is there or not.
TEST_F(Step, OtherFilesAreNotOpened) {
  const TDF_Label bolt = product("bolt", cylinder(1, 5)), plate = product("plate", box(10, 10, 1));
  const TDF_Label root = assembly("machine");
  place(root, bolt, moved(2, 0, 0), "bolt");
  place(root, plate, moved(0, 0, 0), "plate");
  shapes_->UpdateAssemblies();
  STEPCAFControl_Writer writer;
  ASSERT_TRUE(writer.Transfer(document_, STEPControl_AsIs, "tumble_other_"));
  ASSERT_EQ(writer.Write(file_.c_str()), IFSelect_RetDone);
  std::vector<std::string> others;
  for (const auto& entry : std::filesystem::directory_iterator(testing::TempDir()))
    if (entry.path().filename().string().starts_with("tumble_other_")) others.push_back(entry.path().filename());
  ASSERT_EQ(others.size(), 2u);
  EXPECT_NE(refusal().find("refers to another file ('tumble_other_"), std::string::npos);
  std::string far = text();
  for (const std::string& other : others) std::filesystem::remove(testing::TempDir() + other);
  EXPECT_NE(refusal().find("refers to another file ('tumble_other_"), std::string::npos);
  for (const std::string& other : others)
    for (std::size_t at = 0; (at = far.find(other, at)) != far.npos;) far.replace(at, other.size(), "../../etc/passwd");
  overwrite(far);
  EXPECT_NE(refusal().find("refers to another file ('../../etc/passwd')"), std::string::npos);
}

TEST_F(Step, OptionsAreChecked) {
  product("box", box(1, 2, 3));
  write();
  const auto refused = [&](const StepOptions& options, std::string_view what) {
    try {
      read(options);
    } catch (const Error& error) {
      return std::string_view(error.what()).find(what) != std::string_view::npos;
    }
    return false;
  };
  for (const double bad : {0.0, -1.0, 1e-100, 9.9e-8, 2e100, double(NAN)})
    EXPECT_TRUE(refused({.deflection = bad}, "the deflection of a STEP file must be at least 1e-7 mm")) << bad;
  for (const double bad : {0.0, 91.0, double(NAN)})
    EXPECT_TRUE(refused({.angle = bad}, "the angle of a STEP file must be from 0.1 to 90 degrees")) << bad;
  EXPECT_EQ(read({.deflection = StepOptions::least_deflection}).assembly.meshes.at(0).triangles.size(), 12u);
}

}  // namespace
}  // namespace tumble
