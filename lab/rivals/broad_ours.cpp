// SPDX-License-Identifier: Apache-2.0
// Both of tumble's ways to find neighbours, boxes moved one by one as a world does.
#include "lab/rivals/broad_ours.h"

#include "lab/rivals/counted.h"
#include "world/neighbours.h"

namespace tumble::lab {
namespace {

class Ours : public BroadRival, public Counted {
 public:
  Ours(const char* id, const char* name, const char* settings, std::unique_ptr<Neighbours> (*make)())
      : id_(id), name_(name), settings_(settings), make_(make) {}

  std::string id() const override { return id_; }
  std::string name() const override { return name_; }
  std::string settings() const override { return settings_; }

  void start(std::span<const Box> boxes) override {
    neighbours_ = make_();
    for (Slot slot = 0; slot < boxes.size(); ++slot) neighbours_->add(slot, boxes[slot], true);
  }
  void step(std::span<const Box> boxes, std::vector<PairOfBoxes>& into) override {
    for (Slot slot = 0; slot < boxes.size(); ++slot) neighbours_->move(slot, boxes[slot]);
    into.clear();
    for (const SlotPair& pair : neighbours_->find()) into.emplace_back(pair.a, pair.b);
  }

  /// Boxes are to be there; call start() for others.
  void count() override { looks_before_ = neighbours_->work(); }
  Work work() const override { return {{}, neighbours_->work() - looks_before_}; }

 private:
  const char *id_, *name_, *settings_;
  std::unique_ptr<Neighbours> (*make_)();
  std::unique_ptr<Neighbours> neighbours_;
  std::uint64_t looks_before_ = 0;
};

}  // namespace

BroadRivals broad_ours() {
  BroadRivals list;
  list.push_back(std::make_unique<Ours>("tumble-tree", "tumble box tree",
                                        "double; larger boxes, kept for several steps where boxes move little",
                                        make_box_tree));
  list.push_back(std::make_unique<Ours>("tumble-sap", "tumble sweep and prune",
                                        "double; sorted anew, with pairs from a tree, where that is quicker than swaps",
                                        make_sweep_and_prune));
  return list;
}

}  // namespace tumble::lab
