// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "race/access_id.h"

#include "base/content_hash.h"
#include "program/names/access_name.h"

namespace heddle::race {

std::string AccessId::hex() const { return ContentHash{0, value}.hex().substr(16); }

AccessId access_id(const Program& program, const Access& access) {
  return {access_number(access_name(program, access.function, access.instruction, access.kind))};
}

}  // namespace heddle::race
