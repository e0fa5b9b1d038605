// SPDX-License-Identifier: Apache-2.0
#include "io/helpers.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace tumble::test {
namespace {

using Json = nlohmann::json;

std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j) bits = bits << 8 | (i + j < bytes.size() ? std::uint8_t(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += i + j > bytes.size() ? '=' : digits[bits >> (18 - 6 * j) & 63];
  }
  return text;
}

/// Four corners of a square (48 bytes), then the indices 0 1 2 0 2 3 as bytes, shorts and ints.
std::string square_bytes() {
  std::string bytes = pack(0.f, 0.f, 0.f, 1.f, 0.f, 0.f, 1.f, 1.f, 0.f, 0.f, 1.f, 0.f);
  for (const int i : {0, 1, 2, 0, 2, 3}) bytes += pack(static_cast<std::uint8_t>(i));
  bytes += "..";
  for (const int i : {0, 1, 2, 0, 2, 3}) bytes += pack(static_cast<std::uint16_t>(i));
  for (const int i : {0, 1, 2, 0, 2, 3}) bytes += pack(static_cast<std::uint32_t>(i));
  return bytes;
}

Json square_document() {
  Json json = Json::parse(R"({"asset": {"version": "2.0"}, "scene": 0, "scenes": [{"nodes": [0]}],
    "nodes": [{"mesh": 0, "name": "node"}],
    "meshes": [{"name": "mesh", "primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
    "accessors": [{"bufferView": 0, "componentType": 5126, "count": 4, "type": "VEC3"},
                  {"bufferView": 1, "componentType": 5121, "count": 6, "type": "SCALAR"}],
    "bufferViews": [{"buffer": 0, "byteLength": 48}, {"buffer": 0, "byteOffset": 48, "byteLength": 44}]})");
  const std::string bytes = square_bytes();
  json["buffers"] = {{{"byteLength", bytes.size()}, {"uri", "data:application/octet-stream;base64," + base64(bytes)}}};
  return json;
}

std::string glb(const Json& json, std::string_view binary) {
  std::string text = json.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  return "glTF" + pack(2u, std::uint32_t(28 + text.size() + binary.size()), std::uint32_t(text.size())) + "JSON" +
         text + pack(std::uint32_t(binary.size())) + std::string("BIN\0", 4) + std::string(binary);
}

Mesh gltf(const Json& json) { return read(json.dump(), MeshFormat::gltf); }
Assembly gltf_parts(const Json& json) { return read_parts(json.dump(), MeshFormat::gltf); }
Error gltf_error(const Json& json) { return error_of(json.dump(), MeshFormat::gltf); }

const std::vector<Vec3> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
const std::vector<Triangle> halves{{0, 1, 2}, {0, 2, 3}};

TEST(Gltf, ReadsTextAndBinary) {
  Json json = square_document();
  EXPECT_EQ(gltf(json), (Mesh{corners, halves, {{"node", 0, 2}}}));
  EXPECT_EQ(read("\xEF\xBB\xBF" + json.dump(2), MeshFormat::glb).triangles, halves);
  json["buffers"][0].erase("uri");
  EXPECT_EQ(read(glb(json, square_bytes()), MeshFormat::glb), (Mesh{corners, halves, {{"node", 0, 2}}}));
  EXPECT_EQ(read(glb(json, square_bytes()), MeshFormat::gltf).triangles, halves);  // told by content
}

TEST(Gltf, ReadsAllIndexTypes) {
  Json json = square_document();
  for (const auto& [type, offset] : {std::pair{5121, 0}, {5123, 8}, {5125, 20}}) {
    json["accessors"][1]["componentType"] = type;
    json["accessors"][1]["byteOffset"] = offset;
    EXPECT_EQ(gltf(json).triangles, halves);
  }
  json["accessors"][1]["componentType"] = 5122;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::file_format);
}

TEST(Gltf, ReadsStripsFansAndBareVertices) {
  Json json = square_document();
  Json& primitive = json["meshes"][0]["primitives"][0];
  primitive.erase("indices");
  primitive["mode"] = 6;
  EXPECT_EQ(gltf(json).triangles, halves);
  primitive["mode"] = 5;
  EXPECT_EQ(gltf(json).triangles, (std::vector<Triangle>{{0, 1, 2}, {2, 1, 3}}));
  primitive["mode"] = 4;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::file_format);  // four corners are no triangles
  json["accessors"][0]["count"] = 3;
  EXPECT_EQ(gltf(json).triangles, (std::vector<Triangle>{{0, 1, 2}}));
  primitive["mode"] = 1;
  EXPECT_EQ(gltf_error(json).message(), "it has no triangles");
  primitive["mode"] = 7;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::file_format);
}

