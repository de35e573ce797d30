// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/executor/side_table.h"

#include <charconv>

namespace heddle::explore {
namespace {

constexpr std::string_view header = "heddle sides 3";
constexpr unsigned symbol_shift = 40;
constexpr std::uint64_t offset_zero = std::uint64_t{1} << (symbol_shift - 1);

/// Numbers behind a word, in base 16.
class LineWriter {
 public:
  explicit LineWriter(std::string& out) : out_(out) {}
  LineWriter& word(std::string_view text) {
    out_ += text;
    return *this;
  }
  LineWriter& number(std::uint64_t value) {
    char digits[17];
    const auto end = std::to_chars(digits, digits + sizeof digits, value, 16).ptr;
    out_ += ' ';
    out_.append(digits, end);
    return *this;
  }
  void end() { out_ += '\n'; }

 private:
  std::string& out_;
};

class LineReader {
 public:
  explicit LineReader(std::string_view line) : rest_(line) {}

  std::string_view word() {
    const std::size_t length = std::min(rest_.find(' '), rest_.size());
    const std::string_view text = rest_.substr(0, length);
    rest_.remove_prefix(std::min(length + 1, rest_.size()));
    return text;
  }
  std::uint64_t number() {
    const std::string_view text = word();
    std::uint64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
    if (failure != std::errc() || end != text.data() + text.size()) is_fine_ = false;
    return value;
  }
  /// How many rows follow: no more than there is text for.
  std::size_t count() {
    const std::uint64_t value = number();
    if (value > rest_.size()) is_fine_ = false;
    return is_fine_ ? value : 0;
  }
  [[nodiscard]] bool is_fine() const { return is_fine_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool is_fine_ = true;
};

template <class... Flags>
std::uint64_t bits_of(Flags... flags) {
  std::uint64_t bits = 0, at = 0;
  ((bits |= static_cast<std::uint64_t>(flags) << at++), ...);
  return bits;
}

bool bit(std::uint64_t bits, unsigned number) { return (bits >> number & 1) != 0; }

void write(LineWriter& out, const LockUpdate& update) {
  out.number(bits_of(update.releases_anything)).number(update.acquired.size());
  for (const LockName& lock : update.acquired) out.number(lock.address).number(lock.region);
  out.number(update.addresses.size());
  for (const std::uint64_t address : update.addresses) out.number(address);
  out.number(update.regions.size());
  for (const Region region : update.regions) out.number(region);
}

LockUpdate read_update(LineReader& in) {
  LockUpdate update;
  update.releases_anything = in.number() != 0;
  update.acquired.resize(in.count());
  for (LockName& lock : update.acquired) {
    lock.address = in.number();
    lock.region = static_cast<Region>(in.number());
  }
  update.addresses.resize(in.count());
  for (std::uint64_t& address : update.addresses) address = in.number();
  update.regions.resize(in.count());
  for (Region& region : update.regions) region = static_cast<Region>(in.number());
  return update;
}

void write(LineWriter& out, const Origin& origin) {
  out.number(bits_of(origin.everything, origin.path, origin.argument)).number(origin.loads.size());
  for (const AccessKey load : origin.loads) out.number(load);
  out.number(origin.branches.size());
  for (const BranchKey branch : origin.branches) out.number(branch);
}

Origin read_origin(LineReader& in) {
  Origin origin;
  const std::uint64_t bits = in.number();
  origin.everything = bit(bits, 0);
  origin.path = bit(bits, 1);
  origin.argument = bit(bits, 2);
  origin.loads.resize(in.count());
  for (AccessKey& load : origin.loads) load = in.number();
  origin.branches.resize(in.count());
  for (BranchKey& branch : origin.branches) branch = in.number();
  return origin;
}

void write(LineWriter& out, const SideAccess& access) {
  out.number(access.variable.region).number(access.variable.bytes.address).number(access.variable.bytes.size);
  out.number(access.behind_argument.address).number(access.behind_argument.size);
  out.number(
      bits_of(access.is_write, access.is_atomic, access.is_object, access.is_end, access.takes, access.is_visible));
  out.number(access.key);
  write(out, access.before);
}

SideAccess read_side_access(LineReader& in) {
  SideAccess access;
  access.variable.region = static_cast<Region>(in.number());
  access.variable.bytes.address = in.number();
  access.variable.bytes.size = in.number();
  access.behind_argument.address = in.number();
  access.behind_argument.size = in.number();
  const std::uint64_t bits = in.number();
  access.is_write = bit(bits, 0);
  access.is_atomic = bit(bits, 1);
  access.is_object = bit(bits, 2);
  access.is_end = bit(bits, 3);
  access.takes = bit(bits, 4);
  access.is_visible = bit(bits, 5);
  access.key = in.number();
  access.before = read_update(in);
  return access;
}

void write(LineWriter& out, const Side& side) {
  write(out.number(side.branch), side.condition);
  out.number(bits_of(side.may_do_anything)).number(side.accesses.size());
  for (const SideAccess& access : side.accesses) write(out, access);
  out.number(side.ends.size());
  for (const LockUpdate& end : side.ends) write(out, end);
}

Side read_side(LineReader& in) {
  Side side;
  side.branch = in.number();
  side.condition = read_origin(in);
  side.may_do_anything = in.number() != 0;
  side.accesses.resize(in.count());
  for (SideAccess& access : side.accesses) access = read_side_access(in);
  side.ends.resize(in.count());
  for (LockUpdate& end : side.ends) end = read_update(in);
  return side;
}

void write(LineWriter& out, const SideTable::Branch& branch) {
  out.number(branch.place).number(branch.function).number(branch.meeting).number(bits_of(branch.is_call));
  out.number(branch.otherwise).number(branch.ways.size());
  for (const SideTable::Way& way : branch.ways) out.number(way.value).number(way.side);
}

/// A number of a row, or none.
std::uint32_t read_index(LineReader& in, std::size_t rows, bool& is_fine) {
  const std::uint64_t index = in.number();
  is_fine = is_fine && (index < rows || index == SideTable::no_side);
  return static_cast<std::uint32_t>(index);
}

bool read_branch(LineReader& in, SideTable& table) {
  SideTable::Branch& branch = table.branches.emplace_back();
  bool is_fine = true;
  branch.place = in.number();
  branch.function = in.number();
  branch.meeting = in.number();
  branch.is_call = in.number() != 0;
  branch.otherwise = read_index(in, table.sides.size(), is_fine);
  branch.ways.resize(in.count());
  for (SideTable::Way& way : branch.ways) {
    way.value = in.number();
    way.side = read_index(in, table.sides.size(), is_fine);
  }
  return is_fine;
}

bool read_access(LineReader& in, SideTable& table) {
  SideTable::AccessFacts& facts = table.accesses.emplace_back();
  facts.key = in.number();
  const std::uint64_t origin = in.number();
  facts.origin = static_cast<std::uint32_t>(origin);
  facts.is_answer = in.number() != 0;
  facts.regions.resize(in.count());
  for (Region& region : facts.regions) region = static_cast<Region>(in.number());
  return origin < table.origins.size();
}

bool read_line(std::string_view line, SideTable& table) {
  LineReader in(line);
  const std::string_view kind = in.word();
  bool is_fine = true;
  if (kind == "obstacle") {
    table.obstacle = line.substr(kind.size() + 1);
    return true;
  }
  if (kind == "unknown")
    table.unknown_calls = in.number();
  else if (kind == "symbol")
    table.symbols.push_back({std::string(in.word()), in.number()});
  else if (kind == "origin")
    table.origins.push_back(read_origin(in));
  else if (kind == "side")
    table.sides.push_back(read_side(in));
  else if (kind == "access")
    is_fine = read_access(in, table);
  else if (kind == "branch")
    is_fine = read_branch(in, table);
  else if (kind == "ask")
    table.asks.push_back({in.number(), in.number() != 0, in.number() != 0, in.number()});
  else
    return false;
  return is_fine && in.is_fine();
}

}  // namespace

std::string SideTable::to_text() const {
  std::string text = std::string(header) + "\n";
  LineWriter out(text);
  if (!obstacle.empty()) out.word("obstacle " + obstacle).end();
  out.word("unknown").number(unknown_calls).end();
  for (const Symbol& symbol : symbols) out.word("symbol " + symbol.name).number(symbol.size).end();
  for (const Origin& origin : origins) {
    write(out.word("origin"), origin);
    out.end();
  }
  for (const Side& side : sides) {
    write(out.word("side"), side);
    out.end();
  }
  for (const AccessFacts& facts : accesses) {
    out.word("access").number(facts.key).number(facts.origin).number(bits_of(facts.is_answer));
    out.number(facts.regions.size());
    for (const Region region : facts.regions) out.number(region);
    out.end();
  }
  for (const Branch& branch : branches) {
    write(out.word("branch"), branch);
    out.end();
  }
  for (const Ask& ask : asks)
    out.word("ask")
        .number(ask.place)
        .number(bits_of(ask.calls_back))
        .number(bits_of(ask.is_unknown))
        .number(ask.written)
        .end();
  return text;
}

Result<SideTable> SideTable::from_text(std::string_view text, const std::string& name) {
  const auto take_line = [&] {
    const std::size_t length = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    return line;
  };
  if (take_line() != header) return error(name + ": is no table of sides of this heddle");
  SideTable table;
  while (!text.empty())
    if (!read_line(take_line(), table)) return error(name + ": is damaged");
  return table;
}

std::uint64_t symbol_address(std::size_t symbol, std::int64_t offset) {
  return ((symbol + 1) << symbol_shift) + offset_zero + static_cast<std::uint64_t>(offset);
}

std::optional<SymbolPlace> symbol_place(std::uint64_t address, std::size_t symbols) {
  const std::uint64_t number = address >> symbol_shift;
  if (number == 0 || number > symbols) return std::nullopt;
  return SymbolPlace{
      number - 1, static_cast<std::int64_t>(address & (2 * offset_zero - 1)) - static_cast<std::int64_t>(offset_zero)};
}

}  // namespace heddle::explore
