// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "race/schedule.h"

namespace heddle::explore {

using race::parse_schedule;
using race::program_hash;
using race::read_schedule;
using race::Schedule;
using race::to_text;
using race::write_schedule;

}  // namespace heddle::explore
