// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RowChains: lists of rows in one table, each a chain through it. Of hundreds of lists most have one row, and none is
// memory of its own.
//
//   RowChains<int> rows;   Chain a, b;
//   rows.append(a, 1);   rows.append(b, 2);   rows.append(a, 3);        a: 1, 3    b: 2
#pragma once
#include <cstdint>
#include <vector>

namespace heddle::scan {

struct Chain {
  static constexpr std::uint32_t end = ~0U;
  std::uint32_t first = end, last = end;
};

template <class Row>
class RowChains {
 public:
  void append(Chain& chain, const Row& row) {
    const auto number = static_cast<std::uint32_t>(links_.size());
    links_.push_back({row, Chain::end});
    (chain.first == Chain::end ? chain.first : links_[chain.last].next) = number;
    chain.last = number;
  }
  /// In the order in which they were appended.
  template <class Visit>
  void each(const Chain& chain, Visit visit) const {
    for (std::uint32_t at = chain.first; at != Chain::end; at = links_[at].next) visit(links_[at].row);
  }
  template <class IsIt>
  [[nodiscard]] bool any_of(const Chain& chain, IsIt is_it) const {
    for (std::uint32_t at = chain.first; at != Chain::end; at = links_[at].next)
      if (is_it(links_[at].row)) return true;
    return false;
  }
  [[nodiscard]] std::size_t size() const { return links_.size(); }

 private:
  struct Link {
    Row row;
    std::uint32_t next = Chain::end;
  };
  std::vector<Link> links_;
};

}  // namespace heddle::scan
