// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An OSEK OIL file (OSEK/VDX System Generation, OIL 2.5) -> the tasks, interrupts and resources that it declares.
//
//   CPU ecu {                                        control: priority 3, not preemptable, cyclic
//     TASK control { PRIORITY = 3; SCHEDULE = NON; RESOURCE = bus; };
//     ISR wheel { CATEGORY = 2; PRIORITY = 7; };     wheel: interrupt, priority 7
//     RESOURCE bus { RESOURCEPROPERTY = STANDARD; };
//     ALARM tick { ACTION = ACTIVATETASK { TASK = control; }; };
//   };
//
//   file       = { object | attribute }
//   object     = TYPE NAME [ "{" { object | attribute } "}" ] [ ":" TEXT ] ";"
//   attribute  = NAME "=" [ "-" ] ( NAME | NUMBER | TEXT ) [ "{" { attribute } "}" ] [ ":" TEXT ] ";"
//
// The body of IMPLEMENTATION declares attributes in another grammar and is skipped. Objects and attributes of other
// kinds are read and not used.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "depend/system/oil_lexer.h"

namespace heddle::depend {

struct OilTask {
  std::string name;
  std::string place;  ///< `app.oil:12`
  std::optional<std::int64_t> priority = {};
  bool preemptable = true;  ///< SCHEDULE = FULL
  bool autostart = false;
  bool is_cyclic = false;  ///< an ALARM activates it
  std::vector<std::string> resources = {};
};

struct OilIsr {
  std::string name;
  std::string place;
  std::optional<std::int64_t> category = {}, priority = {}, number = {};
  std::string function = {};  ///< ENTRY, where the kernel has it; empty: by the name
  std::vector<std::string> resources = {};
};

struct OilSystem {
  std::string file;
  std::vector<OilTask> tasks;
  std::vector<OilIsr> isrs;
  std::vector<std::string> resources;
  std::vector<OilIsr> callbacks;  ///< of alarms: they run in the interrupt of the counter
};

/// A mistake ends the reading with a message that begins with its place.
[[nodiscard]] Result<OilSystem> read_oil(std::string_view text, const std::string& path, const ReadText& read);

}  // namespace heddle::depend
