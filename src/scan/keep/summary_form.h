// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Summaries as bytes that a later run of a changed program can read. Functions, globals and types stand in tables of
// StableIds in front; the rest are rows of those tables, of the summary's own nodes and locksets, and instructions
// counted from the function's first.
//
//   names of types, functions, globals │ layouts of types │ questions: (type, offset) → (member, pointee) │
//   a summary for each member
//
// The questions are what summarising asked of MemberKeys. If one of them has another answer now, the summaries may be
// wrong and are not used; if all types asked about have their old layouts, none needs to be asked.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/byte_stream.h"
#include "scan/names/stable_ids.h"
#include "scan/summary/function_summary.h"

namespace heddle::scan {

/// What is kept of one component of the call graph.
struct KeptComponent {
  std::vector<FunctionSummary> summaries;  ///< one per member, in order
  std::vector<ContentHash> faces;          ///< what callers see of each (summary_store.h)
};

class SummaryWriter {
 public:
  SummaryWriter(const Program& program, const StableIds& ids);

  /// `summaries`: of all functions; `faces`: of the members. Empty if something has no name.
  std::string write(std::span<const FunctionId> members, const std::vector<FunctionSummary>& summaries,
                    std::span<const ContentHash> faces, std::span<const MemberQuestion> asked, MemberKeys& keys);

 private:
  /// Ids that were used, each once.
  struct Used {
    std::vector<std::uint32_t> place;  ///< by id: 1 + where it stands in `ids`
    std::vector<std::uint32_t> ids;
    std::uint32_t row(std::uint32_t id);
    void clear();
  };
  void summary(const FunctionSummary& s);
  void locksets(const FunctionSummary& s);
  void acquired(const AcquiredSet& set);
  void histories(const FunctionSummary& s);
  void threads(const FunctionSummary& s);
  void accesses(const FunctionSummary& s);
  void exit_of(const FunctionSummary& s);
  void calls(const FunctionSummary& s);
  void node(const Node& node);
  void value(const SymbolicValue& value);
  void condition(const Condition& when);
  void lvalue(Lvalue lvalue);
  void type(TypeId id) { out_.number(id ? types_.row(id.index()) + 1 : 0); }
  void function(FunctionId id) { out_.number(functions_.row(id.index())); }

  const StableIds& ids_;
  Used types_, functions_, globals_;
  ByteWriter out_;
};

/// False if the bytes speak of something the program does not have, if a question has another answer, or if they are no
/// summaries of these functions.
bool read_summaries(std::string_view bytes, const Program& program, const StableIds& ids,
                    std::span<const FunctionId> members, MemberKeys& keys, KeptComponent& out);

}  // namespace heddle::scan
