// SPDX-License-Identifier: Apache-2.0
// assimp, with no post-processing but the triangulation that tumble does, too.
#include "lab/rivals/file_rival.h"

#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <assimp/version.h>

#include <assimp/Importer.hpp>

namespace tumble::lab {
namespace {

class AssimpFiles : public FileRival {
 public:
  std::string id() const override { return "assimp"; }
  std::string name() const override { return "assimp"; }
  std::string settings() const override {
    return "assimp " + std::to_string(aiGetVersionMajor()) + "." + std::to_string(aiGetVersionMinor()) + "." +
           std::to_string(aiGetVersionPatch()) + " of Debian, triangulation alone";
  }
  bool reads(std::string_view) const override { return true; }
  void load(const std::string& file) override {
    importer_ = std::make_unique<Assimp::Importer>();
    importer_->ReadFile(file, aiProcess_Triangulate);
  }
  std::size_t triangles() const override {
    const aiScene* const scene = importer_ ? importer_->GetScene() : nullptr;
    std::size_t all = 0;
    for (unsigned i = 0; scene && i < scene->mNumMeshes; ++i) all += scene->mMeshes[i]->mNumFaces;
    return all;
  }
  void clear() override { importer_.reset(); }

 private:
  std::unique_ptr<Assimp::Importer> importer_;
};

}  // namespace
}  // namespace tumble::lab

TUMBLE_FILE_RIVALS(tumble::lab::FileRivals& into) { into.push_back(std::make_unique<tumble::lab::AssimpFiles>()); }
