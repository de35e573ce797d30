// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unordered_map>

#include "program/link/link_copy.h"

namespace heddle {
namespace {

class Declarer {
 public:
  Declarer(const std::vector<Program>& units, const std::vector<std::string>& labels, const Resolution& resolution,
           Program& out)
      : units_(units), labels_(labels), resolution_(resolution), out_(out) {}

  SymbolIds run() {
    for (const Program& unit : units_) {
      ids_.functions.emplace_back(unit.functions.size());
      ids_.globals.emplace_back(unit.globals.size());
    }
    for_each_row([&](SymbolRow row) { row_of(resolution_[row]).is_kept = true; });
    for_each_row([&](SymbolRow row) {
      if (row_of(row).is_kept) ++holders_[row.symbol.is_function() ? function(row).name : global(row).name];
    });
    for_each_row([&](SymbolRow row) {
      if (row_of(row).is_kept) declare(row);
    });
    for_each_row([&](SymbolRow row) { add_what_it_says(row); });
    return std::move(ids_);
  }

 private:
  template <class Look>
  void for_each_row(const Look& look) {
    for (std::uint32_t u = 0; u < units_.size(); ++u) {
      for (std::size_t i = 0; i < units_[u].globals.size(); ++i) look(SymbolRow{u, Operand::global(GlobalId(i))});
      for (std::size_t i = 0; i < units_[u].functions.size(); ++i) look(SymbolRow{u, Operand::function(FunctionId(i))});
    }
  }
  SymbolIds::Row& row_of(SymbolRow row) {
    return (row.symbol.is_function() ? ids_.functions : ids_.globals)[row.unit][row.symbol.index()];
  }
  [[nodiscard]] const Global& global(SymbolRow row) const { return units_[row.unit].globals[row.symbol.as_global()]; }
  [[nodiscard]] const Function& function(SymbolRow row) const {
    return units_[row.unit].functions[row.symbol.as_function()];
  }

  /// Nobody else's name, and the same whatever order the units come in.
  std::string_view unique_name(std::string_view name, Linkage linkage, std::uint32_t unit) {
    if (linkage != Linkage::Internal || holders_.at(name) == 1) return out_.arena.text(name);
    return out_.arena.text(std::string(name) + "@" + labels_[unit]);
  }

  /// One of several strong definitions that others do not see is like an internal one.
  Linkage linkage_of(std::string_view name, Linkage linkage, std::uint32_t unit) {
    if (linkage != Linkage::External || !resolution_.ambiguous.contains(name)) return linkage;
    const auto [it, is_first] = first_strong_.try_emplace(name, unit);
    return it->second == unit ? linkage : Linkage::Internal;
  }

  void declare(SymbolRow row) {
    if (row.symbol.is_function()) {
      Function f = function(row);
      f.linkage = linkage_of(f.name, f.linkage, row.unit);
      f.name = unique_name(f.name, f.linkage, row.unit);
      row_of(row).symbol = Operand::function(out_.functions.add(f));
    } else {
      Global g = global(row);
      g.linkage = linkage_of(g.name, g.linkage, row.unit);
      g.name = unique_name(g.name, g.linkage, row.unit);
      row_of(row).symbol = Operand::global(out_.globals.add(g));
    }
  }

  void add_what_it_says(SymbolRow row) {
    const Operand to = row_of(resolution_[row]).symbol;
    row_of(row).symbol = to;
    const bool is_taken = row.symbol.is_function() && function(row).is_address_taken;
    const bool may_be_missing = row.symbol.is_function() ? function(row).may_be_missing : global(row).may_be_missing;
    if (to.is_function()) {
      Function& f = out_.functions[to.as_function()];
      f.is_address_taken = f.is_address_taken || is_taken || !row.symbol.is_function();
      f.may_be_missing = f.may_be_missing && may_be_missing;
    } else {
      Global& g = out_.globals[to.as_global()];
      g.may_be_missing = g.may_be_missing && may_be_missing;
    }
  }

  const std::vector<Program>& units_;
  const std::vector<std::string>& labels_;
  const Resolution& resolution_;
  Program& out_;
  SymbolIds ids_;
  std::unordered_map<std::string_view, int> holders_;                 // of a name; only looked up
  std::unordered_map<std::string_view, std::uint32_t> first_strong_;  // only looked up
};

}  // namespace

SymbolIds declare_symbols(const std::vector<Program>& units, const std::vector<std::string>& labels,
                          const Resolution& resolution, Program& out) {
  return Declarer(units, labels, resolution, out).run();
}

}  // namespace heddle