TEST(Gltf, PrimitivesShareVertices) {
  Json json = square_document();
  Json& primitives = json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  const Mesh mesh = gltf(json);
  EXPECT_EQ(mesh.vertices.size(), 4u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
}

TEST(Gltf, HonoursStrides) {
  Json json = square_document();
  std::string bytes;
  for (const Vec3& v : corners) bytes += pack(float(v.x), float(v.y), float(v.z), 9.f, 9.f);
  json["buffers"].push_back({{"byteLength", bytes.size()}, {"uri", "data:;base64," + base64(bytes)}});
  json["bufferViews"][0] = {{"buffer", 1}, {"byteLength", 80}, {"byteStride", 20}};
  EXPECT_EQ(gltf(json).vertices, corners);
  json["bufferViews"][0]["byteLength"] = 72;  // the last element needs no padding behind it
  EXPECT_EQ(gltf(json).vertices, corners);
  json["bufferViews"][0]["byteLength"] = 71;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::file_format);
  json["bufferViews"][0] = {{"buffer", 1}, {"byteLength", 80}, {"byteStride", 8}};
  EXPECT_EQ(gltf_error(json).message(), "accessors[0]: its byteStride is smaller than an element");
}

TEST(Gltf, ReadsSparseAccessors) {
  Json json = square_document();
  const std::string bytes = pack(std::uint16_t{1}, std::uint16_t{3}, 5.f, 6.f, 7.f, 8.f, 9.f, 10.f);
  json["buffers"].push_back({{"byteLength", bytes.size()}, {"uri", "data:;base64," + base64(bytes)}});
  json["bufferViews"].push_back({{"buffer", 1}, {"byteLength", 4}});
  json["bufferViews"].push_back({{"buffer", 1}, {"byteOffset", 4}, {"byteLength", 24}});
  json["accessors"][0]["sparse"] = {
      {"count", 2}, {"indices", {{"bufferView", 2}, {"componentType", 5123}}}, {"values", {{"bufferView", 3}}}};
  EXPECT_EQ(gltf(json).vertices, (std::vector<Vec3>{{0, 0, 0}, {5, 6, 7}, {1, 1, 0}, {8, 9, 10}}));
  json["accessors"][0].erase("bufferView");
  EXPECT_EQ(gltf(json).vertices, (std::vector<Vec3>{{0, 0, 0}, {5, 6, 7}, {0, 0, 0}, {8, 9, 10}}));
  json["accessors"][0]["count"] = 3;
  EXPECT_EQ(gltf_error(json).message(), "accessors[0]: a sparse index is out of range");
  json["accessors"][0]["count"] = 4;
  json["accessors"][0]["sparse"]["count"] = 3;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::file_format);
}

TEST(Gltf, NodesPlaceInstances) {
  Json json = square_document();
  json["nodes"] = Json::parse(R"([
    {"translation": [10, 0, 0], "children": [1, 2]},
    {"mesh": 0, "rotation": [0, 0, 0.7071067811865476, 0.7071067811865476], "translation": [0, 5, 0]},
    {"mesh": 0, "name": "second", "matrix": [1,0,0,0, 0,1,0,0, 0,0,1,0, 1,2,3,1]},
    {"mesh": 0, "name": "not in the scene"}])");
  const Assembly assembly = gltf_parts(json);
  ASSERT_EQ(assembly.instances.size(), 2u);
  EXPECT_EQ(assembly.meshes.size(), 1u);
  EXPECT_EQ(assembly.instances[0].name, "mesh");
  EXPECT_EQ(assembly.instances[1].name, "second");
  EXPECT_EQ(assembly.instances[1].pose, Pose::from_translation({11, 2, 3}));
  const Vec3 p = assembly.instances[0].pose * Vec3{1, 0, 0};
  EXPECT_NEAR(p.x, 10, 1e-12);
  EXPECT_NEAR(p.y, 6, 1e-12);
  json["meshes"][0].erase("name");
  EXPECT_EQ(gltf_parts(json).instances[0].name, "1");
  json.erase("scenes");
  EXPECT_EQ(gltf_parts(json).instances.size(), 3u);
}

