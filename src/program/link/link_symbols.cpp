// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link_symbols.h"

#include <algorithm>
#include <array>
#include <map>

namespace heddle {
namespace {

/// Higher wins.
int strength(Linkage linkage) {
  switch (linkage) {
    case Linkage::External: return 4;
    case Linkage::Common: return 3;
    case Linkage::Weak: return 2;
    case Linkage::LinkOnce: return 1;
    default: return 0;
  }
}

/// Symbols that every kernel module, or every program, defines for itself: two of them are two modules.
constexpr std::array<std::string_view, 4> one_a_module = {"main", "init_module", "cleanup_module", "__this_module"};

struct Definition {
  SymbolRow row;  ///< of the target, for an alias
  Linkage linkage = Linkage::Declaration;
  std::int64_t addend = 0;  ///< of an alias
};

/// All that is known under one name.
struct Name {
  Definition best;
  std::vector<Definition> strong;      ///< external definitions, when there are several
  std::vector<std::uint32_t> differs;  ///< units with another link-once body
};

class Resolver {
 public:
  Resolver(const std::vector<Program>& units, const std::vector<std::string>& labels)
      : units_(units), labels_(labels) {}

  Resolution run() {
    for (std::uint32_t u = 0; u < units_.size(); ++u) collect(u);
    for (std::uint32_t u = 0; u < units_.size(); ++u) resolve(u);
    for (const std::string_view name : order_) report(name, names_.at(name));
    return std::move(out_);
  }

 private:
  [[nodiscard]] const Global& global(SymbolRow row) const { return units_[row.unit].globals[row.symbol.as_global()]; }
  [[nodiscard]] const Function& function(SymbolRow row) const {
    return units_[row.unit].functions[row.symbol.as_function()];
  }

  void collect(std::uint32_t u) {
    const Program& unit = units_[u];
    for (std::size_t i = 0; i < unit.functions.size(); ++i) {
      const Function& f = unit.functions[FunctionId(i)];
      if (f.linkage != Linkage::Internal)
        add(f.name, {{u, Operand::function(FunctionId(i))}, f.has_body() ? f.linkage : Linkage::Declaration});
    }
    for (std::size_t i = 0; i < unit.globals.size(); ++i) {
      const Global& g = unit.globals[GlobalId(i)];
      if (g.linkage != Linkage::Internal) add(g.name, {{u, Operand::global(GlobalId(i))}, g.linkage});
    }
    for (const Alias& alias : unit.aliases) add(alias.name, {{u, alias.target}, alias.linkage, alias.addend});
  }

  void add(std::string_view name, const Definition& definition) {
    const auto [it, is_new] = names_.try_emplace(name);
    Name& known = it->second;
    if (is_new) {
      known.best = definition;
      order_.push_back(name);
      return;
    }
    const int before = strength(known.best.linkage);
    const int now = strength(definition.linkage);
    if (before == 4 && now == 4) {
      if (known.strong.empty()) known.strong.push_back(known.best);
      known.strong.push_back(definition);
    } else if (before == 1 && now == 1 && !say_the_same(known.best, definition)) {
      known.differs.push_back(definition.row.unit);
    } else if (now > before || (now == before && is_larger_common(definition, known.best))) {
      known.best = definition;
    }
  }

  [[nodiscard]] bool is_larger_common(const Definition& a, const Definition& b) const {
    return a.linkage == Linkage::Common && global(a.row).size > global(b.row).size;
  }

  [[nodiscard]] bool say_the_same(const Definition& a, const Definition& b) const {
    if (a.row.symbol.kind() != b.row.symbol.kind()) return false;
    if (a.row.symbol.is_function()) return function(a.row).hash == function(b.row).hash;
    return global(a.row).size == global(b.row).size && std::ranges::equal(global(a.row).bytes, global(b.row).bytes);
  }

