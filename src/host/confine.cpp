// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/confine.h"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace heddle::host {
namespace {

/// What changes a folder or a file. Truncating has a right of its own since version 3 of the interface.
std::uint64_t changes(long version) {
  constexpr std::uint64_t truncate = 1ULL << 14;  // LANDLOCK_ACCESS_FS_TRUNCATE, which older headers lack
  std::uint64_t rights = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                         LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                         LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                         LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
  if (version >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (version >= 3) rights |= truncate;
  return rights;
}

bool allow(int rules, const std::string& path, std::uint64_t rights) {
  const int place = open(path.c_str(), O_PATH | O_CLOEXEC);
  if (place < 0) return false;
  landlock_path_beneath_attr rule{};
  rule.allowed_access = rights;
  rule.parent_fd = place;
  const long added = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
  close(place);
  return added == 0;
}

}  // namespace

bool confine_to(const std::vector<std::string>& folders) {
  const long version = syscall(SYS_landlock_create_ruleset, nullptr, 0UL, LANDLOCK_CREATE_RULESET_VERSION);
  if (version < 1) return false;
  landlock_ruleset_attr handled{};
  handled.handled_access_fs = changes(version) | LANDLOCK_ACCESS_FS_EXECUTE;
  const auto rules =
      static_cast<int>(syscall(SYS_landlock_create_ruleset, &handled, sizeof handled.handled_access_fs, 0U));
  if (rules < 0) return false;
  const bool is_ready =
      std::ranges::all_of(folders, [&](const std::string& folder) { return allow(rules, folder, changes(version)); }) &&
      allow(rules, "/dev/null", LANDLOCK_ACCESS_FS_WRITE_FILE);
  const bool is_confined =
      is_ready && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(SYS_landlock_restrict_self, rules, 0U) == 0;
  close(rules);
  return is_confined;
}

}  // namespace heddle::host
