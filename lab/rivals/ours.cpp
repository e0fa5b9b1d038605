// SPDX-License-Identifier: Apache-2.0
// tumble itself behind the rivals' face: queries through one Pair, as a user would write them.
#include "lab/rivals/ours.h"

#include "lab/instruction_limit.h"
#include "lab/rivals/counted.h"

#include <tumble/query.h>

#include <algorithm>
#include <optional>

namespace tumble::lab {
namespace {

struct Models {
  std::optional<Model> environment, object;
};

class Ours : public Rival, public Counted {
 public:
  Ours(Bound bound, Coherent coherent, std::optional<InstructionSet> limit, std::shared_ptr<Models> models, bool first)
      : coherent_(coherent), limit_(limit), models_(std::move(models)), first_(first) {
    options_.bound = bound;
    options_.threads = 1;
  }

  std::string id() const override {
    std::string id = (is_dop() ? "tumble-dop18" : "tumble-obb") + suffix("-");
    for (char& c : id)
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return id;
  }
  std::string name() const override { return (is_dop() ? "tumble 18-DOP" : "tumble OBB") + suffix(", "); }
  std::string settings() const override {
    std::string text = std::string("default options, one thread, exact answers, ids without contact geometry; ") +
                       (coherent_ == Coherent::off ? "every query afresh" : "coherence left to tumble (automatic)");
    if (limit_) text += std::string("; kernels limited to ") + tumble::name(*limit_);
    return text;
  }
  bool yardstick() const override { return true; }
  bool exact() const override { return true; }
  bool builds() const override { return first_; }
  void build(const Mesh& environment, const Mesh& object) override {
    pair_.reset();
    if (first_) {
      clear();
      models_->environment.emplace(environment, options_);
      models_->object.emplace(object, options_);
    }
    pair_.emplace(*models_->environment, *models_->object, PairOptions{.coherent = coherent_});
  }
  void clear() override {
    pair_.reset();
    if (first_) *models_ = {};
  }
  std::optional<std::size_t> counted_bytes() const override {
    return models_->environment->bytes() + models_->object->bytes();
  }
  void begin() override {
    if (limit_) limiting_.emplace(*limit_);
  }
  void end() override { limiting_.reset(); }
  bool any(const Pose& pose) override { return pair_->collide({}, pose); }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    into.clear();
    for (const Contact& c : pair_->contacts({}, pose, {.geometry = false}))
      into.emplace_back(c.triangle_a, c.triangle_b);
  }
  bool has_distance() const override { return !limit_; }
  double distance(const Pose& pose) override { return pair_->distance({}, pose).distance; }

  void count() override {
    pair_.emplace(*models_->environment, *models_->object, PairOptions{.coherent = coherent_});
    pair_->count(true);
  }
  Work work() const override { return {pair_->stats()}; }

 private:
  bool is_dop() const { return options_.bound == Bound::dop; }
  std::string suffix(const char* separator) const {
    if (limit_) return separator + std::string(tumble::name(*limit_));
    return coherent_ == Coherent::off ? "" : separator + std::string("coherent");
  }

  TreeOptions options_;
  Coherent coherent_;
  std::optional<InstructionSet> limit_;
  std::optional<InstructionLimit> limiting_;
  std::shared_ptr<Models> models_;
  bool first_;  // of those that share the models
  std::optional<Pair> pair_;
};

/// With options nobody thought about.
class Plain : public Rival, public Counted {
 public:
  explicit Plain(bool kept) : kept_(kept) {}

  std::string id() const override { return kept_ ? "tumble-coherent" : "tumble"; }
  std::string name() const override { return kept_ ? "tumble, coherent" : "tumble"; }
  std::string settings() const override {
    return std::string(
               "default options, trees built on one thread, exact answers; all: ids without contact geometry, "
               "told as they are found; ") +
           (kept_ ? "one Pair, which goes back and forth between two poses" : "no Pair");
  }
  bool exact() const override { return true; }
  bool remembers() const override { return kept_; }
  void build(const Mesh& environment, const Mesh& object) override {
    clear();
    environment_.emplace(environment, TreeOptions{.threads = 1});
    object_.emplace(object, TreeOptions{.threads = 1});
    if (kept_) pair_.emplace(*environment_, *object_);
  }
  void clear() override {
    pair_.reset();
    environment_.reset();
    object_.reset();
  }
  bool any(const Pose& pose) override {
    return pair_ ? pair_->collide({}, pose) : tumble::collide(*environment_, {}, *object_, pose);
  }
  void all(const Pose& pose, std::vector<PairOfTriangles>& into) override {
    into.clear();
    const ContactRequest request{.geometry = false};
    const auto keep = [&into](const Contact& c) {
      into.emplace_back(c.triangle_a, c.triangle_b);
      return true;
    };
    if (pair_)
      pair_->start({}, pose, request).run({}, keep);
    else
      tumble::contacts(*environment_, {}, *object_, pose, request, keep);
  }
  bool has_distance() const override { return true; }
  double distance(const Pose& pose) override {
    return (pair_ ? pair_->distance({}, pose) : tumble::distance(*environment_, {}, *object_, pose)).distance;
  }

  /// Without a Pair nothing is counted: a new one does as much.
  void count() override {
    pair_.emplace(*environment_, *object_);
    pair_->count(true);
  }
  Work work() const override { return {pair_->stats()}; }

 private:
  bool kept_;
  std::optional<Model> environment_, object_;
  std::optional<Pair> pair_;  // if it is kept, or while it counts
};

}  // namespace

Rivals ours_by_default() {
  Rivals all;
  for (const bool kept : {false, true}) all.push_back(std::make_unique<Plain>(kept));
  return all;
}

Rivals ours() {
  Rivals all;
  const std::vector<InstructionSet> sets = available();
  for (const Bound bound : {Bound::obb, Bound::dop}) {
    const auto models = std::make_shared<Models>();
    all.push_back(std::make_unique<Ours>(bound, Coherent::off, std::nullopt, models, true));
    all.push_back(std::make_unique<Ours>(bound, Coherent::automatic, std::nullopt, models, false));
    for (const InstructionSet lesser : {InstructionSet::avx2, InstructionSet::sse4})
      if (std::ranges::find(sets, lesser) != sets.end() && lesser < sets.back())
        all.push_back(std::make_unique<Ours>(bound, Coherent::off, lesser, models, false));
  }
  return all;
}

}  // namespace tumble::lab
