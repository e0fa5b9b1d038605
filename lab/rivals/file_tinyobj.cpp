// SPDX-License-Identifier: Apache-2.0
// tinyobjloader, which reads OBJ files alone.
#include "lab/rivals/file_rival.h"

#include <tiny_obj_loader.h>

namespace tumble::lab {
namespace {

class TinyObjFiles : public FileRival {
 public:
  std::string id() const override { return "tinyobjloader"; }
  std::string name() const override { return "tinyobjloader"; }
  std::string settings() const override { return "tinyobjloader of Debian, LoadObj with triangulation"; }
  bool reads(std::string_view extension) const override { return extension == "obj"; }
  void load(const std::string& file) override {
    std::string warnings, errors;
    tinyobj::LoadObj(&attributes_, &shapes_, &materials_, &warnings, &errors, file.c_str(), nullptr,
                     /*triangulate=*/true);
  }
  std::size_t triangles() const override {
    std::size_t all = 0;
    for (const tinyobj::shape_t& shape : shapes_) all += shape.mesh.num_face_vertices.size();
    return all;
  }
  void clear() override { attributes_ = {}, shapes_.clear(), materials_.clear(); }

 private:
  tinyobj::attrib_t attributes_;
  std::vector<tinyobj::shape_t> shapes_;
  std::vector<tinyobj::material_t> materials_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_FILE_RIVALS(tumble::lab::FileRivals& into) { into.push_back(std::make_unique<tumble::lab::TinyObjFiles>()); }
