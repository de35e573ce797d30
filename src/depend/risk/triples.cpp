// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/risk/triples.h"

#include <algorithm>
#include <tuple>

#include "depend/access/access_facts.h"
#include "depend/risk/feasibility.h"
#include "depend/risk/overwritten.h"
#include "depend/risk/register_updates.h"
#include "program/model/device_register.h"

namespace heddle::depend {
namespace {

constexpr std::size_t most_of_variable = 1000, most_ways = 64;

class Finder {
 public:
  Finder(AccessFacts& facts, const TripleOptions& options)
      : program_(facts.program),
        system_(facts.system),
        options_(options),
        facts_(facts),
        ways_(facts.calls, facts.reached),
        locks_(program_, system_.models(), facts.places, facts.numbers),
        openings_(program_, system_, facts.calls, facts.reached, locks_),
        overwrites_(program_, facts.calls, facts.accesses),
        feasibility_(facts, ways_),
        interrupters_(facts.reached.size()) {
    for (std::size_t e = 0; e < facts_.reached.size(); ++e)
      for (std::size_t i = 0; i < facts_.reached.size(); ++i)
        if (system_.can_interrupt(i, e)) interrupters_[e].push_back(i);
  }

  Triples run() {
    for (const auto& [variable, all] : facts_.accesses.all())
      if (is_asked(variable)) look_at(all);
    for (const std::vector<NamedVariable>& group : system_.redundant()) look_at(group);
    for (const auto& [one, other] : options_.same) look_at({{one, name_of(one), {}}, {other, name_of(other), {}}});
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::vector<const Access*> of_entry(const std::vector<Access>& all, std::size_t entry) {
    std::vector<const Access*> found;
    for (const Access& access : all)
      if (facts_.reached[entry][access.function.index()] && !openings_.is_start_up(entry, access))
        found.push_back(&access);
    return found;
  }

  [[nodiscard]] bool is_asked(GlobalId variable) const { return !options_.only || options_.only->contains(variable); }

  /// Variables that hold the same information: one is read, or written, and then another.
  void look_at(const std::vector<NamedVariable>& group) {
    if (std::ranges::none_of(group, [&](const NamedVariable& one) { return is_asked(one.global); })) return;
    group_ = group;
    std::vector<Access> all;
    for (const NamedVariable& one : group)
      if (const auto found = facts_.accesses.all().find(one.global); found != facts_.accesses.all().end())
        for (const Access& access : found->second)
          if (member(access) == &group_[static_cast<std::size_t>(&one - group.data())]) all.push_back(access);
    look_at(all);
    group_.clear();
  }

  /// The one of the group at hand that the access is to.
  [[nodiscard]] const NamedVariable* member(const Access& access) const {
    const auto found = std::ranges::find_if(group_, [&](const NamedVariable& one) {
      return one.global == access.variable && (one.size == 0 || access.size == 0 ||
                                               (access.offset < static_cast<std::int64_t>(one.offset + one.size) &&
                                                static_cast<std::int64_t>(one.offset) < end_of(access)));
    });
    return found == group_.end() ? nullptr : &*found;
  }

  /// The two accesses are to the same information.
  [[nodiscard]] bool is_same(const Access& a, const Access& b) const {
    return group_.empty() ? may_meet(a, b) : member(a) != member(b);
  }

  void look_at(const std::vector<Access>& all) {
    found_.clear();
    for (std::size_t e = 0; e < facts_.reached.size() && found_.size() < most_of_variable; ++e) look_at(all, e);
    if (found_.size() >= most_of_variable) ++out_.cut;
    for (auto& [places, triple] : found_) out_.all.push_back(triple);
  }

  void look_at(const std::vector<Access>& all, std::size_t e) {
    const std::vector<const Access*> own = of_entry(all, e);
    if (own.empty()) return;
    std::map<std::size_t, std::vector<const Access*>> others;
    for (const std::size_t i : interrupters_[e])
      if (std::vector<const Access*> theirs = of_entry(all, i); !theirs.empty()) others[i] = std::move(theirs);
    if (others.empty()) return;
    for (const Access* access : own)
      if (is_same(*access, *access) && is_made_in_steps(*access))
        for (const auto& [i, theirs] : others) look_at_torn(e, i, *access, theirs);
    for (const Access* first : own)
      for (const Access* second : own) {
        if (group_.empty() && is_one_copy(*first, *second))
          for (const auto& [i, theirs] : others) look_at_copy(e, i, *first, *second, theirs);
        if (!is_same(*first, *second)) continue;
        // A device register is read, changed and written back in one run of a function.
        std::vector<Way> ways = is_device(*first) ? direct_way(e, *first, *second) : find_ways(e, *first, *second);
        if (is_asked_again(own, *first, *second))
          std::erase_if(ways, [](const Way& way) { return way.rounds == Rounds::Many; });
        if (ways.empty()) continue;
        for (const auto& [i, theirs] : others) look_at(e, i, *first, *second, ways, theirs);
        if (found_.size() >= most_of_variable) return;
      }
  }

  // --- one access that the processor makes in several steps

  [[nodiscard]] bool is_made_in_steps(const Access& access) const {
    const Opcode opcode = program_.functions[access.function].instructions[access.instruction].opcode;
    const bool is_block = opcode == Opcode::MemCopy || opcode == Opcode::MemSet;
    if (is_device(access)) return false;
    return is_block || ((opcode == Opcode::Load || opcode == Opcode::Store) && access.size > system_.atomic_bytes());
  }

  /// Two members of a struct that one assignment copies.
  [[nodiscard]] bool is_one_copy(const Access& first, const Access& second) const {
    if (first.variable != second.variable || first.function != second.function || first.reads != second.reads ||
        first.instruction >= second.instruction || !is_fixed(first) || !is_fixed(second) || may_meet(first, second))
      return false;
    const auto code = program_.functions[first.function].instructions;
    const LocationId at = code[first.instruction].location;
    return at && at == code[second.instruction].location;
  }

  /// The other one touches both members.
  void look_at_copy(std::size_t e, std::size_t i, const Access& first, const Access& second,
                    const std::vector<const Access*>& others) {
    const auto touched = [&](const Access& member) {
      const auto one = std::ranges::find_if(others, [&](const Access* other) {
        return may_meet(member, *other) && (member.writes ? other->reads : other->writes);
      });
      return one == others.end() ? nullptr : *one;
    };
    const std::vector<const Access*> both{touched(first), touched(second)};
    if (std::ranges::find(both, nullptr) != both.end()) return;
    const Way way{first.function, first.instruction, second.instruction, Rounds::One};
    const Opening opening = opening_of(e, i, way, first, second);
    if (!opening.is_open || !allows(e, way, first, second)) return;
    for (const Access* between : both)
      if (!options_.knows_synchronisation ||
          (feasibility_.allows(i, *between) && openings_.allows(opening, i, *between) &&
           feasibility_.allows(e, i, way, first, second, *between)))
        add({e, i, first, *between, second, first.writes, !first.writes, second.writes, {}, {}, way, true});
  }

  /// Half of it before the other one comes, half of it behind.
  void look_at_torn(std::size_t e, std::size_t i, const Access& access, const std::vector<const Access*>& others) {
    std::vector<const Access*> inside;
    for (const Access* other : others)
      if (may_meet(access, *other) && (access.writes ? other->reads : other->writes)) inside.push_back(other);
    const Way way{access.function, access.instruction, access.instruction, Rounds::One};
    const Opening opening = inside.empty() ? Opening{} : opening_of(e, i, way, access, access);
    if (!opening.is_open || !allows(e, way, access, access)) return;
    for (const Access* between : inside) {
      // A copy of several variables is whole if the other one touches but one of them.
      const bool touches_more = between->size > system_.atomic_bytes() || between->size == 0 ||
                                std::ranges::any_of(inside, [&](const Access* other) {
                                  return other->offset != between->offset || other->size != between->size;
                                });
      const bool is_scalar = access.size != 0 && between->size == access.size;
      if (!touches_more && !is_scalar) continue;
      if (!access.writes || overwrites_.may_read_older(system_.entries()[i].function, facts_.reached[i], *between))
        if (can_come(e, i, access, access, {way}, {opening}, *between) != nullptr)
          add({e, i, access, *between, access, access.writes, !access.writes, access.writes, {}, {}, way, true});
    }
  }

  void look_at(std::size_t e, std::size_t i, const Access& first, const Access& second, const std::vector<Way>& ways,
               const std::vector<const Access*>& others) {
    std::vector<Opening> openings;
    for (const Way& way : ways) openings.push_back(opening_of(e, i, way, first, second));
    if (std::ranges::none_of(openings, &Opening::is_open)) return;
    const bool is_pair = !group_.empty();
    for (const Access* between : others) {
      const bool meets_first = may_meet(first, *between), meets_second = may_meet(second, *between);
      if (is_pair ? !meets_first && !meets_second : !meets_first || !meets_second) continue;
      std::optional<const Way*> way;
      for (const bool a : {false, true})
        for (const bool m : {false, true})
          for (const bool b : {false, true}) {
            if (!has(first, a) || !has(*between, m) || !has(second, b) || !is_broken(a, m, b)) continue;
            if (is_pair && a != b) continue;  // of two variables: two reads, or two writes
            if (a && b && (is_asked_flag(first, second, *between) || is_one(first, second))) continue;
            if (!may_be_broken(program_, first, a, second, b)) continue;
            if (!m && !overwrites_.may_read_older(system_.entries()[i].function, facts_.reached[i], *between)) continue;
            if (!way) way = can_come(e, i, first, second, ways, openings, *between);
            if (*way != nullptr)
              add({e, i, first, *between, second, a, m, b, member_name(first), member_name(second), **way, false});
          }
    }
  }

  [[nodiscard]] std::string name_of(GlobalId variable) const {
    return std::string(program_.globals[variable].shown_name());
  }

  [[nodiscard]] std::string member_name(const Access& access) const {
    return group_.empty() ? "" : member(access)->name;
  }

  void add(const Triple& t) {
    const bool apart = options_.tells_accesses_apart;
    found_.try_emplace(
        {line_of(program_, t.first), line_of(program_, t.between), line_of(program_, t.second), t.first_writes,
         t.between_writes, t.second_writes, apart ? t.first.instruction : 0, apart ? t.second.instruction : 0},
        t);
  }

  /// What one statement writes round after round is complete each time.
  static bool is_one(const Access& first, const Access& second) {
    return first.function == second.function && first.instruction == second.instruction;
  }

  /// One read in a loop that asks for what others write: `while (tail != head)`.
  [[nodiscard]] bool is_asked_again(const std::vector<const Access*>& own, const Access& first,
                                    const Access& second) const {
    return is_one(first, second) && !first.writes && only_decides(first) &&
           std::ranges::none_of(own, [&](const Access* access) { return access->writes && may_meet(*access, first); });
  }

  /// Set and cleared, and only asked: that is what it is for. Not if what is there for a while only makes the other one
  /// do something.
  [[nodiscard]] bool is_asked_flag(const Access& first, const Access& second, const Access& asked) const {
    return stores_constant(first) && stores_constant(second) && only_decides(asked) && !makes_act(first, asked);
  }

  /// `valve = 1; … valve = 0;`, and the other one says `if (valve == 1) alarm = 1;`
  [[nodiscard]] bool makes_act(const Access& store, const Access& asked) const {
    const Function& storing = program_.functions[store.function];
    const auto number =
        facts_.numbers.of(store.function, storing.operands_of(storing.instructions[store.instruction])[0]);
    const Function& function = program_.functions[asked.function];
    const FixedCell cell{{store.variable, store.offset}, store.size};
    if (!number || asked.size != store.size || first_value(program_, cell) == number) return false;
    const Operand read = Operand::value(function.result_of(asked.instruction));
    for (std::size_t i = asked.instruction + 1; i < function.instructions.size(); ++i) {
      const Instruction& branch = function.instructions[i];
      if (branch.opcode != Opcode::CondBranch) continue;
      const auto holds = facts_.conditions.holds_with(asked.function, function.operands_of(branch)[0], read, *number);
      if (!holds) continue;
      const auto sides = function.operands_of(branch);
      const BlockId taken = sides[*holds ? 1 : 2].as_block(), other = sides[*holds ? 2 : 1].as_block();
      // Where the sides meet nothing is done that would not be done anyway.
      return !facts_.calls.leads_to(asked.function, other, taken);
    }
    return false;
  }

  [[nodiscard]] bool stores_constant(const Access& access) const {
    const Function& function = program_.functions[access.function];
    const Instruction& code = function.instructions[access.instruction];
    return code.opcode == Opcode::Store && function.operands_of(code)[0].is_constant();
  }

  /// What was read goes into branches, and nowhere else.
  [[nodiscard]] bool only_decides(const Access& access) const {
    const Function& function = program_.functions[access.function];
    std::vector<Operand> values{Operand::value(function.result_of(access.instruction))};
    bool decides = false;
    for (std::size_t i = access.instruction + 1; i < function.instructions.size(); ++i) {
      const Instruction& code = function.instructions[i];
      const auto uses = [&](Operand operand) { return std::ranges::find(values, operand) != values.end(); };
      if (std::ranges::none_of(function.operands_of(code), uses)) continue;
      const bool is_branch = code.opcode == Opcode::CondBranch || code.opcode == Opcode::Switch;
      if (!is_branch && code.opcode != Opcode::Compare && code.opcode != Opcode::Cast) return false;
      decides = decides || is_branch;
      if (!is_branch) values.push_back(Operand::value(function.result_of(i)));
    }
    return decides;
  }

  static bool has(const Access& access, bool writes) { return writes ? access.writes : access.reads; }
  /// No run without interruption has the same outcome.
  static bool is_broken(bool first, bool between, bool second) {
    return between ? !(first && second) : first && second;
  }

  // --- whether one may come behind the other, and the third between them

  [[nodiscard]] std::vector<Way> find_ways(std::size_t e, const Access& first, const Access& second) {
    std::vector<Way> found;
    ways_.each(e, {first.function, first.instruction}, {second.function, second.instruction}, [&](const Way& way) {
      if (is_way(e, way, first, second)) found.push_back(way);
      return found.size() < most_ways;
    });
    return found;
  }

  bool is_way(std::size_t e, const Way& way, const Access& first, const Access& second) {
    if (group_.empty() && !may_meet(facts_.accesses.called_from(first, way.function, way.first),
                                    facts_.accesses.called_from(second, way.function, way.second)))
      return false;
    return allows(e, way, first, second) && !(group_.empty() && overwrites_.come_between(way, first, second));
  }

  /// Conditions let one run make both.
  bool allows(std::size_t e, const Way& way, const Access& first, const Access& second) {
    return !options_.knows_synchronisation || feasibility_.allows(e, way, first, second);
  }

  Opening opening_of(std::size_t e, std::size_t i, const Way& way, const Access& first, const Access& second) {
    return options_.knows_synchronisation ? openings_.find(e, i, way, first, second) : Opening{true, {}, {}};
  }

  /// One of the ways, on which the other one may make its access; none: nullptr.
  const Way* can_come(std::size_t e, std::size_t i, const Access& first, const Access& second,
                      const std::vector<Way>& ways, const std::vector<Opening>& openings, const Access& between) {
    if (!options_.knows_synchronisation) return &ways.front();
    if (!feasibility_.allows(i, between)) return nullptr;
    for (std::size_t w = 0; w < ways.size(); ++w) {
      if (!openings[w].is_open || !openings_.allows(openings[w], i, between)) continue;
      const Access one = facts_.accesses.called_from(first, ways[w].function, ways[w].first);
      const Access other = facts_.accesses.called_from(second, ways[w].function, ways[w].second);
      if (group_.empty() && (!may_meet(one, between) || !may_meet(other, between))) continue;
      if (feasibility_.allows(e, i, ways[w], first, second, between) &&
          feasibility_.allows(e, i, openings[w].lifters, second, between))
        return &ways[w];
    }
    return nullptr;
  }

  [[nodiscard]] bool is_device(const Access& access) const {
    return device_address(program_.globals[access.variable]).has_value();
  }

  /// From access to access, not from call to call.
  [[nodiscard]] std::vector<Way> direct_way(std::size_t e, const Access& first, const Access& second) {
    const Way way{first.function, first.instruction, second.instruction, Rounds::One};
    const bool is_one = first.function == second.function &&
                        facts_.calls.may_follow(way.function, way.first, way.second) && is_way(e, way, first, second);
    return is_one ? std::vector<Way>{way} : std::vector<Way>{};
  }

  const Program& program_;
  const System& system_;
  const TripleOptions& options_;
  AccessFacts& facts_;
  WayFinder ways_;
  LockSteps locks_;
  Openings openings_;
  Overwrites overwrites_;
  Feasibility feasibility_;
  std::vector<std::vector<std::size_t>> interrupters_;  ///< of each entry
  std::vector<NamedVariable> group_;                    ///< at hand; none: one variable is
  /// Lines, who writes, and the accesses of the run.
  using Places = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, bool, bool, bool, std::size_t, std::size_t>;
  std::map<Places, Triple> found_;  ///< of the variable at hand
  Triples out_;
};

}  // namespace

Triples find_triples(AccessFacts& facts, const TripleOptions& options) { return Finder(facts, options).run(); }

std::string to_text(const Program& program, const Triple& triple) {
  const auto part = [&](const Access& access, bool writes) {
    return std::string(writes ? "<W#" : "<R#") + std::to_string(line_of(program, access)) + ">";
  };
  const std::string name(program.globals[triple.first.variable].shown_name());
  return (triple.is_pair() ? triple.first_name + "/" + triple.second_name : name) +
         part(triple.first, triple.first_writes) + "," + part(triple.between, triple.between_writes) + "," +
         part(triple.second, triple.second_writes);
}

}  // namespace heddle::depend
