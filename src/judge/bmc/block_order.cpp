// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "judge/bmc/block_order.h"

#include <algorithm>
#include <limits>

namespace heddle::judge::bmc {
namespace {

/// One element of the order: a block, or a loop with its head.
struct Element {
  BlockId block;
  bool is_loop = false;
  std::vector<Element> inside;  ///< of a loop, without its head; last one first
};

class Orderer {
 public:
  explicit Orderer(const Function& function) : numbers_(function.blocks.size(), 0) {
    for (std::uint32_t b = 0; b < function.blocks.size(); ++b) successors_.push_back(function.successors(BlockId(b)));
  }

  std::vector<BlockPlace> order() {
    std::vector<Element> top;
    visit(BlockId(0), top);
    places_.resize(numbers_.size());
    place(top, {}, 0);
    return std::move(places_);
  }

 private:
  static constexpr std::uint32_t done = std::numeric_limits<std::uint32_t>::max();

  /// The lowest number on the stack that the block reaches; its own one if it heads a loop or is none.
  std::uint32_t visit(BlockId block, std::vector<Element>& partition) {
    stack_.push_back(block);
    std::uint32_t head = numbers_[block.index()] = ++count_;
    bool is_loop = false;
    for (const BlockId next : successors_[block.index()]) {
      const std::uint32_t known = numbers_[next.index()];
      const std::uint32_t least = known == 0 ? visit(next, partition) : known;
      if (least > head) continue;
      head = least;
      is_loop = true;
    }
    if (head != numbers_[block.index()]) return head;
    numbers_[block.index()] = done;
    BlockId last = stack_.back();
    stack_.pop_back();
    if (!is_loop) {
      partition.push_back({block, false, {}});
      return head;
    }
    for (; last != block; last = stack_.back(), stack_.pop_back()) numbers_[last.index()] = 0;
    Element loop{block, true, {}};
    for (const BlockId next : successors_[block.index()])
      if (numbers_[next.index()] == 0) visit(next, loop.inside);
    partition.push_back(std::move(loop));
    return head;
  }

  /// In a loop its head is number 0.
  void place(const std::vector<Element>& elements, const BlockPlace& outside, std::uint32_t number) {
    for (std::size_t i = elements.size(); i-- > 0; ++number) {
      const Element& element = elements[i];
      BlockPlace at = outside;
      at.is_reachable = true;
      at.path.push_back(number);
      if (element.is_loop) {
        at.heads.push_back(element.block);
        place(element.inside, at, 1);
        at.path.push_back(0);
      }
      places_[element.block.index()] = std::move(at);
    }
  }

  std::vector<std::vector<BlockId>> successors_;
  std::vector<std::uint32_t> numbers_;
  std::vector<BlockId> stack_;
  std::uint32_t count_ = 0;
  std::vector<BlockPlace> places_;
};

}  // namespace

std::vector<BlockPlace> block_order(const Function& function) { return Orderer(function).order(); }

}  // namespace heddle::judge::bmc
