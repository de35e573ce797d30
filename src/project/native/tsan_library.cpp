// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/tsan_library.h"

#include <sys/utsname.h>

#include <filesystem>

#include "frontend/clang/toolchain.h"

namespace heddle::project {

Result<std::vector<std::string>> tsan_link_words() {
  namespace fs = std::filesystem;
  utsname machine{};
  uname(&machine);
  const fs::path folder = fs::path(frontend::clang_headers()).parent_path() / "lib" / "linux";
  // Without its part for C++: the C++ library's own new and delete call malloc and free, which are ours.
  const std::string file = (folder / (std::string("libclang_rt.tsan-") + machine.machine + ".a")).string();
  std::error_code failure;
  if (!fs::exists(file, failure))
    return error("ThreadSanitizer's library '" + file + "' is not here; on Debian: apt install libclang-rt-19-dev");
  std::vector<std::string> words = {"-Wl,--whole-archive", file, "-Wl,--no-whole-archive"};
  if (fs::exists(file + ".syms", failure)) words.push_back("-Wl,--dynamic-list=" + file + ".syms");
  // It defines these under no other name, and ours have to be asked first.
  for (const std::string what : {"acquire", "release", "abort"})
    words.push_back("-Wl,--defsym=__cxa_guard_" + what + "=heddle_guard_" + what);
  words.insert(words.end(), {"-lm", "-lrt", "-lresolv"});
  return words;
}

}  // namespace heddle::project
