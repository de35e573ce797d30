// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/link/link_members.h"

#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace heddle {
namespace {

class Needs {
 public:
  explicit Needs(const std::vector<Program>& units) : units_(units), is_in_(units.size(), false) {}

  std::vector<bool> run(const std::vector<bool>& is_member) {
    for (std::size_t u = 0; u < units_.size(); ++u)
      if (is_member[u]) offer(u);
    for (std::size_t u = 0; u < units_.size(); ++u)
      if (!is_member[u]) take(u);
    while (!wanted_.empty()) {
      const std::string_view name = wanted_.back();
      wanted_.pop_back();
      const auto member = offered_.find(name);
      if (!defined_.contains(name) && member != offered_.end()) take(member->second);
    }
    return std::move(is_in_);
  }

 private:
  /// Calls `look` with every symbol that other units can see: its name, whether it is defined here, whether it may be
  /// missing.
  template <class Look>
  void for_each_symbol(std::size_t unit, const Look& look) const {
    for (const Function& f : units_[unit].functions)
      if (f.linkage != Linkage::Internal && !f.is_intrinsic) look(f.name, f.has_body(), f.may_be_missing);
    for (const Global& g : units_[unit].globals)
      if (g.linkage != Linkage::Internal) look(g.name, !g.is_declaration(), g.may_be_missing);
    for (const Alias& alias : units_[unit].aliases)
      if (alias.linkage != Linkage::Internal) look(alias.name, true, false);
  }

  void offer(std::size_t unit) {
    for_each_symbol(unit, [&](std::string_view name, bool is_defined, bool) {
      if (is_defined) offered_.try_emplace(name, unit);
    });
  }

  void take(std::size_t unit) {
    if (is_in_[unit]) return;
    is_in_[unit] = true;
    for_each_symbol(unit, [&](std::string_view name, bool is_defined, bool may_be_missing) {
      if (is_defined)
        defined_.insert(name);
      else if (!may_be_missing)
        wanted_.push_back(name);
    });
  }

  const std::vector<Program>& units_;
  std::vector<bool> is_in_;
  std::unordered_map<std::string_view, std::size_t> offered_;  // the first member that defines it; only looked up
  std::unordered_set<std::string_view> defined_;               // only looked up
  std::vector<std::string_view> wanted_;
};

}  // namespace

void keep_needed_members(std::vector<Program>& units, const std::vector<bool>& is_member) {
  const std::vector<bool> is_needed = Needs(units).run(is_member);
  std::vector<Program> kept;
  for (std::size_t u = 0; u < units.size(); ++u)
    if (is_needed[u]) kept.push_back(std::move(units[u]));
  units = std::move(kept);
}

}  // namespace heddle
