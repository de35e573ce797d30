// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Publication: when memory that a function made becomes known to others. Until then its accesses race with nobody and
// are left out of the summary.
//
//   p = malloc(…);  p->x = 1;      private
//   q->next = p;                   q is private as well: p is known when q is
//   list = q;                      both are known from here on (Audience::Everybody)
//   p->x = 2;                      an access that others may meet
//
// Positions count instructions in the order of the walk; memory made in front of a loop and given away in it is known
// from the loop's beginning on, since an earlier round may have done so. Memory of a parameter is the caller's to
// judge: what becomes known of it is in `escaping`. That memory nobody stored anywhere is private is the assumption
// `private-until-stored`; without it only locals are.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/number_set.h"
#include "scan/execute/value_names.h"
#include "scan/summary/function_body.h"

namespace heddle::scan {

/// Where the walk over a function is.
struct Cursor {
  std::uint32_t rank = 0;         ///< of the block
  std::uint32_t position = 0;     ///< counts instructions in the order they are visited
  std::uint32_t instruction = 0;  ///< in the function
};

/// Who gets to know memory: the function's callers when it returns, or any thread from now on.
enum class Audience : std::uint8_t { Caller, Everybody };

class Publication {
 public:
  Publication(const ScanInput& input, const FunctionBody& body, const ValueNames& names, const Cursor& at);

  // While the function is walked.
  void enter_block() { first_position_[at_.rank] = at_.position; }
  void note_made(NodeId fresh) { made_.try_emplace(fresh.index(), at_.rank); }
  void publish(NodeId node, Audience audience);
  /// What can be reached from it by pointers that lie in it.
  void publish_below(NodeId node, Audience audience);
  /// Once more for what had no name yet when it was published: values that go around loops. Moves the cursor.
  void finish(Cursor& at);
  /// A pointer to `content` was stored in `container`.
  void contain(NodeId container, NodeId content);
  /// What `from` points to, `to` does as well. Of what callers or others have put there it is not followed who gets to
  /// know it (assumption `closures`).
  void contain_copy(NodeId to, NodeId from);

  /// The piece of memory a name lies in, if the function can tell who knows it: its own, or a parameter's.
  [[nodiscard]] NodeId owner(NodeId node) const;
  /// Nobody else can touch it at that position.
  [[nodiscard]] bool is_private(NodeId node, std::uint32_t position) const;
  /// Others may know it before that position, by what the function did.
  [[nodiscard]] bool is_published(NodeId node, std::uint32_t position) const;
  [[nodiscard]] bool is_ever_published(NodeId node) const;
  /// It is the function's own, and nothing that was walked over made it known.
  [[nodiscard]] bool is_own(NodeId node) const;
  /// Others know it when the function returns.
  [[nodiscard]] bool is_given_away(NodeId node) const;
  /// Bit i: memory of parameter i may become known to other threads.
  [[nodiscard]] std::uint64_t escaping() const { return escaping_; }
  /// Bit i: what the memory of parameter i points to may.
  /// Whether its address was stored somewhere, so that a pointer that is read from memory may lead there.
  [[nodiscard]] bool is_exposed(NodeId node) const;
  [[nodiscard]] std::uint64_t escaping_below() const { return escaping_below_; }
  /// Whether there were such copies.
  [[nodiscard]] bool leaves_copies() const { return leaves_copies_; }
  /// Whether others know a local of the function.
  [[nodiscard]] bool gives_locals_away() const;

 private:
  void publish_each(NodeId node, Audience audience);
  void publish_content(NodeId root, Audience audience);
  void publish_value(NodeId node, Audience audience);
  void publish_contained(NodeId root, Audience audience);
  void copy_unknown(NodeId to, NodeId from);
  bool visit(NodeId node, Audience audience);
  [[nodiscard]] std::uint32_t known_from(std::uint32_t made) const;

  const ScanInput& in_;
  const FunctionBody& body_;
  const ValueNames& names_;
  const NodeTable& nodes_;
  const Cursor& at_;
  std::vector<std::uint32_t> first_position_;  ///< by rank
  std::unordered_map<std::uint32_t, std::uint32_t>
      published_;  ///< by root node: the position from which on others may know it
  std::unordered_map<std::uint32_t, std::uint32_t> made_;  ///< by Fresh node: rank of the block that allocates
  std::vector<std::uint32_t> given_away_;                  ///< root nodes; sorted
  std::vector<std::pair<NodeId, NodeId>> contained_;       ///< outer, inner
  std::vector<std::pair<NodeId, NodeId>> copied_;          ///< outer, and what has the same content
  struct Late {
    NodeId node;
    Audience audience = Audience::Caller;
    Cursor at;
  };
  std::vector<Late> late_;  ///< values that were published
  NumberSet visited_;       ///< while something is published
  int depth_ = 0;           ///< likewise
  bool is_finishing_ = false;
  bool leaves_copies_ = false;
  std::uint64_t escaping_ = 0, escaping_below_ = 0;
};

}  // namespace heddle::scan
