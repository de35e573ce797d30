// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/execute/publication.h"

#include <algorithm>

namespace heddle::scan {

Publication::Publication(const ScanInput& input, const FunctionBody& body, const ValueNames& names, const Cursor& at)
    : in_(input), body_(body), names_(names), nodes_(names.nodes()), at_(at), first_position_(body.block_count()) {}

NodeId Publication::owner(NodeId node) const {
  if (nodes_[node].depth != 0) return {};
  const NodeId root = nodes_.root(node);
  const NodeKind kind = nodes_[root].kind;
  return kind == NodeKind::Local || kind == NodeKind::Fresh || kind == NodeKind::Formal ? root : NodeId{};
}

/// The position from which on others may know what becomes known now. `made`: rank of the block that allocates it.
std::uint32_t Publication::known_from(std::uint32_t made) const {
  std::uint32_t position = at_.position;
  for (const Loop& loop : body_.loops)
    if (loop.contains(at_.rank) && made < loop.head) position = std::min(position, first_position_[loop.head]);
  return position;
}

void Publication::publish(NodeId node, Audience audience) {
  ++depth_;
  publish_each(node, audience);
  if (--depth_ == 0 && visited_.size() != 0) visited_.clear();
}

void Publication::publish_below(NodeId node, Audience audience) {
  ++depth_;
  publish_content(nodes_.root(node), audience);
  if (--depth_ == 0 && visited_.size() != 0) visited_.clear();
}

/// Whether this is the first time in one call of publish() or publish_below(): what hangs together goes in circles.
bool Publication::visit(NodeId node, Audience audience) {
  return visited_.insert(std::uint64_t{node.index()} << 1 | (audience == Audience::Everybody ? 1 : 0));
}

void Publication::publish_each(NodeId node, Audience audience) {
  const NodeId root = owner(node);
  if (!root) {
    const NodeId from = nodes_.root(node);
    return nodes_[from].kind == NodeKind::Value && nodes_[node].depth == 0 ? publish_value(from, audience)
                                                                           : publish_below(from, audience);
  }
  const Node& what = nodes_[root];
  bool is_news = false;  // for everybody, although callers knew it before
  if (audience == Audience::Everybody) {
    if (what.kind == NodeKind::Formal && what.index < 64) escaping_ |= std::uint64_t{1} << what.index;
    is_news = !is_given_away(root);
    if (is_news) given_away_.insert(std::ranges::lower_bound(given_away_, root.index()), root.index());
  }
  const auto made = made_.find(root.index());
  const std::uint32_t from = known_from(made == made_.end() ? 0 : made->second);
  const auto [at, is_new] = published_.try_emplace(root.index(), from);
  if (!is_new && at->second <= from && !is_news) return;
  at->second = std::min(at->second, from);
  publish_contained(root, audience);
}

void Publication::publish_contained(NodeId root, Audience audience) {
  for (std::size_t i = 0; i < contained_.size(); ++i)
    if (contained_[i].first == root && contained_[i].second != root) publish(contained_[i].second, audience);
  for (std::size_t i = 0; i < copied_.size(); ++i)
    if (copied_[i].first == root) publish_below(copied_[i].second, audience);
}

void Publication::publish_content(NodeId root, Audience audience) {
  const Node& what = nodes_[root];
  if (what.kind == NodeKind::Value) return publish_value(root, audience);
  if (!visit(root, audience)) return;
  if (what.kind == NodeKind::Formal && what.index < 64 && audience == Audience::Everybody)
    escaping_below_ |= std::uint64_t{1} << what.index;
  publish_contained(root, audience);
}

/// What a value may be, if it was chosen among others; if it was read from memory, whatever was stored there.
void Publication::publish_value(NodeId node, Audience audience) {
  const Node& named = nodes_[node];
  const Function& f = body_.function;
  if (named.function != body_.id || named.index < f.parameters.size() || named.index >= f.value_count()) return;
  if (!visit(node, audience)) return;
  if (!is_finishing_) late_.push_back({node, audience, at_});
  const Instruction& made = f.instructions[f.definition(ValueId(named.index))];
  const bool is_read = made.opcode == Opcode::Load;
  const bool is_chosen = made.opcode == Opcode::Phi || made.opcode == Opcode::Select || made.opcode == Opcode::Cast ||
                         made.opcode == Opcode::Freeze;
  for (const Operand operand : f.operands_of(made)) {
    if ((!is_read && !is_chosen) || !operand.is_value()) continue;
    const SymbolicValue& one = names_.value_of(operand.as_value());
    if (!one.is_address()) continue;
    is_read ? publish_below(one.address.node, audience) : publish(one.address.node, audience);
  }
}

void Publication::finish(Cursor& at) {
  is_finishing_ = true;
  const std::vector<Late> late = std::move(late_);
  for (const Late& one : late) {
    at = one.at;
    publish(one.node, one.audience);
  }
}

void Publication::contain(NodeId container, NodeId content) {
  const NodeId inner = owner(content);
  if (!inner) {
    // What hangs off something, or a value: known from now on if the container is, and perhaps later.
    const NodeId into = owner(container);
    const bool is_ours = into && nodes_[into].kind != NodeKind::Formal && !published_.contains(into.index());
    const NodeKind root = nodes_[nodes_.root(content)].kind;
    if (root == NodeKind::Global || root == NodeKind::Hidden) return;
    if (is_ours)
      contained_.emplace_back(into, content);
    else
      publish(content, Audience::Everybody);
    return;
  }
  const NodeId outer = owner(container);
  if (!outer) return publish(content, Audience::Everybody);
  // Whatever knows it now: whoever gets to know the outer one later will know the inner one, too.
  contained_.emplace_back(outer, inner);
  if (nodes_[outer].kind == NodeKind::Formal)
    return publish(content, nodes_[inner].kind == NodeKind::Fresh ? Audience::Caller : Audience::Everybody);
  if (const auto known = published_.find(outer.index()); known != published_.end() && known->second <= at_.position)
    publish(content, is_given_away(outer) ? Audience::Everybody : Audience::Caller);
}

void Publication::contain_copy(NodeId to, NodeId from) {
  const NodeId copied = owner(from);
  if (copied && owner(to) == copied) return;
  for (std::size_t i = 0, end = contained_.size(); copied && i < end; ++i)
    if (contained_[i].first == copied) contain(to, contained_[i].second);
  const NodeKind root = nodes_[nodes_.root(from)].kind;
  if (root == NodeKind::Formal || root == NodeKind::Value) return copy_unknown(to, nodes_.root(from));
  for (std::size_t i = 0, end = copied_.size(); i < end; ++i)
    if (copied_[i].first == copied) copy_unknown(to, copied_[i].second);
}

void Publication::copy_unknown(NodeId to, NodeId from) {
  leaves_copies_ = true;
  if (in_.assumptions.closures) return;
  const NodeId outer = owner(to);
  if (outer && nodes_[outer].kind != NodeKind::Formal && !published_.contains(outer.index()))
    copied_.emplace_back(outer, from);
  else
    publish_below(from, Audience::Everybody);
}

bool Publication::gives_locals_away() const {
  return std::ranges::any_of(given_away_,
                             [&](std::uint32_t root) { return nodes_[NodeId(root)].kind == NodeKind::Local; });
}

bool Publication::is_private(NodeId node, std::uint32_t position) const {
  const NodeId root = owner(node);
  if (!root || nodes_[root].kind == NodeKind::Formal) return false;
  const auto known = published_.find(root.index());
  if (!in_.assumptions.private_until_stored) return nodes_[root].kind == NodeKind::Local && known == published_.end();
  return known == published_.end() || position <= known->second;
}

bool Publication::is_published(NodeId node, std::uint32_t position) const {
  const auto known = published_.find(nodes_.root(node).index());
  return known != published_.end() && known->second < position;
}

bool Publication::is_ever_published(NodeId node) const { return published_.contains(nodes_.root(node).index()); }

bool Publication::is_own(NodeId node) const {
  const NodeId root = owner(node);
  return root && nodes_[root].kind != NodeKind::Formal && !published_.contains(root.index());
}

bool Publication::is_exposed(NodeId node) const {
  const NodeId root = owner(node);
  if (!root || nodes_[root].kind == NodeKind::Formal) return false;  // callers' memory has other names, see KnownStores
  return published_.contains(root.index()) ||
         std::ranges::any_of(contained_, [&](const auto& pair) { return pair.second == root; });
}

bool Publication::is_given_away(NodeId node) const { return std::ranges::binary_search(given_away_, node.index()); }

}  // namespace heddle::scan
