// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that somebody outside the program calls, by the entry rules of a profile (api/effect.h): what a kernel
// module or a driver has in place of main.
//
//   request_irq(5, handler, 0, "d", d)           handler    hardirq    a `root` effect of the call
//   w->func = flush;                             flush      work       member func of struct work_struct
//   struct file_operations fops = { .read = r }  r          call       a member of struct file_operations
//   int swap_duplicate(…) { … }                  itself     call       nobody in the program uses it
//   ISR(TIMER0_OVF_vect) { … }                   itself     hardirq    its attribute `signal`
//   void (*const vectors[])(void) = {0, 0, nmi}  nmi        hardirq    a vector table, in the third place
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
  FunctionId function = {};
  api::EntryContext context = api::EntryContext::Call;
  std::string reason;            ///< `call of 'request_irq'`, `member of 'file_operations'`
  api::EntryTraits traits = {};  ///< as far as the rule or the code says them; priorities so that a higher one wins
  bool is_written = false;       ///< a rule of the project's own asked for it
  std::string rule_place = {};   ///< of the rule that asked for it; empty: the code alone says it
  LocationId at = {};            ///< of the call that made it known
  std::size_t times = 1;         ///< so many places make it known with the same traits
};

/// `*_Handler` and `sys_*` fit names that end and begin so.
[[nodiscard]] bool fits(std::string_view pattern, std::string_view name);

/// By its symbol, without the unit that linking may add, or by its name in the source.
[[nodiscard]] bool is_called(std::string_view pattern, const Function& function);

/// Functions with a body, by id, context and traits; each of these once, with the first reason found.
[[nodiscard]] std::vector<OutsideEntry> find_outside_entries(const Program& program, const api::ApiModels& models);

}  // namespace heddle::threads
