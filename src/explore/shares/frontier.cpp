// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/shares/frontier.h"

#include <algorithm>

#include "explore/shares/share_bytes.h"

namespace heddle::explore {
namespace {

bool has_more(const SearchNode& node) { return node.next_outcome() || node.others() > 0; }

bool has_more(const Share& share, std::size_t from) {
  return std::any_of(share.path.begin() + static_cast<std::ptrdiff_t>(from), share.path.end(),
                     [](const SearchNode& node) { return has_more(node); });
}

bool has_work(const Share& share) { return !share.is_begun || has_more(share, share.first); }

/// Behind this node. The outcomes of one choice stay together: until all are known, nobody can say what wakes the
/// event.
std::optional<std::size_t> where_to_cut(const Share& share) {
  for (std::size_t i = share.first; i + 1 < share.path.size(); ++i) {
    const SearchNode& node = share.path[i];
    if (!node.has_event() || node.next_outcome() || node.others() == 0) continue;
    return has_more(share, i + 1) ? std::optional(i) : std::nullopt;
  }
  return std::nullopt;
}

/// How much of the search a share has left. A node on the way gives each of its branches an equal part.
double left_of(const Share& share) {
  double left = 0, weight = 1;
  for (std::size_t i = 0; i < share.path.size(); ++i) {
    const SearchNode& node = share.path[i];
    const std::size_t others = node.others();
    const double all = static_cast<double>(others + node.sleep.size() + (node.has_event() ? 1 : 0));
    if (all == 0) break;
    if (i >= share.first) left += weight * static_cast<double>(others) / all;
    weight /= all;
  }
  return share.is_begun ? left : 1;
}

}  // namespace

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

bool Frontier::cut(std::size_t number) {
  const std::optional<std::size_t> at = where_to_cut(parts_.at(number).share);
  if (!at) return false;
  const std::size_t below = next_number_++;
  Part& upper = parts_.at(number);
  Part& lower = parts_[below];
  lower.parent = number;
  lower.share = {upper.share.path, *at + 1, *at + 1, true};
  upper.share.path.resize(*at + 1);
  upper.share.path.back().retire_event(SearchKind::Source);
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

Result<void> Frontier::take_back(std::vector<SharedOut> round) {
  for (SharedOut& one : round) {
    const auto found = parts_.find(one.number);
    if (found == parts_.end()) return error("a worker answered for a share that nobody has");
    Share& share = found->second.share;
    Share& rest = one.report.rest;
    if (rest.first != share.first || rest.kept != share.kept || !rest.is_begun || rest.path.size() < share.kept)
      return error("a worker's answer does not fit its share");
    share = std::move(rest);
  }
  for (const SharedOut& one : round)
    for (const Wish& wish : one.report.wishes)
      if (!add_wish(one.number, wish)) return error("a worker's wish does not fit its share");
  for (const SharedOut& one : round) {
    if (!parts_.contains(one.number)) continue;  // an earlier one of the round has made it needless
    if (one.report.quiet && *one.report.quiet < parts_.at(one.number).share.first)
      give_up_behind(one.number, *one.report.quiet);
    if (parts_.contains(one.number)) tidy(one.number);
  }
  return {};
}

bool Frontier::add_wish(std::size_t number, const Wish& wish) {
  if (wish.depth >= parts_.at(number).share.first) return false;
  SearchNode& node = parts_.at(owner_of(number, wish.depth)).share.path.at(wish.depth);
  if (!node.is_enabled(wish.thread)) return false;
  if (!node.to_be_run(wish.thread)) node.backtrack.push_back(wish.thread);
  return true;
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
  double left = 0;
  for (const auto& [number, part] : parts_) left += left_of(part.share);
  return std::clamp(1 - left, 0.0, 1.0);
}

std::string Frontier::bytes() const {
  ByteWriter out;
  out.number(next_number_).number(parts_.size());
  for (const auto& [number, part] : parts_) {
    out.number(number).number(part.parent);
    write(out, part.share);
  }
  return out.take();
}

Result<Frontier> Frontier::from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  Frontier frontier;
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
