// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <optional>

#include "program/link/link_symbols.h"
#include "program/link/link_types.h"

namespace heddle {
namespace {

/// A chain of internal functions longer than this is not shared.
constexpr int deepest_chain = 64;

/// The content of internal functions with everything internal that they reach; none if that cannot be shared.
class InlineContent {
 public:
  InlineContent(const Program& unit, const std::unordered_set<std::string_view>& ambiguous)
      : unit_(unit), ambiguous_(ambiguous), known_(unit.functions.size()) {}

  std::optional<ContentHash> of(FunctionId id, int depth = 0) {
    Entry& entry = known_[id.index()];
    if (entry.state == State::Open) return std::nullopt;  // recursion
    if (entry.state == State::Done) return entry.content;
    if (depth > deepest_chain) return std::nullopt;
    entry.state = State::Open;
    std::optional<ContentHash> content = look(unit_.functions[id], depth);
    entry = {State::Done, content};
    return content;
  }

 private:
  enum class State : std::uint8_t { New, Open, Done };
  struct Entry {
    State state = State::New;
    std::optional<ContentHash> content;
  };

  std::optional<ContentHash> look(const Function& f, int depth) {
    if (!f.has_body() || f.linkage != Linkage::Internal || f.is_address_taken || !f.location) return std::nullopt;
    const Location& at = unit_.locations[f.location];
    if (!at.file) return std::nullopt;
    Hasher h;
    h.add(f.name).add(unit_.files[at.file].path).add(at.line).add(f.hash.high).add(f.hash.low);
    for (const Operand operand : f.operands)
      if (!add(h, operand, depth)) return std::nullopt;
    return h.finish();
  }

  /// Symbols that all units see count by name, and are in the function's hash already.
  bool add(Hasher& h, Operand operand, int depth) {
    switch (operand.kind()) {
      case Operand::Kind::Constant:
        for (const Operand element : unit_.constants[operand.as_constant()].elements)
          if (!add(h, element, depth)) return false;
        return true;
      case Operand::Kind::Global: {
        const Global& g = unit_.globals[operand.as_global()];
        if (g.linkage != Linkage::Internal) return !ambiguous_.contains(g.name);
        if (!g.is_constant || !g.source_name.empty() || !g.relocations.empty()) return false;
        h.add(g.size).add(std::string_view(reinterpret_cast<const char*>(g.bytes.data()), g.bytes.size()));
        return true;
      }
      case Operand::Kind::Function: {
        const Function& f = unit_.functions[operand.as_function()];
        if (f.linkage != Linkage::Internal) return !ambiguous_.contains(f.name);
        const auto content = of(operand.as_function(), depth + 1);
        if (content) h.add(content->high).add(content->low);
        return content.has_value();
      }
      default: return true;
    }
  }

  const Program& unit_;
  const std::unordered_set<std::string_view>& ambiguous_;
  std::vector<Entry> known_;
};

/// Paths that more than one unit read.
std::unordered_set<std::string_view> shared_files(const std::vector<Program>& units) {
  std::unordered_set<std::string_view> seen;
  std::unordered_set<std::string_view> out;
  for (const Program& unit : units)
    for (const File& file : unit.files)
      if (!seen.insert(file.path).second) out.insert(file.path);
  return out;
}

}  // namespace

void share_inline_functions(const std::vector<Program>& units, Resolution& resolution) {
  if (units.size() < 2) return;
  const std::unordered_set<std::string_view> shared = shared_files(units);
  std::unordered_map<ContentHash, SymbolRow, ContentHashHash> first;  // only looked up
  for (std::uint32_t u = 0; u < units.size(); ++u) {
    const Program& unit = units[u];
    InlineContent contents(unit, resolution.ambiguous);
    for (std::size_t i = 0; i < unit.functions.size(); ++i) {
      const Function& f = unit.functions[FunctionId(i)];
      if (f.linkage != Linkage::Internal || !f.location) continue;
      const FileId file = unit.locations[f.location].file;
      if (!file || !shared.contains(unit.files[file].path)) continue;
      const auto content = contents.of(FunctionId(i));
      if (!content) continue;
      const SymbolRow own{u, Operand::function(FunctionId(i))};
      const auto [it, is_new] = first.try_emplace(*content, own);
      if (!is_new && it->second.unit != u) resolution.functions[u][i] = it->second;
    }
  }
}

}  // namespace heddle
