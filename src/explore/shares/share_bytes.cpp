// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/shares/share_bytes.h"

namespace heddle::explore {
namespace {

template <class Rows, class Write>
void write_rows(ByteWriter& out, const Rows& rows, const Write& write_one) {
  out.number(rows.size());
  for (const auto& row : rows) write_one(row);
}

template <class Row, class Read>
std::vector<Row> read_rows(ByteReader& in, const Read& read_one) {
  std::vector<Row> rows;
  for (std::uint32_t left = in.count(); left > 0 && !in.failed(); --left) rows.push_back(read_one());
  return rows;
}

void write_touches(ByteWriter& out, const std::vector<TouchedObject>& touches) {
  write_rows(out, touches, [&](const TouchedObject& touch) {
    out.number(touch.object).number(touch.begin).number(touch.end).number(static_cast<std::uint64_t>(touch.kind));
  });
}

std::vector<TouchedObject> read_touches(ByteReader& in) {
  return read_rows<TouchedObject>(in, [&] {
    TouchedObject touch;
    touch.object = in.number();
    touch.begin = in.number();
    touch.end = in.number();
    touch.kind = static_cast<TouchKind>(in.below(static_cast<std::uint64_t>(TouchKind::Release) + 1));
    return touch;
  });
}

void write_numbers(ByteWriter& out, const std::vector<std::uint32_t>& numbers) {
  write_rows(out, numbers, [&](std::uint32_t number) { out.number(number); });
}

std::vector<std::uint32_t> read_numbers(ByteReader& in) {
  return read_rows<std::uint32_t>(in, [&] { return in.number32(); });
}

void write_event(ByteWriter& out, const Event& event) {
  out.number(event.thread).number(event.choice).number(event.choices);
  out.number((event.conditional ? 1U : 0U) | (event.used_up ? 2U : 0U) | (event.spun ? 4U : 0U));
  out.number(static_cast<std::uint64_t>(event.operation)).number(static_cast<std::uint64_t>(event.end));
  write_touches(out, event.touches);
  write_numbers(out, event.spawned);
}

Event read_event(ByteReader& in) {
  Event event;
  event.thread = in.number32();
  event.choice = in.number32();
  event.choices = in.number32();
  const std::uint32_t flags = in.below(8);
  event.conditional = (flags & 1) != 0;
  event.used_up = (flags & 2) != 0;
  event.spun = (flags & 4) != 0;
  event.operation = static_cast<Operation>(in.below(static_cast<std::uint64_t>(Operation::Up) + 1));
  event.end = static_cast<StepEnd>(in.below(static_cast<std::uint64_t>(StepEnd::Refused) + 1));
  event.touches = read_touches(in);
  event.spawned = read_numbers(in);
  return event;
}

void write_events(ByteWriter& out, const std::vector<Event>& events) {
  write_rows(out, events, [&](const Event& event) { write_event(out, event); });
}

std::vector<Event> read_events(ByteReader& in) {
  return read_rows<Event>(in, [&] { return read_event(in); });
}

void write_node(ByteWriter& out, const SearchNode& node) {
  write_numbers(out, node.enabled);
  write_events(out, node.sleep);
  write_numbers(out, node.backtrack);
  write_event(out, node.event);
  write_touches(out, node.touched);
  write_numbers(out, node.outcomes);
  out.number(node.preemptions).number(node.inherited).number(node.is_loud ? 1 : 0);
}

SearchNode read_node(ByteReader& in) {
  SearchNode node;
  node.enabled = read_numbers(in);
  node.sleep = read_events(in);
  node.backtrack = read_numbers(in);
  node.event = read_event(in);
  node.touched = read_touches(in);
  node.outcomes = read_numbers(in);
  node.preemptions = in.number32();
  node.inherited = in.below(node.sleep.size() + 1);
  node.is_loud = in.below(2) != 0;
  return node;
}

}  // namespace

void write(ByteWriter& out, const Share& share) {
  out.number(share.first).number(share.kept).number(share.is_begun ? 1 : 0);
  write_rows(out, share.path, [&](const SearchNode& node) { write_node(out, node); });
}

Share read_share(ByteReader& in) {
  Share share;
  share.first = in.number();
  share.kept = in.number();
  share.is_begun = in.below(2) != 0;
  share.path = read_rows<SearchNode>(in, [&] { return read_node(in); });
  const std::size_t size = share.path.size();
  bool fits = share.first <= size && share.kept <= size && share.first <= share.kept;
  // All but the last one lead on.
  for (std::size_t i = 0; i + 1 < size; ++i) fits = fits && share.path[i].has_event();
  if (!fits) in.fail();
  return share;
}

void write(ByteWriter& out, const ShareReport& report) {
  write(out, report.rest);
  write_rows(out, report.wishes, [&](const Wish& wish) { out.number(wish.depth).number(wish.thread); });
  out.number(report.quiet ? *report.quiet + 1 : 0);
}

ShareReport read_share_report(ByteReader& in) {
  ShareReport report;
  report.rest = read_share(in);
  report.wishes = read_rows<Wish>(in, [&] {
    Wish wish;
    wish.depth = in.number();
    wish.thread = in.number32();
    return wish;
  });
  if (const std::uint64_t quiet = in.number(); quiet > 0) report.quiet = quiet - 1;
  return report;
}

}  // namespace heddle::explore
