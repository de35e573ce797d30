// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/library/natives.h"

namespace heddle::interpret {

Native find_native(std::string_view name) {
  for (const auto& table :
       {string_natives(), stdio_natives(), file_natives(), scan_natives(), stdlib_natives(), environment_natives(),
        number_natives(), process_natives(), math_natives(), thread_natives(), intrinsic_natives(), cxx_natives(),
        cxx_string_natives(), cxx_stream_natives(), cxx_container_natives()})
    for (const NativeEntry& entry : table)
      if (fits(entry.name, name)) return entry.native;
  return nullptr;
}

}  // namespace heddle::interpret
