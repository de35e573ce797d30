// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow/post_dominators.h"

#include <algorithm>

namespace heddle::flow {
namespace {

/// Numbers of blocks, and one more for the return behind all of them.
class Finder {
 public:
  Finder(const Function& function, const Cfg& cfg)
      : function_(function), cfg_(cfg), exit_(cfg.successors.size()), meet_(exit_ + 1, none), rank_(exit_ + 1) {}

  std::vector<BlockId> run() {
    settle();
    std::vector<BlockId> result(exit_);
    take(result);
    // The rest never returns. Most of it comes to one end, that of a thread, say.
    end_ = commonest_end();
    if (end_ == none) return result;
    meet_.assign(exit_ + 1, none);
    settle();
    std::vector<BlockId> rest(exit_);
    take(rest);
    for (std::size_t block = 0; block < exit_; ++block)
      if (!returning_[block]) result[block] = rest[block];
    return result;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  void settle() {
    order_backwards();
    meet_[exit_] = exit_;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::size_t block : order_) {
        std::size_t met = none;
        for (const std::size_t next : next_of(block))
          if (meet_[next] != none) met = met == none ? next : common(met, next);
        if (met == meet_[block]) continue;
        meet_[block] = met;
        changed = true;
      }
    }
  }

  void take(std::vector<BlockId>& result) {
    const bool is_first = returning_.empty();
    if (is_first) returning_.resize(exit_);
    for (std::size_t block = 0; block < exit_; ++block) {
      if (meet_[block] == none) continue;
      if (is_first) returning_[block] = true;
      if (meet_[block] != exit_) result[block] = BlockId(meet_[block]);
    }
  }

  /// Of the ends that are no return: the one that most of the blocks that never return can come to; of several, the
  /// last.
  [[nodiscard]] std::size_t commonest_end() const {
    std::size_t best = none, most = 0;
    std::vector<std::vector<std::size_t>> before(exit_);
    for (const BlockId block : cfg_.order)
      for (const BlockId next : cfg_.successors[block.index()])
        if (!returning_[block.index()]) before[next.index()].push_back(block.index());
    for (const BlockId block : cfg_.order) {
      if (returning_[block.index()] || !cfg_.successors[block.index()].empty()) continue;
      const std::size_t count = reaching(block.index(), before);
      if (count < most || (count == most && best != none && block.index() < best)) continue;
      best = block.index();
      most = count;
    }
    return best;
  }

  [[nodiscard]] std::size_t reaching(std::size_t end, const std::vector<std::vector<std::size_t>>& before) const {
    std::vector<bool> seen(exit_);
    std::vector<std::size_t> work{end};
    seen[end] = true;
    std::size_t count = 0;
    while (!work.empty()) {
      const std::size_t block = work.back();
      work.pop_back();
      ++count;
      for (const std::size_t one : before[block]) {
        if (!seen[one]) work.push_back(one);
        seen[one] = true;
      }
    }
    return count;
  }

  [[nodiscard]] std::vector<std::size_t> next_of(std::size_t block) const {
    std::vector<std::size_t> next;
    for (const BlockId to : cfg_.successors[block]) next.push_back(to.index());
    if (end_ == none ? next.empty() && returns(block) : block == end_) next.push_back(exit_);
    return next;
  }

  [[nodiscard]] bool returns(std::size_t block) const {
    const auto code = function_.instructions_of(function_.blocks[block]);
    return !code.empty() && (code.back().opcode == Opcode::Return || code.back().opcode == Opcode::Resume);
  }

  /// The blocks from which the return can be reached, nearest first, as a reverse post-order of the reversed graph.
  void order_backwards() {
    order_.clear();
    std::vector<std::vector<std::size_t>> before(exit_ + 1);
    for (const BlockId block : cfg_.order)
      for (const std::size_t next : next_of(block.index())) before[next].push_back(block.index());
    std::vector<bool> seen(exit_ + 1);
    std::vector<std::pair<std::size_t, std::size_t>> stack{{exit_, 0}};
    seen[exit_] = true;
    while (!stack.empty()) {
      auto& [block, at] = stack.back();
      if (at == before[block].size()) {
        order_.push_back(block);
        stack.pop_back();
        continue;
      }
      const std::size_t to = before[block][at++];
      if (seen[to]) continue;
      seen[to] = true;
      stack.emplace_back(to, 0);
    }
    std::ranges::reverse(order_);
    for (std::size_t i = 0; i < order_.size(); ++i) rank_[order_[i]] = i;
    order_.erase(order_.begin());  // the return itself
  }

  [[nodiscard]] std::size_t common(std::size_t a, std::size_t b) const {
    while (a != b) {
      while (rank_[a] > rank_[b]) a = meet_[a];
      while (rank_[b] > rank_[a]) b = meet_[b];
    }
    return a;
  }

  const Function& function_;
  const Cfg& cfg_;
  std::size_t exit_;
  std::size_t end_ = none;  ///< a block that counts as a return; none: the returns do
  std::vector<bool> returning_;
  std::vector<std::size_t> meet_, rank_, order_;
};

}  // namespace

std::vector<BlockId> post_dominators(const Function& function, const Cfg& cfg) { return Finder(function, cfg).run(); }

}  // namespace heddle::flow
