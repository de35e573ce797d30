// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a profile says of how functions are called from outside (api/effect.h): an initialiser runs once, before what
// its code makes known; a work item or a timer is not run by two at once, so each that runs has its own.
//
//   module_init(init);                      init runs once
//   INIT_WORK(&d->work, flush);             flush(w) runs beside flush(v), and never beside flush(w)
//
// A function that is called in other ways as well has none of this. That it runs once is part of the assumption
// `described-system`: off, two runs meet. That an argument is its own is a doubt, and drops nothing: two work items may
// lie in one object.
#pragma once
#include <map>
#include <vector>

#include "scan/calls/assumptions.h"
#include "threads/outside_entries.h"

namespace heddle::scan {

class OutsideContexts {
 public:
  OutsideContexts() = default;
  OutsideContexts(const std::vector<threads::OutsideEntry>& entries, const Assumptions& assumptions);

  [[nodiscard]] bool runs_once(FunctionId function) const;
  [[nodiscard]] bool owns_argument(FunctionId function) const;

 private:
  struct Ways {
    bool all_once = true, all_by_item = true;
  };
  std::map<FunctionId, Ways> ways_;
  bool is_believed_ = false;
};

}  // namespace heddle::scan
