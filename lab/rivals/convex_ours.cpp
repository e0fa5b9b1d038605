// SPDX-License-Identifier: Apache-2.0
// tumble's ConvexPair behind the rivals' face.
#include "lab/rivals/convex_rival.h"

#include <tumble/convex.h>

#include <optional>

namespace tumble::lab {
namespace {

class Ours : public ConvexRival {
 public:
  std::string id() const override { return "tumble"; }
  std::string name() const override { return "tumble ConvexPair"; }
  std::string settings() const override { return "exact, double; closest features, from those of the last question"; }
  void start(const Mesh& a, const Mesh& b) override { pair_.emplace(ConvexModel(a), ConvexModel(b)); }
  bool remembers() const override { return true; }
  void forget() override { pair_->forget(); }
  bool collide(const Pose& pose) override { return pair_->collide({}, pose); }
  double distance(const Pose& pose) override { return pair_->distance({}, pose).distance; }

 private:
  std::optional<ConvexPair> pair_;
};

}  // namespace

std::unique_ptr<ConvexRival> our_convex() { return std::make_unique<Ours>(); }

}  // namespace tumble::lab