/// What the transforms of the file say, without any splitting into pose and scale.
void expect_placed(const Json& json, std::size_t instance, const std::vector<Vec3>& world, double tolerance) {
  const Assembly assembly = gltf_parts(json);
  const Mesh& mesh = assembly.meshes[assembly.instances[instance].mesh];
  ASSERT_EQ(mesh.vertices.size(), world.size());
  for (std::size_t i = 0; i < world.size(); ++i)
    EXPECT_LE(length(assembly.instances[instance].pose * mesh.vertices[i] - world[i]), tolerance) << i;
}

TEST(Gltf, BakesScaleAndSharesEqualOnes) {
  Json json = square_document();
  json["nodes"] = Json::parse(R"([{"children": [1, 2, 3, 4]},
    {"mesh": 0, "scale": [2, 2, 2], "rotation": [0.1, 0.2, 0.3, 0.9]},
    {"mesh": 0, "scale": [2, 2, 2], "rotation": [0.5, -0.2, 0.3, 0.1], "translation": [1, 2, 3]},
    {"mesh": 0},
    {"mesh": 0, "scale": [2, 3, 1]}])");
  const Assembly assembly = gltf_parts(json);
  ASSERT_EQ(assembly.instances.size(), 4u);
  EXPECT_EQ(assembly.instances[0].mesh, assembly.instances[1].mesh);
  EXPECT_EQ(assembly.meshes.size(), 3u);
  EXPECT_EQ(assembly.meshes[assembly.instances[0].mesh].vertices[2], (Vec3{2, 2, 0}));
  EXPECT_EQ(assembly.meshes[assembly.instances[2].mesh].vertices, corners);
  EXPECT_TRUE(assembly.instances[3].pose.is_identity());
  expect_placed(json, 3, {{0, 0, 0}, {2, 0, 0}, {2, 3, 0}, {0, 3, 0}}, 0);
}

TEST(Gltf, ShearUnderRotationStaysInPlace) {
  Json json = square_document();
  // A scale above a rotation shears: M = diag(3, 1, 2) · R(z, 30°).
  json["nodes"] = Json::parse(R"([{"scale": [3, 1, 2], "children": [1]},
    {"mesh": 0, "rotation": [0, 0, 0.25881904510252074, 0.9659258262890683]}])");
  const double c = std::cos(3.14159265358979323846 / 6), s = 0.5;
  expect_placed(json, 0, {{0, 0, 0}, {3 * c, s, 0}, {3 * (c - s), s + c, 0}, {-3 * s, c, 0}}, 1e-11);
}

TEST(Gltf, MirroringFlipsTheWinding) {
  Json json = square_document();
  for (const char* scale : {"[-1, 1, 1]", "[1, -1, 1]", "[1, 1, -1]", "[-2, -2, -2]"}) {
    json["nodes"][0]["scale"] = Json::parse(scale);
    const auto s = json["nodes"][0]["scale"].get<std::vector<double>>();
    const Mesh mesh = gltf(json);
    // The front of a mirrored surface is the mirrored front: the normal (0, 0, 1) goes to (0, 0, sign of z).
    EXPECT_NEAR(area_along(mesh, {0, 0, s[2] > 0 ? 1.0 : -1.0}), 2 * std::abs(s[0] * s[1]), 1e-12) << scale;
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_LE(length(mesh.vertices[i] - Vec3{s[0] * corners[i].x, s[1] * corners[i].y, 0}), 1e-12);
  }
}

TEST(Gltf, SingularScalesAreFlatNotRefused) {
  Json json = square_document();
  for (const char* scale : {"[0, 1, 1]", "[1, 0, 1]", "[1, 1, 0]", "[0, 0, 1]", "[0, 0, 0]", "[1e-200, 1, 1e-200]"}) {
    json["nodes"][0]["scale"] = Json::parse(scale);
    const auto s = json["nodes"][0]["scale"].get<std::vector<double>>();
    expect_placed(json, 0, {{0, 0, 0}, {s[0], 0, 0}, {s[0], s[1], 0}, {0, s[1], 0}}, 1e-12);
  }
}

TEST(Gltf, NearlyRigidMatricesAreUsedAsGiven) {
  Json json = square_document();
  json["nodes"][0]["matrix"] = {0.9999999, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1};
  const Assembly assembly = gltf_parts(json);
  EXPECT_EQ(assembly.instances[0].pose.row(0).x, 0.9999999);
  EXPECT_EQ(assembly.meshes[0].vertices, corners);
}

