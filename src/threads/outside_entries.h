// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that somebody outside the program calls, by the entry rules of a profile (api/effect.h): what a kernel
// module or a driver has in place of main.
//
//   request_irq(5, handler, 0, "d", d)           handler    hardirq    a `root` effect of the call
//   w->func = flush;                             flush      work       member func of struct work_struct
//   struct file_operations fops = { .read = r }  r          call       a member of struct file_operations
//   int swap_duplicate(…) { … }                  itself     call       nobody in the program uses it
//
// Function pointers that are passed on first, or come out of memory, are not followed: the list may miss entries.
// Linear in the program.
#pragma once
#include <string>
#include <vector>

#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::threads {

struct OutsideEntry {
  FunctionId function;
  api::EntryContext context = api::EntryContext::Call;
  std::string reason;  ///< `call of 'request_irq'`, `member of 'file_operations'`
};

/// Functions with a body, by id and context; each pair once, with the first reason found.
[[nodiscard]] std::vector<OutsideEntry> find_outside_entries(const Program& program, const api::ApiModels& models);

}  // namespace heddle::threads
