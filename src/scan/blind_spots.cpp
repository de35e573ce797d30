// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/blind_spots.h"

#include <algorithm>
#include <set>
#include <string>

#include "api/action.h"

namespace heddle::scan {
namespace {

std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return count == 1 ? one : std::to_string(count) + " " + many;
}

class BlindSpots {
 public:
  BlindSpots(const ScanInput& input, const Reach& reach) : in_(input), reach_(reach) {}

  std::vector<ReportBlindSpot> find() {
    for (std::size_t f = 0; f < in_.program.functions.size(); ++f) look_at(FunctionId(f));
    if (unfollowed_ != 0)
      add(counted(unfollowed_, "a call through a pointer was", "calls through pointers were") +
          " not followed: nobody is known whom " + (unfollowed_ == 1 ? "it reaches" : "they reach") + ", such as at " +
          first_unfollowed_);
    if (!handed_to_.empty())
      add("functions are handed to " + names(handed_to_) +
          ", which heddle knows nothing of: threads that start there are not seen (docs/models.md)");
    const bool has_threads = std::ranges::any_of(reach_.roots, [](const Root& root) { return root.entry.valid(); });
    if (!has_threads && !first_start_.empty()) add("no thread is started, although " + first_start_);
    return std::move(out_);
  }

 private:
  void add(std::string what) { out_.push_back({std::move(what), true}); }

  [[nodiscard]] std::string place(const Function& function, const Instruction& instruction) const {
    return instruction.location ? in_.program.where(instruction.location) : std::string(function.shown_name());
  }

  static std::string names(const std::set<std::string>& all) {
    constexpr std::size_t most = 3;
    std::string out;
    std::size_t shown = 0;
    for (const std::string& name : all) {
      if (shown++ == most) break;
      out += (out.empty() ? "'" : ", '") + name + "'";
    }
    return all.size() > most ? out + " and " + std::to_string(all.size() - most) + " more" : out;
  }

  void look_at(FunctionId id) {
    const Function& function = in_.program.functions[id];
    if (!function.has_body()) return;
    const bool is_reached = reach_.is_reached(id);
    if (is_reached) count_unfollowed(id, function);
    for (const Instruction& instruction : function.instructions) {
      if (!instruction.is_call()) continue;
      const auto operands = function.operands_of(instruction);
      if (operands.empty() || !operands[0].is_function()) continue;
      const FunctionId callee = operands[0].as_function();
      const api::Model* model = in_.models[callee.index()];
      if (model != nullptr && !is_reached && first_start_.empty() && starts_thread(*model))
        first_start_ = "'" + std::string(in_.program.functions[callee].shown_name()) + "' is called at " +
                       place(function, instruction) + ", in '" + std::string(function.shown_name()) +
                       "', which nothing reaches";
      if (is_reached && model == nullptr) look_at_unknown(callee, operands.subspan(1));
    }
  }

  void count_unfollowed(FunctionId id, const Function& function) {
    const std::uint32_t count = in_.targets.unfollowed(id);
    if (count == 0) return;
    if (unfollowed_ == 0)
      for (const CallTargets::Indirect& call : in_.targets.indirect(id))
        if ((call.targets.empty() || call.is_cut) && first_unfollowed_.empty())
          first_unfollowed_ = place(function, function.instructions[call.instruction]);
    if (first_unfollowed_.empty()) first_unfollowed_ = "'" + std::string(function.shown_name()) + "'";
    unfollowed_ += count;
  }

  static bool starts_thread(const api::Model& model) {
    return std::ranges::any_of(
        model.effects, [](const api::Effect& effect) { return api::get<api::StartThread>(effect).has_value(); });
  }

  void look_at_unknown(FunctionId callee, std::span<const Operand> arguments) {
    const Function& function = in_.program.functions[callee];
    if (function.has_body() || function.is_intrinsic) return;
    if (std::ranges::any_of(arguments, [](Operand argument) { return argument.is_function(); }))
      handed_to_.emplace(function.shown_name());
  }

  const ScanInput& in_;
  const Reach& reach_;
  std::vector<ReportBlindSpot> out_;
  std::size_t unfollowed_ = 0;
  std::string first_unfollowed_, first_start_;
  std::set<std::string> handed_to_;
};

}  // namespace

std::vector<threads::OutsideEntry> exported_entries(const Program& program) {
  std::vector<threads::OutsideEntry> out;
  for (std::size_t i = 0; i < program.functions.size(); ++i) {
    const Function& function = program.functions[FunctionId(i)];
    if (function.has_body() && function.linkage == Linkage::External)
      out.push_back({FunctionId(i), api::EntryContext::Call, "exported by a library"});
  }
  return out;
}

std::vector<ReportBlindSpot> find_blind_spots(const ScanInput& input, const Reach& reach) {
  return BlindSpots(input, reach).find();
}

}  // namespace heddle::scan
