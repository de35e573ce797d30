// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which writes of one run of an entry a read may find: backwards from the read, through calls and back to callers, up
// to writes that surely overwrite what is read.
//
//   x = 1; f(); y = x;       if f may write x: the writes in f, on the path over this call; and line 1, unless f
//                            surely writes it
//
// What other entries write is not in it. Cost: the blocks between the read and the writes, in the functions that may
// write; after `most_places` of them all writes of the entry count.
#pragma once
#include <set>
#include <vector>

#include "depend/graph/call_paths.h"
#include "depend/graph/memory_cells.h"

namespace heddle::depend {

struct PlacedWrite {
  PathId path;
  std::size_t instruction = 0;
  friend auto operator<=>(const PlacedWrite&, const PlacedWrite&) = default;
};

struct ReachingWrites {
  std::set<PlacedWrite> writes;
  bool is_from_before = false;  ///< what the run began with may come to the read
};

/// Before the instruction.
ReachingWrites reaching_writes(const Program& program, const CallGraph& calls, CallPaths& paths, MemoryCells& cells,
                               PathId path, std::size_t instruction, const Cell& cell);
/// At the end of a run of an entry.
ReachingWrites writes_at_end(const Program& program, const CallGraph& calls, CallPaths& paths, MemoryCells& cells,
                             std::uint32_t entry, const Cell& cell);

}  // namespace heddle::depend
