// SPDX-License-Identifier: Apache-2.0
// tumble itself behind the rivals' face: fresh queries through one Pair, as a user would write them.
#include "lab/rivals/rival.h"

#include <tumble/query.h>

#include <optional>

namespace tumble::lab {
namespace {

class Ours : public Rival {
 public:
  explicit Ours(Bound bound) { options_.bound = bound; }

  std::string name() const override { return options_.bound == Bound::dop ? "tumble 18-DOP" : "tumble OBB"; }
  void build(const Mesh& environment, const Mesh& object) override {
    pair_.emplace(Model(environment, options_), Model(object, options_), PairOptions{.coherent = Coherent::off});
  }
  bool any(const Pose& pose) override { return pair_->collide({}, pose); }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    into.clear();
    pair_->contacts({}, pose, {.geometry = false}, contacts_);
    for (const Contact& c : contacts_) into.emplace_back(c.triangle_a, c.triangle_b);
  }

 private:
  TreeOptions options_;
  std::optional<Pair> pair_;
  Contacts contacts_;
};

}  // namespace

std::vector<std::unique_ptr<Rival>> ours() {
  std::vector<std::unique_ptr<Rival>> all;
  all.push_back(std::make_unique<Ours>(Bound::obb));
  all.push_back(std::make_unique<Ours>(Bound::dop));
  return all;
}

}  // namespace tumble::lab
