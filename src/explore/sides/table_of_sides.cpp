// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "explore/sides/table_of_sides.h"

#include <algorithm>
#include <set>

#include "explore/sides/access_key.h"
#include "explore/sides/program_sides.h"
#include "program/model/function_queries.h"
#include "program/names/access_name.h"
#include "program/names/place_number.h"

namespace heddle::explore {
namespace {

constexpr std::size_t most_accesses_told = 400'000;  // of all sides

Origin on_everything() {
  Origin origin;
  origin.everything = true;
  return origin;
}

template <class Primitive>
bool has_action(const api::Model& model) {
  return std::ranges::any_of(model.effects, [](const api::Effect& e) { return api::get<Primitive>(e).has_value(); });
}

class TableMaker {
 public:
  TableMaker(const Program& program, const api::ApiModels& models, const CodeEffects::Knowledge& knowledge)
      : program_(program),
        models_(models),
        knowledge_(knowledge),
        sides_(program, models, [this](GlobalId global) { return address_of(global); }, knowledge, false) {}

  SideTable run() {
    table_.obstacle = obstacle();
    if (!table_.obstacle.empty()) return std::move(table_);
    for (std::size_t f = 0; f < program_.functions.size(); ++f)
      if (program_.functions[FunctionId(f)].has_body()) name_accesses(FunctionId(f));
    table_.origins.push_back(on_everything());
    for (std::size_t f = 0; f < program_.functions.size(); ++f)
      if (program_.functions[FunctionId(f)].has_body()) look_at(FunctionId(f));
    if (symbol_address(table_.symbols.size(), 0) >= system_objects.address) obstacle_ = "very many variables";
    table_.obstacle = obstacle_;
    sort_rows();
    table_.unknown_sides = sides_.unknown();
    return std::move(table_);
  }

 private:
  // --- names

  /// The hooks' number of the access that an instruction makes itself (of a copy, which makes two: of one).
  void name_accesses(FunctionId function) {
    const std::vector<AccessSite> sites = access_sites(program_, program_.functions[function]);
    const std::vector<std::string> names = access_names(program_, function);
    for (std::size_t i = 0; i < sites.size(); ++i)
      number_of_[key_of(function, static_cast<std::uint32_t>(sites[i].instruction))] = access_number(names[i]);
  }

  std::uint64_t address_of(GlobalId id) {
    const Global& global = program_.globals[id];
    // A name with a suffix belongs to several variables.
    if (global.is_declaration() || global.is_thread_local || global.name.find('@') != std::string_view::npos) return 0;
    return symbol_address(symbol(std::string(global.name), std::max<std::uint64_t>(global.size, 1)), 0);
  }

  std::size_t symbol(const std::string& name, std::uint64_t size) {
    const auto [at, is_new] = symbols_.try_emplace(name, table_.symbols.size());
    if (is_new) table_.symbols.push_back({name, size});
    return at->second;
  }

  Origin named(const Origin& origin) {
    Origin out = origin;
    out.loads.clear();
    for (BranchKey& branch : out.branches) branch = number_of_branch(branch);
    std::ranges::sort(out.branches);
    for (const AccessKey load : origin.loads) {
      const auto number = number_of_.find(load);
      if (number == number_of_.end()) return on_everything();
      out.loads.push_back(number->second);
    }
    return out;
  }

  [[nodiscard]] BranchKey number_of_branch(BranchKey key) const {
    const auto [function, instruction] = *place_of(key);
    return place_number(program_.functions[function], instruction);
  }

  // --- rows

  std::uint32_t add_side(const Side* side) {
    if (side == nullptr) return SideTable::no_side;
    const auto [at, is_new] = side_numbers_.try_emplace(side, static_cast<std::uint32_t>(table_.sides.size()));
    if (!is_new) return at->second;
    Side out = *side;
    out.condition = named(side->condition);
    out.branch = number_of_branch(side->branch);
    accesses_told_ += out.accesses.size();
    if (accesses_told_ > most_accesses_told) out.may_do_anything = true;
    if (out.may_do_anything) out.accesses.clear();
    for (SideAccess& access : out.accesses) {
      const auto number = number_of_.find(access.key);
      access.key = number == number_of_.end() ? no_access : number->second;
    }
    table_.sides.push_back(std::move(out));
    return at->second;
  }