TEST(Gltf, NodesMustFormATree) {
  const auto message = [](const char* nodes, const char* roots) {
    Json json = square_document();
    json["nodes"] = Json::parse(nodes);
    json["scenes"][0]["nodes"] = Json::parse(roots);
    return gltf_error(json).message();
  };
  EXPECT_EQ(message(R"([{"children": [0]}])", "[0]"), "nodes[0]: it is its own ancestor; nodes must form a tree");
  EXPECT_EQ(message(R"([{"children": [1]}, {"children": [0]}, {"mesh": 0}])", "[2]"),
            "nodes[0]: it is its own ancestor; nodes must form a tree");
  EXPECT_EQ(message(R"([{"children": [2]}, {"children": [2]}, {"mesh": 0}])", "[0, 1]"),
            "nodes[2]: it has two parents; nodes must form a tree");
  EXPECT_EQ(message(R"([{"children": [1, 1]}, {"mesh": 0}])", "[0]"),
            "nodes[1]: it has two parents; nodes must form a tree");
  EXPECT_EQ(message(R"([{"children": [1]}, {"mesh": 0}])", "[1]"), "scenes[0]: nodes[1] is not a root");
  EXPECT_EQ(message(R"([{"mesh": 0}])", "[0, 0]"), "scenes[0]: nodes[0] is listed twice");
  EXPECT_EQ(message(R"([{"children": [7]}])", "[0]"),
            "nodes[0]: children has an entry that is not an index into nodes (there are 1)");
}

TEST(Gltf, NestingIsLimited) {
  Json json = square_document();
  const auto chain = [&json](std::size_t depth) {
    json["nodes"] = Json::array();
    for (std::size_t i = 0; i + 1 < depth; ++i) json["nodes"].push_back({{"children", {i + 1}}});
    json["nodes"].push_back({{"mesh", 0}});
  };
  chain(1024);
  EXPECT_EQ(gltf(json).triangles.size(), 2u);
  chain(1025);
  EXPECT_EQ(gltf_error(json).message(), "nodes[1024]: nodes are nested deeper than 1024 levels");
  chain(200000);
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::file_format);
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string deep = "{\"extras\":";
    for (int i = 0; i < 200000; ++i) deep += bracket;
    EXPECT_EQ(error_of(deep, MeshFormat::gltf).message(), "JSON nested deeper than 128 levels");
  }
}

TEST(Gltf, ExternalBuffersStayInsideTheFolder) {
  const TempFolder folder;
  std::filesystem::create_directories(folder / "model/sub");
  for (const char* name : {"secret.bin", "model/a b.bin", "model/sub/c.bin"}) write_text(folder / name, square_bytes());
  std::filesystem::create_symlink("../secret.bin", folder / "model/leads_out.bin");
  std::filesystem::create_symlink("sub/c.bin", folder / "model/stays.bin");
  std::filesystem::create_directory_symlink("..", folder / "model/up");
  Json json = square_document();
  const auto load_with = [&](const std::string& uri) {
    json["buffers"][0]["uri"] = uri;
    write_text(folder / "model/m.gltf", json.dump());
    return load_mesh(folder / "model/m.gltf").triangles.size();
  };
  for (const char* good : {"a%20b.bin", "a b.bin", "sub/c.bin", "./sub/c.bin", "stays.bin"})
    EXPECT_EQ(load_with(good), 2u) << good;
  for (const std::string& bad :
       {std::string("../secret.bin"), std::string("sub/../../secret.bin"), std::string("%2e%2e/secret.bin"),
        std::string("..%2Fsecret.bin"), (folder / "secret.bin").string(), "file://" + (folder / "secret.bin").string(),
        std::string("leads_out.bin"), std::string("up/secret.bin"), std::string("missing.bin"), std::string(""),
        std::string("sub"), std::string("a%00.bin"), std::string("a%2"), std::string("..\\secret.bin"),
        std::string("http://example.org/a.bin"), std::string("/dev/zero")}) {
    try {
      load_with(bad);
      ADD_FAILURE() << "followed " << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_access) << error.what();
      EXPECT_NE(error.place().file, "") << bad;
    }
  }
  // A relative path without a folder.
  const std::filesystem::path old = std::filesystem::current_path();
  load_with("sub/c.bin");
  std::filesystem::current_path(folder / "model");
  EXPECT_EQ(load_mesh("m.gltf").triangles.size(), 2u);
  std::filesystem::current_path(old);
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::unsupported);  // from memory
}

