// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When memory that a function made becomes known to other threads.
#include <algorithm>

#include "scan/summarise/summarise.h"

namespace heddle::scan {

/// The piece of memory a name lies in, if the function can tell who knows it: its own, or a parameter's.
NodeId Summariser::owner(NodeId node) const {
  if (nodes_[node].depth != 0) return {};
  const NodeId root = nodes_.root(node);
  const NodeKind kind = nodes_[root].kind;
  return kind == NodeKind::Local || kind == NodeKind::Fresh || kind == NodeKind::Formal ? root : NodeId{};
}

/// Memory that was made in front of a loop is known from the loop's beginning on if one of its rounds gives it away.
std::uint32_t Summariser::in_loop_position(std::uint32_t rank, std::uint32_t made) const {
  std::uint32_t position = position_;
  for (const Loop& loop : loops_)
    if (loop.contains(rank) && made < loop.head) position = std::min(position, start_position_[loop.head]);
  return position;
}

void Summariser::publish(NodeId node, Reach reach) {
  const NodeId root = owner(node);
  if (!root) return;
  const Node& what = nodes_[root];
  if (reach == Reach::Everybody) {
    if (what.kind == NodeKind::Formal && what.index < 64) out_.escaping |= std::uint64_t{1} << what.index;
    if (!std::ranges::binary_search(given_away_, root.index()))
      given_away_.insert(std::ranges::lower_bound(given_away_, root.index()), root.index());
  }
  const auto made = made_.find(root.index());
  const std::uint32_t from = in_loop_position(rank_, made == made_.end() ? 0 : made->second);
  const auto [at, is_new] = published_.try_emplace(root.index(), from);
  if (!is_new && at->second <= from) return;
  at->second = from;
  for (std::size_t i = 0; i < contained_.size(); ++i)
    if (contained_[i].first == root) publish(contained_[i].second, reach);
}

/// A pointer to `content` was stored in `container`.
void Summariser::contain(NodeId container, NodeId content) {
  const NodeId inner = owner(content);
  if (!inner) return;
  const NodeId outer = owner(container);
  if (!outer) return publish(content, Reach::Everybody);
  if (nodes_[outer].kind == NodeKind::Formal)
    return publish(content, nodes_[inner].kind == NodeKind::Fresh ? Reach::Caller : Reach::Everybody);
  if (const auto known = published_.find(outer.index()); known != published_.end() && known->second <= position_)
    return publish(content, std::ranges::binary_search(given_away_, outer.index()) ? Reach::Everybody : Reach::Caller);
  contained_.emplace_back(outer, inner);
}

/// What `from` points to, `to` does as well.
void Summariser::contain_copy(NodeId to, NodeId from) {
  const NodeId copied = owner(from);
  if (!copied || owner(to) == copied) return;
  for (std::size_t i = 0, end = contained_.size(); i < end; ++i)
    if (contained_[i].first == copied) contain(to, contained_[i].second);
}

bool Summariser::is_private(NodeId node, std::uint32_t position) const {
  const NodeId root = owner(node);
  if (!root || nodes_[root].kind == NodeKind::Formal) return false;
  const auto known = published_.find(root.index());
  if (!in_.assumptions.private_until_stored) return nodes_[root].kind == NodeKind::Local && known == published_.end();
  return known == published_.end() || position <= known->second;
}

}  // namespace heddle::scan
