// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/judge/search.h"

#include <algorithm>
#include <unordered_set>

#include "depend/judge/stage.h"

namespace heddle::depend {
namespace {

struct StateHash {
  std::size_t operator()(const ContentHash& hash) const { return hash.low; }
};

class Searcher {
 public:
  Searcher(Setting& setting, const Triple& triple, const SearchLimits& limits, Gaps& gaps)
      : setting_(setting), triple_(triple), limits_(limits), stage_(setting, triple, gaps) {}

  SearchResult run() {
    if (!arrive()) return end(SearchResult::Kind::OutOfSteps);
    while (!nodes_.empty()) {
      Node& node = nodes_.back();
      if (node.next == node.choices.size()) {
        stage_.board.pop_mark();
        nodes_.pop_back();
        continue;
      }
      if (node.next > 0) go_back(node);
      const Choice choice = node.choices[node.next++];
      raises_ = node.raises + (is_counted(choice) ? 1 : 0);
      stage_.carry_out(choice, steps_);
      if (!arrive()) return end(SearchResult::Kind::OutOfSteps);
      if (stage_.watch.progress() == Watch::Progress::Happened) return end(SearchResult::Kind::Found);
      if (++ticks_ % 256 == 0 && std::chrono::steady_clock::now() > limits_.end)
        return end(SearchResult::Kind::OutOfTime);
    }
    return end(is_bounded_ ? SearchResult::Kind::Bounded : SearchResult::Kind::Nothing);
  }

 private:
  struct Node {
    Watch::State watch;
    std::vector<Choice> choices;
    std::uint32_t line = 0;
    std::size_t next = 0;
    std::uint32_t raises = 0;
  };

  [[nodiscard]] SearchResult end(SearchResult::Kind kind) const {
    SearchResult result{.kind = kind, .schedule = {}, .made = {}, .steps = steps_};
    result.made = stage_.watch.state();
    if (kind == SearchResult::Kind::Found)
      for (const Node& node : nodes_) result.schedule.push_back({node.choices[node.next - 1], node.line});
    return result;
  }

  void go_back(const Node& node) {
    stage_.board.undo_to(nodes_.size() - 1);
    stage_.watch.restore(node.watch);
    // What the next instruction is has to be found again.
    if (!node.watch.asks) stage_.stand = stage_.board.look();
  }

  /// Runs to the next choice and makes it a node, if its state is a new one. False: too many steps.
  bool arrive() {
    if (!stage_.advance(steps_, limits_.steps)) return false;
    if (stage_.is_over() || (!stage_.watch.asks() && stage_.stand.kind == Board::Stand::Kind::Over)) return true;
    Hasher hasher;
    stage_.board.add_to(hasher);
    stage_.watch.add_to(hasher);
    hasher.add(stage_.watch.asks() ? 1 : 0).add(limits_.raises ? raises_ : 0);
    if (!known_.insert(hasher.finish()).second) return true;
    if (nodes_.size() >= limits_.depth) {
      is_bounded_ = true;
      return true;
    }
    Node node{.watch = stage_.watch.state(), .choices = choices(), .line = stage_.line(), .raises = raises_};
    static_cast<void>(stage_.board.mark());
    nodes_.push_back(std::move(node));
    return steps_ < limits_.steps;
  }

  [[nodiscard]] bool is_counted(const Choice& choice) const {
    if (choice.kind != Choice::Kind::Raise) return false;
    const EntryKind kind = setting_.system.entries()[choice.value].kind;
    return kind != EntryKind::Init && kind != EntryKind::Main;
  }

  std::vector<Choice> choices() {
    using Kind = Choice::Kind;
    if (stage_.watch.asks()) return {{Kind::Take}, {Kind::Pass}};
    std::vector<Choice> going, raising;
    if (stage_.may_go_on()) {
      const InputValues::Values* input = stage_.stand.input;
      if (input == nullptr) going.push_back({Kind::GoOn});
      for (std::size_t i = 0; input != nullptr && i < input->all.size(); ++i)
        going.push_back({Kind::GoOn, input->all[i], true});
    }
    for (const std::size_t entry : stage_.stand.raises) {
      const Choice choice{Kind::Raise, entry};
      if (limits_.raises && is_counted(choice) && raises_ >= *limits_.raises)
        is_bounded_ = true;
      else
        raising.push_back(choice);
    }
    // The entry of the triple first, and who interrupts it once its first access is made.
    const std::size_t wanted = stage_.watch.progress() == Watch::Progress::First ? triple_.interrupter : triple_.entry;
    const auto best = std::ranges::find(raising, wanted, &Choice::value);
    if (best != raising.end()) std::rotate(raising.begin(), best, std::next(best));
    const bool raises_first = stage_.watch.progress() == Watch::Progress::First && is_entry_on_top();
    std::vector<Choice> all = raises_first ? raising : going;
    const std::vector<Choice>& rest = raises_first ? going : raising;
    all.insert(all.end(), rest.begin(), rest.end());
    if (stage_.stand.may_pause) all.push_back({Kind::Pause});
    return all;
  }

  [[nodiscard]] bool is_entry_on_top() const {
    return !stage_.board.is_idle() && stage_.board.stack().back() == stage_.watch.state().place;
  }

  Setting& setting_;
  const Triple& triple_;
  SearchLimits limits_;
  Stage stage_;
  std::vector<Node> nodes_;
  std::unordered_set<ContentHash, StateHash> known_;
  std::uint64_t steps_ = 0, ticks_ = 0;
  std::uint32_t raises_ = 0;
  bool is_bounded_ = false;
};

}  // namespace

SearchResult search(Setting& setting, const Triple& triple, const SearchLimits& limits, Gaps& gaps) {
  setting.focus_on(triple);
  return Searcher(setting, triple, limits, gaps).run();
}

}  // namespace heddle::depend
