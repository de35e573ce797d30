// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/native/tsan_library.h"

#include <sys/utsname.h>

#include <filesystem>

#include "frontend/clang/toolchain.h"

namespace heddle::project {

Result<std::vector<std::string>> tsan_link_words(bool is_cxx) {
  namespace fs = std::filesystem;
  utsname machine{};
  uname(&machine);
  const fs::path folder = fs::path(frontend::clang_headers()).parent_path() / "lib" / "linux";
  std::vector<std::string> names = {"tsan"};
  if (is_cxx) names.emplace_back("tsan_cxx");
  std::vector<std::string> words = {"-Wl,--whole-archive"}, exports;
  for (const std::string& name : names) {
    const std::string file = (folder / ("libclang_rt." + name + "-" + machine.machine + ".a")).string();
    std::error_code failure;
    if (!fs::exists(file, failure))
      return error("ThreadSanitizer's library '" + file + "' is not here; on Debian: apt install libclang-rt-19-dev");
    words.push_back(file);
    if (fs::exists(file + ".syms", failure)) exports.push_back("-Wl,--dynamic-list=" + file + ".syms");
  }
  words.emplace_back("-Wl,--no-whole-archive");
  words.insert(words.end(), exports.begin(), exports.end());
  // It defines these under no other name, and ours have to be asked first.
  for (const std::string what : {"acquire", "release", "abort"})
    words.push_back("-Wl,--defsym=__cxa_guard_" + what + "=heddle_guard_" + what);
  words.insert(words.end(), {"-lm", "-lrt", "-lresolv"});
  return words;
}

}  // namespace heddle::project
