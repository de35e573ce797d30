// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A race that a replay has confirmed, in the words of a docket: of the case that warned of it, or of a new one.
#pragma once
#include <string>

#include "explore/evidence/confirm.h"
#include "race/docket.h"

namespace heddle::judge {

/// `judge`: who found it.
void add_confirmed_race(const explore::ConfirmedRace& found, std::string judge, race::Docket& docket);

}  // namespace heddle::judge
