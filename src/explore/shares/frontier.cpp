// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/shares/frontier.h"

#include <algorithm>

#include "explore/shares/share_bytes.h"

namespace heddle::explore {

std::vector<std::size_t> Frontier::next_round(std::size_t most) {
  const auto with_work = [&] {
    std::vector<std::size_t> found;
    for (const auto& [number, part] : parts_)
      if (has_work(part.share)) found.push_back(number);
    return found;
  };
  std::vector<std::size_t> round = with_work();
  for (bool was_cut = true; was_cut && round.size() < most;) {
    was_cut = false;
    for (const std::size_t number : round)
      if (round.size() < most && cut(number)) was_cut = true;
    if (was_cut) round = with_work();
  }
  round.resize(std::min(round.size(), most));
  return round;
}

bool Frontier::has_work(const Share& share) const {
  if (!share.is_begun) return true;
  for (std::size_t i = share.first; i < share.path.size(); ++i)
    if (share.path[i].next_outcome() || share.path[i].has_others(kind_)) return true;
  return false;
}

/// Behind this node. The outcomes of one choice stay together: until all are known, nobody can say what wakes the event.
std::optional<std::size_t> Frontier::where_to_cut(const Share& share) const {
  for (std::size_t i = share.first; i + 1 < share.path.size(); ++i) {
    const SearchNode& node = share.path[i];
    if (!node.has_event() || node.next_outcome() || !node.has_others(kind_)) continue;
    const bool has_more = std::any_of(share.path.begin() + static_cast<std::ptrdiff_t>(i + 1), share.path.end(),
                                      [&](const SearchNode& n) { return n.next_outcome() || n.has_others(kind_); });
    return has_more ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

bool Frontier::cut(std::size_t number) {
  const std::optional<std::size_t> at = where_to_cut(parts_.at(number).share);
  if (!at) return false;
  const std::size_t below = next_number_++;
  Part& upper = parts_.at(number);
  Part& lower = parts_[below];
  lower.parent = number;
  lower.share = {upper.share.path, *at + 1, *at + 1, true};
  upper.share.path.resize(*at + 1);
  upper.share.path.back().retire_event(kind_);
  for (auto& [child, part] : parts_)
    if (part.parent == number && child != below && part.share.first > *at + 1) part.parent = below;
  upper.share.kept = kept_by_children(number);
  lower.share.kept = kept_by_children(below);
  return true;
}

std::size_t Frontier::kept_by_children(std::size_t number) const {
  std::size_t kept = parts_.at(number).share.first;
  for (const auto& [child, part] : parts_)
    if (part.parent == number) kept = std::max(kept, part.share.first);
  return kept;
}

std::size_t Frontier::owner_of(std::size_t number, std::size_t depth) const {
  while (parts_.at(number).share.first > depth) number = parts_.at(number).parent;
  return number;
}

Result<void> Frontier::take_back(std::size_t number, ShareReport report) {
  const auto found = parts_.find(number);
  if (found == parts_.end()) return error("a worker answered for a share that nobody has");
  Share& share = found->second.share;
  const bool fits = report.rest.first == share.first && report.rest.kept == share.kept && report.rest.is_begun &&
                    report.rest.path.size() >= std::max(share.kept, share.first);
  if (!fits) return error("a worker's answer does not fit its share");
  share = std::move(report.rest);
  for (Wish& wish : report.wishes) {
    if (wish.depth >= share.first || wish.sequence.empty()) return error("a worker's wish does not fit its share");
    SearchNode& node = parts_.at(owner_of(number, wish.depth)).share.path.at(wish.depth);
    Sequence sequence;
    for (const Event& event : wish.sequence) sequence.push_back(&event);
    add_reversal(kind_, node, std::move(sequence));
  }
  if (report.quiet && *report.quiet < share.first) give_up_behind(number, *report.quiet);
  if (has(number)) tidy(number);
  return {};
}

/// The node at this depth of the share's path is another share's; nothing is to be run from it any more.
void Frontier::give_up_behind(std::size_t number, std::size_t depth) {
  const std::size_t owner = owner_of(number, depth);
  std::vector<std::size_t> gone;
  for (const auto& [child, part] : parts_)
    if (part.parent == owner && part.share.first > depth) gone.push_back(child);
  for (const std::size_t child : gone) drop(child);
  Share& share = parts_.at(owner).share;
  share.path.resize(depth);
  share.kept = kept_by_children(owner);
  tidy(owner);
}

void Frontier::drop(std::size_t number) {
  std::vector<std::size_t> children;
  for (const auto& [child, part] : parts_)
    if (part.parent == number) children.push_back(child);
  for (const std::size_t child : children) drop(child);
  parts_.erase(number);
}

/// A share without anything to do and without others that hang on it is over, and so may be the one it hangs on.
void Frontier::tidy(std::size_t number) {
  while (number != nobody) {
    Part& part = parts_.at(number);
    const bool is_needed = std::ranges::any_of(parts_, [&](const auto& one) { return one.second.parent == number; });
    part.share.kept = kept_by_children(number);
    if (is_needed || has_work(part.share)) return;
    const std::size_t parent = part.parent;
    parts_.erase(number);
    number = parent;
  }
}

double Frontier::done() const {
  // Of a node that lies on the way with weight w and has n branches, each has w/n; what is left is what shares have.
  double left = 0;
  for (const auto& [number, part] : parts_) {
    double weight = 1;
    for (std::size_t i = 0; i < part.share.path.size(); ++i) {
      const SearchNode& node = part.share.path[i];
      const std::size_t others = kind_ == SearchKind::Optimal
                                     ? node.wakeup.branches.size() - (node.has_event() ? 1U : 0U)
                                     : static_cast<std::size_t>(std::ranges::count_if(node.backtrack, [&](ThreadIndex t) {
                                         return t != node.event.thread && !node.sleeps(t);
                                       }));
      const std::size_t finished = node.sleep.size();
      const double all = static_cast<double>(others + finished + (node.has_event() ? 1U : 0U));
      if (all == 0) break;
      if (i >= part.share.first) left += weight * static_cast<double>(others) / all;
      if (!node.has_event()) break;
      weight /= all;
    }
    if (!part.share.is_begun) left += weight;
  }
  return std::clamp(1 - left, 0.0, 1.0);
}

std::string Frontier::bytes() const {
  ByteWriter out;
  out.number(static_cast<std::uint64_t>(kind_)).number(next_number_).number(parts_.size());
  for (const auto& [number, part] : parts_) {
    out.number(number).number(part.parent);
    write(out, part.share);
  }
  return out.take();
}

Result<Frontier> Frontier::from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  Frontier frontier(static_cast<SearchKind>(in.below(static_cast<std::uint64_t>(SearchKind::Optimal) + 1)));
  frontier.parts_.clear();
  frontier.next_number_ = in.number();
  for (std::uint32_t count = in.count(); count > 0 && !in.failed(); --count) {
    const std::size_t number = in.number();
    Part& part = frontier.parts_[number];
    part.parent = in.number();
    part.share = read_share(in);
  }
  // A share hangs on one that was made before it and has the node it hangs on.
  bool fits = !in.failed() && in.at_end();
  for (const auto& [number, part] : frontier.parts_) {
    const auto parent = frontier.parts_.find(part.parent);
    if (part.parent == nobody ? part.share.first != 0 : parent == frontier.parts_.end()) fits = false;
    if (part.parent != nobody && parent != frontier.parts_.end() &&
        (part.share.first <= parent->second.share.first || parent->second.share.path.size() < part.share.first ||
         parent->second.share.kept < part.share.first))
      fits = false;
  }
  if (!fits) return error("it is damaged");
  return frontier;
}

}  // namespace heddle::explore