  void look_at(FunctionId id) {
    const Function& function = program_.functions[id];
    const CallNames calls(program_, id);
    const std::vector<bool> used = used_values(function);
    add_sites(id);
    for (std::size_t i = 0; i < function.instructions.size(); ++i) {
      if (function.instructions[i].opcode == Opcode::Return)
        add_access(access_number(calls.of(i, AccessKind::Free) + "-frame"), id, i);
      if (!function.instructions[i].is_call()) continue;
      for (const AccessKind kind : {AccessKind::Read, AccessKind::Write, AccessKind::Free})
        add_access(access_number(calls.of(i, kind)), id, i);
      writing_.insert(access_number(calls.of(i, AccessKind::Write)));
      add_call(id, i, used[function.result_of(i).index()], access_number(calls.of(i, AccessKind::Write)));
    }
    for (std::size_t b = 0; b < function.blocks.size(); ++b) add_branch(id, BlockId(b));
  }

  void add_sites(FunctionId id) {
    const std::vector<AccessSite> sites = access_sites(program_, program_.functions[id]);
    const std::vector<std::string> names = access_names(program_, id);
    for (std::size_t i = 0; i < sites.size(); ++i) add_access(access_number(names[i]), id, sites[i].instruction);
  }

  void add_access(std::uint64_t number, FunctionId id, std::size_t instruction) {
    const AccessKey key = key_of(id, static_cast<std::uint32_t>(instruction));
    const auto [at, is_new] = accesses_.try_emplace(number, key);
    if (!is_new && at->second != key) at->second = no_access;  // two of one name: nothing is known of either
  }

  void add_call(FunctionId id, std::size_t number, bool is_used, std::uint64_t written) {
    const Function& function = program_.functions[id];
    const Operand callee = function.operands_of(function.instructions[number])[0];
    if (!callee.is_function()) return add_indirect(id, number);
    const Function& called = program_.functions[callee.as_function()];
    if (called.is_intrinsic) return;
    const std::uint64_t place = place_number(function, number);
    if (is_model_code(called)) asks_[place] = {place, true, false, written};
    if (called.has_body()) return;
    const api::Model* model = models_.find(called.name);
    if (model == nullptr) ++table_.unknown_calls;
    const bool calls_back = model != nullptr && has_action<api::CallBack>(*model);
    const bool is_barrier = model != nullptr && has_action<api::WaitAtBarrier>(*model);
    if (knowledge_(called) == CodeEffects::Known::Everything && !calls_back && !(is_barrier && is_used)) return;
    asks_[place] = {place, calls_back, model == nullptr, written};
  }

  /// A library function whose model is code (api/code/): the program runs the library's.
  [[nodiscard]] bool is_model_code(const Function& function) const {
    if (!function.has_body() || !function.location || !program_.locations[function.location].file) return false;
    return program_.files[program_.locations[function.location].file].path.starts_with("models/");
  }

  void add_indirect(FunctionId id, std::size_t number) {
    const Function& function = program_.functions[id];
    SideTable::Branch row;
    row.place = row.meeting = place_number(function, number);
    row.function = place_number(function);
    row.is_call = true;
    const auto call = static_cast<std::uint32_t>(number);
    row.otherwise = add_side(sides_.side(id, call, FunctionId()));
    for (const FunctionId target : sides_.targets(id, call)) {
      const Function& called = program_.functions[target];
      if (called.name.find('@') == std::string_view::npos)
        row.ways.push_back({symbol(std::string(called.name), 0), add_side(sides_.side(id, call, target))});
    }
    add_row(std::move(row));
  }

  void add_branch(FunctionId id, BlockId block) {
    const Function& function = program_.functions[id];
    const Block& code = function.blocks[block.index()];
    if (code.count == 0) return;
    const std::size_t last = code.first + code.count - 1;
    const Instruction& branch = function.instructions[last];
    if (branch.opcode != Opcode::CondBranch && branch.opcode != Opcode::Switch) return;
    const auto operands = function.operands_of(branch);
    SideTable::Branch row;
    row.place = place_number(function, last);
    row.function = place_number(function);
    const BlockId meeting = sides_.meeting_of(id, block);
    row.meeting = meeting.valid() ? place_number(function, function.blocks[meeting.index()].first) : ~std::uint64_t{0};
    const auto side_to = [&](Operand to) { return add_side(sides_.side(id, block, to.as_block())); };
    if (branch.opcode == Opcode::CondBranch) {
      row.ways = {{1, side_to(operands[1])}, {0, side_to(operands[2])}};
      if (row.ways[0].side == SideTable::no_side) return;  // both lead to the same block
    } else {
      row.otherwise = side_to(operands[1]);
      for (std::size_t i = 2; i + 1 < operands.size(); i += 2) {
        const Constant& value = program_.constants[operands[i].as_constant()];
        if (!value.wide.empty()) obstacle_ = "a switch over wide numbers";
        row.ways.push_back({value.bits, side_to(operands[i + 1])});
      }
    }
    add_row(std::move(row));
  }

