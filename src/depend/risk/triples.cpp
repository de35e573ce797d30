// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/triples.h"

#include <algorithm>
#include <tuple>

#include "depend/risk/call_graph.h"
#include "depend/risk/feasibility.h"
#include "depend/risk/mask_flow.h"
#include "depend/risk/register_updates.h"
#include "program/model/device_register.h"

namespace heddle::depend {
namespace {

constexpr std::size_t most_of_variable = 1000, most_ways = 64;

/// From one access to another. More than these: nothing rules the pair out.
struct Ways {
  std::vector<Way> some;
  bool are_more = false;
};

using Above = std::map<FunctionId, std::vector<std::size_t>>;

std::uint32_t line_of(const Program& program, const Access& access) {
  const LocationId at = program.functions[access.function].instructions[access.instruction].location;
  return at ? program.locations[at].line : 0;
}

class Finder {
 public:
  Finder(const Program& program, const System& system, const alias::AliasFacts& aliases)
      : program_(program),
        system_(system),
        calls_(program, aliases),
        accesses_(program, aliases),
        masks_(program, system, calls_),
        feasibility_(program, system, calls_, accesses_, reached_) {
    for (const SystemEntry& entry : system.entries()) reached_.push_back(calls_.reached_from(entry.function));
  }

  Triples run() {
    for (const auto& [variable, all] : accesses_.all())
      look_at(all, [](const Access& a, const Access& b) { return may_meet(a, b); });
    for (const std::vector<NamedVariable>& group : system_.redundant()) look_at(group);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::vector<const Access*> of_entry(const std::vector<Access>& all, std::size_t entry) {
    std::vector<const Access*> found;
    const FunctionId function = system_.entries()[entry].function;
    for (const Access& access : all)
      if (reached_[entry][access.function.index()] &&
          !masks_.is_start_up(function, access.function, access.instruction))
        found.push_back(&access);
    return found;
  }

  /// Whether two accesses are to the same information.
  using Same = bool (*)(const Access&, const Access&);

  /// Variables that hold the same information: one is read, or written, and then another.
  void look_at(const std::vector<NamedVariable>& group) {
    std::vector<Access> all;
    for (const NamedVariable& one : group)
      if (const auto found = accesses_.all().find(one.global); found != accesses_.all().end())
        all.insert(all.end(), found->second.begin(), found->second.end());
    look_at(all, [](const Access& a, const Access& b) { return a.variable != b.variable; });
  }

  void look_at(const std::vector<Access>& all, Same is_same) {
    found_.clear();
    for (std::size_t e = 0; e < reached_.size() && found_.size() < most_of_variable; ++e) look_at(all, is_same, e);
    if (found_.size() >= most_of_variable) ++out_.cut;
    for (auto& [places, triple] : found_) out_.all.push_back(triple);
  }

  void look_at(const std::vector<Access>& all, Same is_same, std::size_t e) {
    const std::vector<const Access*> own = of_entry(all, e);
    std::map<std::size_t, std::vector<const Access*>> others;
    for (std::size_t i = 0; i < reached_.size(); ++i)
      if (system_.can_interrupt(i, e))
        if (std::vector<const Access*> theirs = of_entry(all, i); !theirs.empty()) others[i] = std::move(theirs);
    if (others.empty()) return;
    for (const Access* first : own)
      for (const Access* second : own) {
        if (!is_same(*first, *second)) continue;
        // A device register is read, changed and written back in one run of a function.
        const bool is_device = device_address(program_.globals[first->variable]).has_value();
        const Ways ways = is_device ? direct_way(e, *first, *second) : find_ways(e, *first, *second);
        if (ways.some.empty()) continue;
        for (const auto& [i, theirs] : others) look_at(e, i, *first, *second, ways, theirs);
        if (found_.size() >= most_of_variable) return;
      }
  }

  void look_at(std::size_t e, std::size_t i, const Access& first, const Access& second, const Ways& ways,
               const std::vector<const Access*>& others) {
    Masks held;
    const auto keeps_out = [&](const MaskStep& mask) { return system_.keeps_out(mask, i); };
    const FunctionId entry = system_.entries()[e].function;
    std::ranges::copy_if(masks_.at(entry, first.function, first.instruction), std::back_inserter(held), keeps_out);
    const bool is_pair = first.variable != second.variable;
    for (const Access* between : others) {
      const bool meets_first = may_meet(first, *between), meets_second = may_meet(second, *between);
      if (is_pair ? !meets_first && !meets_second : !meets_first || !meets_second) continue;
      std::optional<bool> is_open;
      for (const bool a : {false, true})
        for (const bool m : {false, true})
          for (const bool b : {false, true}) {
            if (!has(first, a) || !has(*between, m) || !has(second, b) || !is_broken(a, m, b)) continue;
            if (is_pair && a != b) continue;  // of two variables: two reads, or two writes
            if (a && b && is_asked_flag(first, second, *between)) continue;
            if (!may_be_broken(program_, first, a, second, b)) continue;
            if (!is_open) is_open = is_interruptible(e, first, second, ways, held, *between);
            if (*is_open) add({e, i, first, *between, second, a, m, b});
          }
    }
  }

  void add(const Triple& t) {
    found_.try_emplace({line_of(program_, t.first), line_of(program_, t.between), line_of(program_, t.second),
                        t.first_writes, t.between_writes, t.second_writes},
                       t);
  }

  /// Set and cleared, and only asked: that is what it is for.
  [[nodiscard]] bool is_asked_flag(const Access& first, const Access& second, const Access& asked) const {
    return stores_constant(first) && stores_constant(second) && only_decides(asked);
  }

  [[nodiscard]] bool stores_constant(const Access& access) const {
    const Function& function = program_.functions[access.function];
    const Instruction& code = function.instructions[access.instruction];
    return code.opcode == Opcode::Store && function.operands_of(code)[0].is_constant();
  }

  /// What was read goes into branches and nowhere else.
  [[nodiscard]] bool only_decides(const Access& access) const {
    const Function& function = program_.functions[access.function];
    std::vector<Operand> values{Operand::value(function.result_of(access.instruction))};
    for (std::size_t i = access.instruction + 1; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      const auto uses = [&](Operand operand) { return std::ranges::find(values, operand) != values.end(); };
      if (std::ranges::none_of(function.operands_of(code), uses)) continue;
      const bool is_branch = code.opcode == Opcode::CondBranch || code.opcode == Opcode::Switch;
      if (!is_branch && code.opcode != Opcode::Compare && code.opcode != Opcode::Cast) return false;
      if (!is_branch) values.push_back(Operand::value(function.result_of(i)));
    }
    return true;
  }

  static bool has(const Access& access, bool writes) { return writes ? access.writes : access.reads; }
  /// No run without interruption has the same outcome.
  static bool is_broken(bool first, bool between, bool second) {
    return between ? !(first && second) : first && second;
  }

  // --- whether one may come behind the other, with a gap

  /// Points of functions, a call or the access itself, that lead to the two in order.
  Ways find_ways(std::size_t e, const Access& first, const Access& second) {
    Ways ways;
    const Above &over_first = above(first.function), &over_second = above(second.function);
    for (const auto& [function, calls] : over_first) {
      if (!reached_[e][function.index()] || !over_second.contains(function)) continue;
      for (const std::size_t p : points_in(function, first, calls))
        for (const std::size_t q : points_in(function, second, over_second.at(function))) {
          const Way way{function, p, q};
          if (!calls_.may_follow(function, p, q) || !feasibility_.allows(e, way, first, second)) continue;
          ways.some.push_back(way);
          ways.are_more = ways.some.size() == most_ways;
          if (ways.are_more) return ways;
        }
    }
    return ways;
  }

  /// On one of the ways the other one is not masked all the time (`held`: its masks at the first access), and may come
  /// to its access.
  bool is_interruptible(std::size_t e, const Access& first, const Access& second, const Ways& ways, const Masks& held,
                        const Access& between) {
    return ways.are_more || std::ranges::any_of(ways.some, [&](const Way& way) {
             return feasibility_.allows(e, way, between) && (held.empty() || has_gap(way, first, second, held));
           });
  }

  const Above& above(FunctionId function) {
    const auto known = above_.find(function);
    return known != above_.end() ? known->second : above_.emplace(function, calls_.above(function)).first->second;
  }

  /// From access to access, not from call to call.
  Ways direct_way(std::size_t e, const Access& first, const Access& second) {
    Ways ways;
    const Way way{first.function, first.instruction, second.instruction};
    if (first.function == second.function && calls_.may_follow(way.function, way.first, way.second) &&
        feasibility_.allows(e, way, first, second))
      ways.some.push_back(way);
    return ways;
  }

  /// Where the function makes the access, or calls one that does.
  static std::vector<std::size_t> points_in(FunctionId function, const Access& access,
                                            const std::vector<std::size_t>& calls) {
    std::vector<std::size_t> points = calls;
    if (function == access.function) points.push_back(access.instruction);
    return points;
  }

  /// All that is held may end on the way.
  bool has_gap(const Way& way, const Access& first, const Access& second, const Masks& held) {
    const auto [function, p, q] = way;
    Masks left = held;
    const auto end_by = [&](FunctionId f, std::size_t instruction) {
      for (const MaskStep& end : masks_.ends_of(f, instruction)) end_mask(left, end);
    };
    const auto instructions = [&](FunctionId f) { return program_.functions[f].instructions.size(); };
    for (std::size_t u = 0; u < instructions(function); ++u)
      if (u != p && u != q && calls_.may_follow(function, p, u) && calls_.may_follow(function, u, q))
        end_by(function, u);
    // In what the two calls lead to: behind the first access, before the second.
    if (function != first.function || p != first.instruction)
      for (std::size_t u = 0; u < instructions(first.function); ++u)
        if (calls_.may_follow(first.function, first.instruction, u)) end_by(first.function, u);
    if (function != second.function || q != second.instruction)
      for (std::size_t u = 0; u < instructions(second.function); ++u)
        if (calls_.may_follow(second.function, u, second.instruction)) end_by(second.function, u);
    return left.empty();
  }

  const Program& program_;
  const System& system_;
  CallGraph calls_;
  SharedAccesses accesses_;
  MaskFlow masks_;
  std::vector<std::vector<bool>> reached_;  ///< by entry and function
  Feasibility feasibility_;
  std::map<FunctionId, Above> above_;
  using Places = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool, bool, bool>;  ///< lines, and who writes
  std::map<Places, Triple> found_;  ///< of the variable at hand
  Triples out_;
};

}  // namespace

Triples find_triples(const Program& program, const System& system, const alias::AliasFacts& aliases) {
  return Finder(program, system, aliases).run();
}

std::string to_text(const Program& program, const Triple& triple) {
  const auto part = [&](const Access& access, bool writes) {
    return std::string(writes ? "<W#" : "<R#") + std::to_string(line_of(program, access)) + ">";
  };
  std::string names(program.globals[triple.first.variable].shown_name());
  if (triple.second.variable != triple.first.variable)
    names += "/" + std::string(program.globals[triple.second.variable].shown_name());
  return names + part(triple.first, triple.first_writes) + "," + part(triple.between, triple.between_writes) + "," +
         part(triple.second, triple.second_writes);
}

}  // namespace heddle::depend