TEST(Gltf, NamesItselfWhenItsBufferIsBroken) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "sub");
  write_text(folder / "short.bin", "four");
  const auto error_with = [&](const std::string& uri) -> std::string {
    Json json = square_document();
    json["buffers"][0]["uri"] = uri;
    write_text(folder / "m.gltf", json.dump());
    try {
      load_mesh(folder / "m.gltf");
    } catch (const Error& error) {
      EXPECT_EQ(error.place().file, (folder / "m.gltf").string());
      return error.message();
    }
    return "none";
  };
  EXPECT_EQ(error_with("sub"), "buffers[0]: 'sub': cannot read the file: it is a folder");
  EXPECT_EQ(error_with("missing.bin"), "buffers[0]: 'missing.bin': there is no such file");
  EXPECT_EQ(error_with("short.bin"), "buffers[0]: it declares 92 bytes, but 'short.bin' has 4");
  EXPECT_EQ(error_with("../m.bin"),
            "buffers[0]: its uri must name a file inside the glTF's own folder, and is '../m.bin'");
  std::string letters;
  for (int i = 0; i < 500; ++i) letters += "ä";
  const std::string message = error_with(letters);
  EXPECT_LT(message.size(), 150u);
  EXPECT_EQ(message.find("buffers[0]: its uri is too long for a file's name: 'ää"), 0u) << message;
  EXPECT_NE(message.find("ä…'"), std::string::npos) << message;
}

TEST(Gltf, RefusesExtensionsThatMatter) {
  for (const char* extension : {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "VENDOR_new"}) {
    Json json = square_document();
    json["extensionsRequired"] = {extension};
    const Error error = gltf_error(json);
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(error.message().find(extension), std::string::npos) << error.message();
  }
  Json json = square_document();
  json["extensionsRequired"] = {"KHR_materials_unlit", "KHR_texture_transform"};
  json["extensionsUsed"] = {"KHR_draco_mesh_compression"};
  EXPECT_EQ(gltf(json).triangles.size(), 2u);
  json["extensionsRequired"] = {std::string(5000, 'X')};
  EXPECT_LT(gltf_error(json).message().size(), 200u);
}

/// Puts further bytes into a document, and returns the index of an accessor of them.
std::size_t add_accessor(Json& json, std::string_view bytes, int component_type, const char* type, std::size_t count,
                         std::size_t stride = 0) {
  json["buffers"].push_back({{"byteLength", bytes.size()}, {"uri", "data:;base64," + base64(bytes)}});
  json["bufferViews"].push_back({{"buffer", json["buffers"].size() - 1}, {"byteLength", bytes.size()}});
  if (stride) json["bufferViews"].back()["byteStride"] = stride;
  json["accessors"].push_back({{"bufferView", json["bufferViews"].size() - 1},
                               {"componentType", component_type},
                               {"count", count},
                               {"type", type}});
  return json["accessors"].size() - 1;
}

template <class T>
std::string quantized_square(T zero, T one) {
  std::string bytes;
  for (const Vec3& v : corners)  // a fourth number fills the vertex up to a multiple of four bytes, as is required
    bytes += pack(v.x > 0 ? one : zero, v.y > 0 ? one : zero, zero, T{0});
  return bytes;
}

