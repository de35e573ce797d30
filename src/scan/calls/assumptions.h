// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a scan looks away: one switch for each assumption of docs/assumptions.md, "What a scan rests on". On is the
// default; off gives more warnings, never fewer. `heddle scan --without one-parent`.
#pragma once
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "alias/alias_facts.h"

namespace heddle::scan {

struct Assumptions {
  bool stable_paths = true;
  bool one_parent = true;
  bool one_element = true;
  bool typed_memory = true;
  bool small_classes = true;
  bool function_tables = true;
  bool function_types = true;
  bool private_until_stored = true;
  bool library_reach = true;
  bool inline_assembly = true;
  bool loops_join_all = true;
  bool marked_volatile = true;
  bool semaphores_lock = true;
  bool thread_values = true;
  bool lock_objects = true;
  bool local_ends = true;
  bool closures = true;
  bool thread_states = true;
  bool reentrant_locks = true;
  bool pointer_arithmetic = true;
  bool unknown_externals = true;
  bool settled_pointers = true;
  bool described_system = true;
  friend bool operator==(const Assumptions&, const Assumptions&) = default;

  /// False if there is none of that name.
  bool drop(std::string_view name);
  static Assumptions none();
  /// What the alias classes may rely on.
  [[nodiscard]] alias::AliasOptions for_aliases() const {
    return {.externals_keep_pointers = !unknown_externals,
            .arithmetic_leaves_arrays = !pointer_arithmetic,
            .assembly_follows_pointers = !inline_assembly,
            .allocators_apart = true};
  }
  /// Those that are on, in the order of the document.
  [[nodiscard]] std::vector<std::string> names() const;
};

struct AssumptionName {
  std::string_view name;
  bool Assumptions::* is_on;
};

inline constexpr std::array<AssumptionName, 23> assumption_names{{
    {"stable-paths", &Assumptions::stable_paths},
    {"one-parent", &Assumptions::one_parent},
    {"one-element", &Assumptions::one_element},
    {"typed-memory", &Assumptions::typed_memory},
    {"small-classes", &Assumptions::small_classes},
    {"function-tables", &Assumptions::function_tables},
    {"function-types", &Assumptions::function_types},
    {"private-until-stored", &Assumptions::private_until_stored},
    {"library-reach", &Assumptions::library_reach},
    {"inline-assembly", &Assumptions::inline_assembly},
    {"loops-join-all", &Assumptions::loops_join_all},
    {"marked-volatile", &Assumptions::marked_volatile},
    {"semaphores-lock", &Assumptions::semaphores_lock},
    {"thread-values", &Assumptions::thread_values},
    {"lock-objects", &Assumptions::lock_objects},
    {"local-ends", &Assumptions::local_ends},
    {"closures", &Assumptions::closures},
    {"thread-states", &Assumptions::thread_states},
    {"reentrant-locks", &Assumptions::reentrant_locks},
    {"pointer-arithmetic", &Assumptions::pointer_arithmetic},
    {"unknown-externals", &Assumptions::unknown_externals},
    {"settled-pointers", &Assumptions::settled_pointers},
    {"described-system", &Assumptions::described_system},
}};

}  // namespace heddle::scan
