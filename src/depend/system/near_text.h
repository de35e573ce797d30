// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <set>
#include <string>

#include "base/near_names.h"

namespace heddle::depend {

/// `; did you mean 'tick' or 'tack'?`, or what to do where no name is near.
inline std::string near_text(const std::string& asked, const std::set<std::string>& names) {
  const std::vector<std::string> near = near_names(asked, names, 3);
  if (near.empty()) return "; correct the name, or name the file that defines it too";
  std::string out;
  for (std::size_t i = 0; i < near.size(); ++i)
    out += (i == 0 ? "" : i + 1 == near.size() ? " or " : ", ") + ("'" + near[i] + "'");
  return "; did you mean " + out + "?";
}

}  // namespace heddle::depend