  /// Of two places with one number nothing is known.
  void add_row(SideTable::Branch row) {
    const auto [at, is_new] = branches_.try_emplace(row.place, row);
    if (is_new) return;
    at->second.ways.clear();
    at->second.otherwise = unknown_side();
  }

  std::uint32_t unknown_side() {
    if (unknown_side_ == SideTable::no_side) {
      unknown_side_ = static_cast<std::uint32_t>(table_.sides.size());
      Side& side = table_.sides.emplace_back();
      side.condition = on_everything();
      side.may_do_anything = true;
    }
    return unknown_side_;
  }

  // --- the whole

  [[nodiscard]] std::string obstacle() const {
    if (!sides_.obstacle().empty()) return sides_.obstacle();
    for (const Function& function : program_.functions) {
      const api::Model* model = function.has_body() ? nullptr : models_.find(function.name);
      if (model != nullptr && (has_action<api::RunLater>(*model) || has_action<api::UseThreadValue>(*model)))
        return "functions run at the end of a thread or of the program";
      if (std::ranges::any_of(function.instructions, is_weak) && !models_.has_sequential_atomics(program_))
        return "atomic accesses weaker than sequential consistency";
    }
    return {};
  }

  static bool is_weak(const Instruction& code) {
    if (code.opcode == Opcode::CmpXchg && static_cast<AtomicOrder>(code.detail) != AtomicOrder::SeqCst) return true;
    return code.is_atomic() && code.opcode != Opcode::Fence && code.order != AtomicOrder::SeqCst;
  }

  void sort_rows() {
    std::map<std::vector<std::uint64_t>, std::uint32_t> known;
    for (const auto& [number, key] : accesses_) {
      SideTable::AccessFacts row{.key = number, .origin = 0, .is_answer = true, .regions = {any_region}};
      if (key != no_access) {
        row.is_answer = sides_.is_answer(key);
        row.regions = writing_.contains(number) ? sides_.written_regions_of(key) : sides_.regions_of(key);
        row.origin = origin_number(named(sides_.origin_of(key)), known);
      }
      table_.accesses.push_back(std::move(row));
    }
    for (auto& [place, row] : branches_) table_.branches.push_back(std::move(row));
    for (const auto& [place, row] : asks_) table_.asks.push_back(row);
  }

  std::uint32_t origin_number(Origin origin, std::map<std::vector<std::uint64_t>, std::uint32_t>& known) {
    if (origin.everything) return 0;
    std::vector<std::uint64_t> key{origin.path, origin.argument, origin.loads.size()};
    key.insert(key.end(), origin.loads.begin(), origin.loads.end());
    key.insert(key.end(), origin.branches.begin(), origin.branches.end());
    const auto [at, is_new] = known.try_emplace(std::move(key), static_cast<std::uint32_t>(table_.origins.size()));
    if (is_new) table_.origins.push_back(std::move(origin));
    return at->second;
  }

  const Program& program_;
  const api::ApiModels& models_;
  const CodeEffects::Knowledge& knowledge_;
  SideTable table_;
  std::map<std::string, std::size_t> symbols_;
  ProgramSides sides_;
  std::unordered_map<AccessKey, std::uint64_t> number_of_;
  std::map<const Side*, std::uint32_t> side_numbers_;
  std::map<std::uint64_t, AccessKey> accesses_;
  std::set<std::uint64_t> writing_;  ///< of accesses_: what calls write
  std::map<std::uint64_t, SideTable::Branch> branches_;
  std::map<std::uint64_t, SideTable::Ask> asks_;
  std::string obstacle_;
  std::uint32_t unknown_side_ = SideTable::no_side;
  std::size_t accesses_told_ = 0;
};

}  // namespace

SideTable table_of_sides(const Program& program, const api::ApiModels& models,
                         const CodeEffects::Knowledge& knowledge) {
  return TableMaker(program, models, knowledge).run();
}

}  // namespace heddle::explore
