// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/summary/summary_text.h"

#include <ostream>
#include <string>

#include "scan/names/lvalue_text.h"

namespace heddle::scan {
namespace {

/// One summary; its names belong to it alone.
class SummaryPrinter {
 public:
  SummaryPrinter(std::ostream& out, const Program& program, FunctionId function, const FunctionSummary& summary)
      : out_(out), program_(program), id_(function), f_(program.functions[function]), s_(summary), text_(program) {}

  void print() {
    out_ << f_.name << "  " << program_.where(f_.location) << '\n';
    if (s_.missing == FunctionSummary::Missing::OverBudget) out_ << "  not summarised: over its budget\n";
    if (!s_.returns) out_ << "  never returns\n";
    print_exit();
    for (std::size_t i = 0; i < s_.groups.size(); ++i) print_group(s_.groups[i], i >= s_.dependent);
    for (const SummarySpawn& spawn : s_.spawns) print_spawn(spawn);
    for (std::uint32_t i = 0; i < f_.parameters.size() && i < 64; ++i)
      if (s_.escapes(i)) out_ << "  lets other threads know what parameter " << i << " points to\n";
    if (s_.result.kind != SymbolicValue::Kind::Unknown) out_ << "  returns " << value(s_.result) << '\n';
    for (const auto& [where, what] : s_.stores) out_ << "  leaves " << value(what) << " in " << name(where) << '\n';
  }

 private:
  void print_exit() {
    if (s_.splits_by_result) {
      out_ << "  exit" << locks(s_.exit_zero) << " if it returns zero\n";
      out_ << "  exit" << locks(s_.exit_other) << " if not\n";
      if (s_.exit_valid != s_.exit_other) out_ << "  exit" << locks(s_.exit_valid) << " if neither zero nor an error\n";
    } else if (!s_.exit_when.is_always()) {
      out_ << "  exit" << locks(s_.exit_if) << " if parameter " << s_.exit_when.parameter() << " is zero\n";
      out_ << "  exit" << locks(s_.exit_else) << " if not\n";
    } else if (s_.exit != 0) {
      out_ << "  exit" << locks(s_.exit) << '\n';
    }
  }

  [[nodiscard]] std::string condition(const Condition& when) const {
    switch (when.kind()) {
      case Condition::Kind::Always: return {};
      case Condition::Kind::Zero: return " is zero";
      case Condition::Kind::NonZero: return " is not zero";
      case Condition::Kind::Equal: return " is " + std::to_string(when.number());
      case Condition::Kind::Differs: return " is not " + std::to_string(when.number());
      case Condition::Kind::IsCode: return " is " + std::string(program_.functions[when.code()].name);
    }
    return {};
  }

  void print_group(const AccessGroup& group, bool is_settled) {
    out_ << "  " << name({group.node, 0}) << locks(group.lockset);
    if (is_settled) out_ << " (settled)";
    if (group.after_publication) out_ << " (after it was published)";
    if (!group.when.is_always()) out_ << " if parameter " << group.when.parameter() << condition(group.when);
    const char* separator = ": ";
    for (std::uint32_t i = 0; i < group.own_count; ++i, separator = "; ") {
      const OwnAccess& access = s_.own[group.first_own + i];
      out_ << separator << (access.is_atomic ? "atomic " : "") << to_text(access.kind) << " of "
           << name({group.node, access.offset}, access.size) << " at " << where(access.instruction);
    }
    for (std::uint32_t i = 0; i < group.inherited_count; ++i, separator = "; ") {
      const InheritedAccesses& taken = s_.inherited[group.first_inherited + i];
      out_ << separator << "through " << program_.functions[taken.callee].name << " at " << where(taken.instruction);
    }
    out_ << '\n';
  }

  void print_spawn(const SummarySpawn& spawn) {
    out_ << "  starts " << value(spawn.entry) << " at " << where(spawn.instruction);
    if (spawn.in_loop) out_ << ", many";
    out_ << '\n';
  }

  std::string locks(std::uint32_t number) {
    const RelativeLockset& lockset = s_.locksets[number];
    std::string taken, given;
    for (const HeldLock& held : lockset.acquired)
      taken += (taken.empty() ? "" : ", ") + name(held.lock) + (held.is_shared() ? " shared" : "");
    for (const ReleasedLock& released : lockset.released) given += (given.empty() ? "" : ", ") + name(released.lock);
    return (taken.empty() ? "" : " +{" + taken + "}") + (given.empty() ? "" : " -{" + given + "}");
  }

  std::string value(const SymbolicValue& value) {
    switch (value.kind) {
      case SymbolicValue::Kind::Unknown: return "something";
      case SymbolicValue::Kind::Number: return std::to_string(value.number);
      case SymbolicValue::Kind::Code: return std::string(program_.functions[value.code].name);
      case SymbolicValue::Kind::Parameter: return "parameter " + std::to_string(value.number);
      case SymbolicValue::Kind::Address: return "the address of " + name(value.address);
    }
    return {};
  }

  std::string name(Lvalue lvalue, std::uint32_t size = 0) { return text_.print(s_.nodes, id_, lvalue, size); }
  [[nodiscard]] std::string where(std::uint32_t instruction) const {
    return program_.where(f_.instructions[instruction].location);
  }

  std::ostream& out_;
  const Program& program_;
  FunctionId id_;
  const Function& f_;
  const FunctionSummary& s_;
  LvalueText text_;
};

}  // namespace

void print_summaries(std::ostream& out, const Program& program, std::span<const FunctionSummary> summaries) {
  for (std::uint32_t i = 0; i < summaries.size(); ++i)
    if (summaries[i].missing != FunctionSummary::Missing::NoBody)
      SummaryPrinter(out, program, FunctionId{i}, summaries[i]).print();
}

}  // namespace heddle::scan