TEST(Gltf, ReadsQuantizedPositions) {
  const auto vertices = [](const std::string& bytes, int type, std::size_t stride, bool normalized) {
    Json json = square_document();
    json["extensionsUsed"] = json["extensionsRequired"] = {"KHR_mesh_quantization"};
    const std::size_t accessor = add_accessor(json, bytes, type, "VEC3", 4, stride);
    if (normalized) json["accessors"][accessor]["normalized"] = true;
    json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] = accessor;
    return gltf(json).vertices;
  };
  const auto square = [](double zero, double one) {
    return std::vector<Vec3>{{zero, zero, zero}, {one, zero, zero}, {one, one, zero}, {zero, one, zero}};
  };
  EXPECT_EQ(vertices(quantized_square<std::int8_t>(-128, 127), 5120, 4, false), square(-128, 127));
  EXPECT_EQ(vertices(quantized_square<std::int8_t>(-128, 127), 5120, 4, true), square(-1, 1));
  EXPECT_EQ(vertices(quantized_square<std::int8_t>(-64, 1), 5120, 4, true), square(-64 / 127.0, 1 / 127.0));
  EXPECT_EQ(vertices(quantized_square<std::uint8_t>(0, 255), 5121, 4, true), square(0, 1));
  EXPECT_EQ(vertices(quantized_square<std::uint8_t>(3, 255), 5121, 4, false), square(3, 255));
  EXPECT_EQ(vertices(quantized_square<std::int16_t>(-32768, 32767), 5122, 8, true), square(-1, 1));
  EXPECT_EQ(vertices(quantized_square<std::int16_t>(-32768, 32767), 5122, 8, false), square(-32768, 32767));
  EXPECT_EQ(vertices(quantized_square<std::uint16_t>(1, 65535), 5123, 8, true), square(1 / 65535.0, 1));
  EXPECT_EQ(vertices(quantized_square<std::uint16_t>(1, 65535), 5123, 8, false), square(1, 65535));
  // The node brings the numbers back to their size.
  Json json = square_document();
  json["meshes"][0]["primitives"][0]["attributes"]["POSITION"] =
      add_accessor(json, quantized_square<std::uint16_t>(0, 4096), 5123, "VEC3", 4, 8);
  json["nodes"][0]["scale"] = {0.25, 0.25, 0.25};
  json["nodes"][0]["translation"] = {1, 2, 3};
  EXPECT_EQ(gltf(json).vertices, (std::vector<Vec3>{{1, 2, 3}, {1025, 2, 3}, {1025, 1026, 3}, {1, 1026, 3}}));
  json["accessors"].back()["componentType"] = 5125;
  EXPECT_EQ(gltf_error(json).message(), "accessors[2]: positions must be VEC3 of float, or of bytes or shorts");
}

TEST(Gltf, ReadsGpuInstances) {
  Json json = square_document();
  json["extensionsUsed"] = json["extensionsRequired"] = {"EXT_mesh_gpu_instancing"};
  json["nodes"][0]["translation"] = {100, 0, 0};
  Json& attributes = json["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  attributes["TRANSLATION"] = add_accessor(json, pack(1.f, 2.f, 3.f, 4.f, 5.f, 6.f), 5126, "VEC3", 2);
  Assembly assembly = gltf_parts(json);
  ASSERT_EQ(assembly.instances.size(), 2u);
  EXPECT_EQ(assembly.meshes.size(), 1u);
  EXPECT_EQ(assembly.instances[0].name, "node");
  EXPECT_EQ(assembly.instances[0].pose, Pose::from_translation({101, 2, 3}));
  EXPECT_EQ(assembly.instances[1].pose, Pose::from_translation({104, 5, 6}));
  // First the scale, then the rotation, here a quarter about z in normalized shorts, then the translation.
  std::string turns;
  for (const int component : {0, 0, 23170, 23170, 0, 0, 0, 32767}) turns += pack(static_cast<std::int16_t>(component));
  attributes["ROTATION"] = add_accessor(json, turns, 5122, "VEC4", 2);
  json["accessors"].back()["normalized"] = true;
  attributes["SCALE"] = add_accessor(json, pack(2.f, 1.f, 1.f, 1.f, 1.f, 1.f), 5126, "VEC3", 2);
  attributes["_ID"] = 0;  // others are the exporter's own
  expect_placed(json, 0, {{101, 2, 3}, {101, 4, 3}, {100, 4, 3}, {100, 2, 3}}, 1e-12);
  expect_placed(json, 1, {{104, 5, 6}, {105, 5, 6}, {105, 6, 6}, {104, 6, 6}}, 0);
  EXPECT_EQ(gltf(json).triangles.size(), 4u);

  Json bad = json;
  bad["accessors"][4]["count"] = 1;
  EXPECT_EQ(gltf_error(bad).message(), "nodes[0]: the attributes of its EXT_mesh_gpu_instancing have different counts");
  bad = json;
  bad["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"] = Json::object();
  EXPECT_EQ(gltf_error(bad).message(), "nodes[0]: its EXT_mesh_gpu_instancing has no attributes");
  bad["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = Json::object();
  EXPECT_EQ(gltf_error(bad).message(), "nodes[0]: its EXT_mesh_gpu_instancing has no TRANSLATION, ROTATION or SCALE");
  bad = json;
  bad["nodes"][0]["name"] = std::string(100000, 'n');  // a name for each of many instances that take no bytes
  bad["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"]["attributes"] = {{"TRANSLATION", 2}};
  bad["accessors"][2].erase("bufferView");
  bad["accessors"][2]["count"] = 100000;
  EXPECT_EQ(gltf_error(bad).code(), ErrorCode::unsupported);
}

TEST(Gltf, RefusesWhatBends) {
  Json json = square_document();
  json["nodes"][0]["skin"] = 0;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::unsupported);
  json = square_document();
  json["meshes"][0]["weights"] = {0.0, 0.5};
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::unsupported);
  json["meshes"][0]["weights"] = {0, 0.0};
  EXPECT_EQ(gltf(json).triangles.size(), 2u);
}

