// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `heddle depend --entries` shows: every entry, how it was found, who can interrupt whom, and what was assumed.
#pragma once
#include <string>

#include "depend/system/system.h"

namespace heddle::depend {

/// `'task' (task, priority 1)`, `'isr' (interrupt 3, priority 2)`
[[nodiscard]] std::string entry_words(const System& system, std::size_t entry);
/// For people.
[[nodiscard]] std::string entries_text(const Program& program, const System& system);
/// `{"version": 1, "cores": …, "entries": […], "assumptions": […]}`; docs/depend.md has the fields.
[[nodiscard]] std::string entries_json(const Program& program, const System& system);

}  // namespace heddle::depend
