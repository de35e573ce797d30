// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program/names/access_kind.h"

#include "base/check.h"

namespace heddle {

std::string_view to_text(AccessKind kind) {
  switch (kind) {
    case AccessKind::Read: return "read";
    case AccessKind::Write: return "write";
    case AccessKind::Update: return "update";
    case AccessKind::Free: return "free";
  }
  fail_check("kind", "no such AccessKind");
}

}  // namespace heddle