TEST(Gltf, NamesWhatIsWrong) {
  const auto message = [](const char* pointer, const Json& value) {
    Json json = square_document();
    json[Json::json_pointer(pointer)] = value;
    return gltf_error(json).message();
  };
  EXPECT_EQ(message("/asset", 1), "not a glTF file: it has no asset.version");
  EXPECT_EQ(message("/asset/version", "1.0"), "glTF version 2 is read; this file is of another version");
  EXPECT_EQ(message("/nodes", 3), "nodes is not a list");
  EXPECT_EQ(message("/nodes/0", 3), "nodes[0]: it is not an object");
  EXPECT_EQ(message("/nodes/0/mesh", 3), "meshes[3] is referred to, but there are 1");
  EXPECT_EQ(message("/nodes/0/mesh", -1), "nodes[0]: mesh must be a whole number that is not negative");
  EXPECT_EQ(message("/nodes/0/mesh", 0.5), "nodes[0]: mesh must be a whole number that is not negative");
  EXPECT_EQ(message("/nodes/0/scale", {1, 2}), "nodes[0]: scale must be a list of 3 finite numbers");
  EXPECT_EQ(message("/nodes/0/rotation", {0, 0, 0, 0}), "nodes[0]: a pose's quaternion must be finite and not zero");
  EXPECT_EQ(message("/nodes/0/scale", {1e200, 1, 1}),
            "meshes[0] as scaled: a coordinate is not finite or above 1e100 in magnitude");
  EXPECT_NE(message("/nodes/0/translation", {1e101, 1, 1}).find("at most 1e100"), std::string::npos);
  EXPECT_EQ(message("/nodes/0/matrix", {1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}),
            "nodes[0]: the last row of its matrix is not 0 0 0 1");
  EXPECT_EQ(message("/scene", 5), "scenes[5] is referred to, but there are 1");
  EXPECT_EQ(message("/accessors/0/count", 5),
            "accessors[0]: its 5 elements reach past the end of their bufferView of 48 bytes");
  EXPECT_EQ(message("/accessors/0/count", 18446744073709551615u),
            "accessors[0]: its 18446744073709551615 elements reach past the end of their bufferView of 48 bytes");
  EXPECT_EQ(message("/accessors/0/byteOffset", 18446744073709551615u),
            "accessors[0]: its 4 elements reach past the end of their bufferView of 48 bytes");
  EXPECT_EQ(message("/accessors/0/type", "VEC2"),
            "accessors[0]: positions must be VEC3 of float, or of bytes or shorts");
  EXPECT_EQ(message("/accessors/1/type", "VEC3"), "accessors[1]: indices must be SCALAR and unsigned");
  EXPECT_EQ(message("/accessors/1/count", 5), "meshes[0]: a primitive of triangles has 5 corners, not a multiple of 3");
  EXPECT_EQ(message("/accessors/0/count", 3), "meshes[0]: vertex index 3 is out of range: there are 3 vertices");
  EXPECT_EQ(message("/bufferViews/0/byteLength", 18446744073709551615u),
            "bufferViews[0]: it reaches past the end of its buffer of 92 bytes");
  EXPECT_EQ(message("/bufferViews/0/byteOffset", 18446744073709551615u),
            "bufferViews[0]: it reaches past the end of its buffer of 92 bytes");
  EXPECT_EQ(message("/buffers/0/byteLength", 1000), "buffers[0]: it declares 1000 bytes, but there are 92");
  EXPECT_EQ(message("/buffers/0/uri", "data:,abc"), "buffers[0]: its data: URI is not base64");
  EXPECT_EQ(message("/buffers/0/uri", "data:;base64,ab*c"),
            "buffers[0]: its data: URI has a character that is not base64");
  EXPECT_EQ(message("/buffers/0/uri", 7), "buffers[0]: its uri is not a string");
  EXPECT_EQ(error_of("", MeshFormat::glb).message(), "the file is empty");
  EXPECT_EQ(error_of("PK\x03\x04 a zip", MeshFormat::glb).message(),
            "neither glTF nor GLB: glTF begins with '{' and GLB with 'glTF', but this file with 'PK?? a z'");
  EXPECT_EQ(error_of("version https://git-lfs.github.com/spec/v1\noid sha256:0", MeshFormat::glb).message(),
            "it is a Git LFS pointer, not the file it stands for; 'git lfs pull' fetches that");
  const std::string utf16("\xFF\xFE{\0}\0", 6), utf16_without_mark("{\0}\0", 4), big_endian("\0{\0}", 4);
  for (const std::string& text : {utf16, utf16_without_mark, big_endian})
    EXPECT_EQ(error_of(text, MeshFormat::gltf).message(), "its JSON is UTF-16; save it as UTF-8");
  EXPECT_EQ(message("/meshes/0/primitives", 7), "meshes[0]: it has no list of primitives");
}