  void resolve(std::uint32_t u) {
    const Program& unit = units_[u];
    std::vector<SymbolRow>& functions = out_.functions.emplace_back();
    for (std::size_t i = 0; i < unit.functions.size(); ++i) {
      const Function& f = unit.functions[FunctionId(i)];
      const SymbolRow own{u, Operand::function(FunctionId(i))};
      functions.push_back(f.linkage == Linkage::Internal ? own : target(f.name, own));
    }
    std::vector<SymbolRow>& globals = out_.globals.emplace_back();
    for (std::size_t i = 0; i < unit.globals.size(); ++i) {
      const Global& g = unit.globals[GlobalId(i)];
      const SymbolRow own{u, Operand::global(GlobalId(i))};
      globals.push_back(g.linkage == Linkage::Internal ? own : target(g.name, own));
    }
  }

  /// A unit sees its own of several strong definitions. Aliases may stand for aliases.
  SymbolRow target(std::string_view name, SymbolRow from) {
    Definition found{from};
    for (int steps = 0; steps < 64; ++steps) {
      const auto it = names_.find(name);
      if (it == names_.end()) return found.row;
      found = it->second.best;
      for (const Definition& strong : it->second.strong)
        if (strong.row.unit == from.unit) found = strong;
      if (found.addend != 0) {
        note_inside(name, from.unit);
        return first_use_.try_emplace(name, from).first->second;
      }
      const std::string_view next = name_of(found.row);
      const bool is_internal = linkage_of(found.row) == Linkage::Internal;
      if (next == name || is_internal) return found.row;
      name = next;
    }
    return found.row;
  }

  void note_inside(std::string_view name, std::uint32_t user) {
    LinkConflict conflict;
    conflict.kind = LinkConflict::Kind::InsideObject;
    conflict.symbol = name;
    conflict.units = {labels_[names_.at(name).best.row.unit], labels_[user]};
    conflict.what = "'" + std::string(name) + "', which " + conflict.units.back() +
                    " uses, is an alias into the middle of an object of " + conflict.units.front() +
                    ", which heddle does not follow";
    out_.conflicts.push_back(std::move(conflict));
  }

  [[nodiscard]] std::string_view name_of(SymbolRow row) const {
    return row.symbol.is_function() ? function(row).name : global(row).name;
  }
  [[nodiscard]] Linkage linkage_of(SymbolRow row) const {
    return row.symbol.is_function() ? function(row).linkage : global(row).linkage;
  }

  void report(std::string_view name, const Name& known) {
    if (known.strong.size() > 1) {
      out_.ambiguous.insert(name);
      LinkConflict conflict;
      const bool is_module = std::ranges::find(one_a_module, name) != one_a_module.end();
      conflict.kind = is_module ? LinkConflict::Kind::SeparateModules : LinkConflict::Kind::DefinedTwice;
      conflict.symbol = name;
      for (const Definition& d : known.strong) conflict.units.push_back(labels_[d.row.unit]);
      conflict.what = "'" + std::string(name) + "' is defined in " + std::to_string(known.strong.size()) + " units" +
                      (is_module ? ", which are separate programs or modules" : "") +
                      "; each uses its own, all others use that of " + conflict.units.front();
      out_.conflicts.push_back(std::move(conflict));
    }
    if (!known.differs.empty()) {
      LinkConflict conflict;
      conflict.kind = LinkConflict::Kind::BodiesDiffer;
      conflict.symbol = name;
      conflict.units.push_back(labels_[known.best.row.unit]);
      for (const std::uint32_t unit : known.differs) conflict.units.push_back(labels_[unit]);
      conflict.what = "the inline definitions of '" + std::string(name) + "' are not the same in all units; that of " +
                      conflict.units.front() + " is used";
      out_.conflicts.push_back(std::move(conflict));
    }
  }

  const std::vector<Program>& units_;
  const std::vector<std::string>& labels_;
  std::unordered_map<std::string_view, Name> names_;  // looked up; walked in the order of `order_`
  std::vector<std::string_view> order_;
  std::unordered_map<std::string_view, SymbolRow> first_use_;  // of an alias into an object: the declaration that stays
  Resolution out_;
};

}  // namespace

std::vector<std::string> unit_labels(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  std::map<std::string, int> seen;
  for (const std::string& name : names) {
    const int count = ++seen[name];
    out.push_back(count == 1 ? name : name + "#" + std::to_string(count));
  }
  return out;
}

Resolution resolve_symbols(const std::vector<Program>& units, const std::vector<std::string>& labels) {
  return Resolver(units, labels).run();
}

}  // namespace heddle