TEST(Gltf, NamesABadVertex) {
  Json json = square_document();
  json["buffers"][0].erase("uri");
  std::string bytes = square_bytes();
  const float nan = std::nanf("");
  std::memcpy(bytes.data() + 2 * 12 + 4, &nan, 4);
  const Error error = error_of(glb(json, bytes), MeshFormat::glb);
  EXPECT_EQ(error.place().vertex, 2);
  EXPECT_EQ(error.code(), ErrorCode::invalid_mesh);
}

TEST(Gltf, NamesTheByteOfMalformedJsonAndChunks) {
  EXPECT_EQ(error_of("{\"a\": 1,, }", MeshFormat::gltf).place().byte, 9);
  EXPECT_EQ(error_of("{\"a\": 1e999}", MeshFormat::gltf).code(), ErrorCode::file_format);
  EXPECT_EQ(error_of("", MeshFormat::gltf).code(), ErrorCode::file_format);
  EXPECT_EQ(error_of("[]", MeshFormat::gltf).code(), ErrorCode::file_format);
  Json json = square_document();
  json["buffers"][0].erase("uri");
  std::string bytes = glb(json, square_bytes());
  bytes[4] = 1;
  EXPECT_EQ(error_of(bytes, MeshFormat::glb).place().byte, 4);
  bytes = glb(json, square_bytes());
  bytes[14] = 1;  // the first chunk grows by 65536
  EXPECT_EQ(error_of(bytes, MeshFormat::glb).place().byte, 12);
  bytes = glb(json, square_bytes());
  bytes[16] = 'X';
  EXPECT_EQ(error_of(bytes, MeshFormat::glb).message(), "the first chunk is not JSON");
}

// Few bytes can ask for the same data any number of times.
TEST(Gltf, ExpansionIsLimited) {
  Json json = square_document();
  json["accessors"][0].erase("bufferView");
  json["accessors"][0]["count"] = 1000000000;
  EXPECT_EQ(gltf_error(json).code(), ErrorCode::unsupported);
  json = square_document();
  std::string bytes(12 * 30000, '\0');
  json["buffers"][0] = {{"byteLength", bytes.size()}};
  json["bufferViews"][0] = {{"buffer", 0}, {"byteLength", bytes.size()}};
  json["accessors"][0]["count"] = 30000;
  json["meshes"][0]["primitives"][0].erase("indices");
  json["nodes"] = Json::array();
  json["scenes"][0]["nodes"] = Json::array();
  for (int i = 0; i < 20000; ++i) {
    json["nodes"].push_back({{"mesh", 0}});
    json["scenes"][0]["nodes"].push_back(i);
  }
  const std::string file = glb(json, bytes);
  EXPECT_EQ(error_of(file, MeshFormat::glb).code(), ErrorCode::unsupported);
  EXPECT_EQ(read_parts(file, MeshFormat::glb).instances.size(), 20000u);  // shared, it is no problem
  for (int i = 0; i < 20000; ++i) json["nodes"][i]["scale"] = {1, 1, i + 2};
  EXPECT_THROW(read_parts(glb(json, bytes), MeshFormat::glb), Error);
}

TEST(Gltf, EveryTruncation) {
  Json json = square_document();
  json["nodes"][0]["scale"] = {1, 2, -3};
  expect_every_truncation_to_be_handled(json.dump(), MeshFormat::gltf);
  json["buffers"][0].erase("uri");
  expect_every_truncation_to_be_handled(glb(json, square_bytes()), MeshFormat::glb);
}

}  // namespace
}  // namespace tumble::test
