// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/toolchain.h"

#include <clang/Basic/Version.h>
#include <clang/Driver/Driver.h>
#include <dlfcn.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Program.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/Triple.h>

#include <algorithm>
#include <filesystem>

namespace heddle::frontend {
namespace {

std::string library_folder() {
  Dl_info info{};
  const auto function = &clang::getClangFullVersion;
  if (dladdr(reinterpret_cast<const void*>(function), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code failure;
  const auto real = std::filesystem::canonical(info.dli_fname, failure);
  return failure ? std::string() : real.parent_path().string();
}

std::string extension_of(const std::string& path) { return std::filesystem::path(path).extension().string(); }

constexpr const char* lent_folder = "/heddle-lent-headers";

std::string find_clang() {
  const std::string version = std::to_string(LLVM_VERSION_MAJOR);
  const std::string folder = library_folder();
  for (const std::string& relative : {std::string("/../bin/clang"), "/../llvm-" + version + "/bin/clang"}) {
    llvm::SmallString<256> path(folder + relative);
    llvm::sys::path::remove_dots(path, true);
    if (!folder.empty() && llvm::sys::fs::exists(path)) return path.str().str();
  }
  for (const std::string& name : {"clang-" + version, std::string("clang")}) {
    const auto found = llvm::sys::findProgramByName(name);
    if (!found) continue;
    std::error_code failure;
    const auto real = std::filesystem::canonical(*found, failure);
    if (!failure) return real.string();
  }
  return "clang-" + version;
}

/// What the flags of the user say, else what the run says.
std::string effective_target(const std::string& target, const std::vector<std::string>& flags) {
  std::string out = target;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].starts_with("--target=")) out = flags[i].substr(9);
    if (flags[i] == "-target" && i + 1 < flags.size()) out = flags[i + 1];
  }
  if (std::ranges::find(flags, "-m32") == flags.end()) return out;
  llvm::Triple triple(out.empty() ? llvm::sys::getDefaultTargetTriple() : out);
  return triple.get32BitArchVariant().str();
}

}  // namespace

const std::vector<std::string>& lenient_flags(bool is_cxx) {
  static const std::vector<std::string> c = {"-Wno-implicit-function-declaration",
                                             "-Wno-implicit-int",
                                             "-Wno-int-conversion",
                                             "-Wno-incompatible-pointer-types",
                                             "-Wno-incompatible-function-pointer-types",
                                             "-Wno-return-mismatch",
                                             "-Wno-return-type"};
  static const std::vector<std::string> cxx = {
      "-Wno-c++11-narrowing", "-Wno-register", "-Wno-reserved-user-defined-literal",
      "-Wno-missing-template-arg-list-after-template-kw", "-Wno-enum-constexpr-conversion"};
  return is_cxx ? cxx : c;
}

std::vector<std::string> borrowed_headers(const std::string& target) {
  const llvm::Triple host(llvm::sys::getDefaultTargetTriple()), wanted(target);
  if (target.empty() || wanted.getArch() == host.getArch() || !wanted.isOSLinux()) return {};
  if (wanted.getArch() == llvm::Triple::x86 && host.getArch() == llvm::Triple::x86_64) {
    if (llvm::sys::fs::exists("/usr/include/i386-linux-gnu/bits")) return {};
    return {"-idirafter", "/usr/include/x86_64-linux-gnu", "-idirafter", lent_folder};
  }
  const bool is_x86 = wanted.getArch() == llvm::Triple::x86;
  const std::string folder = "/usr/" + (is_x86 ? "i686" : wanted.getArchName().str()) + "-linux-gnu/include";
  if (!llvm::sys::fs::exists(folder)) return {};
  return {"-idirafter", folder};
}

const std::vector<std::string>& unoptimised_flags() {
  static const std::vector<std::string> flags = {
      "-O0", "-Xclang", "-disable-O0-optnone", "-Xclang", "-disable-llvm-passes", "-fno-sanitize=all", "-fno-lto"};
  return flags;
}

std::vector<std::pair<std::string, std::string>> lent_headers() {
  return {{std::string(lent_folder) + "/gnu/stubs-32.h",
           "/* lists the functions a C library lacks; none matter here */\n"}};
}

// Asked for every unit; finding it reads the symbols of clang's library.
const std::string& clang_executable() {
  static const std::string path = find_clang();
  return path;
}

const std::string& clang_headers() {
  static const std::string path = clang::driver::Driver::GetResourcesPath(clang_executable()) + "/include";
  return path;
}

bool is_preprocessed(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".i" || extension == ".ii";
}

bool is_ir_file(const std::string& path) { return path.ends_with(".bc") || path.ends_with(".ll"); }

bool is_c(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".c" || extension == ".i";
}

std::string target_of(const std::vector<Source>& sources, const Options& options) {
  if (!options.data_model) return {};
  if (*options.data_model == DataModel::Ilp32) return "i386-pc-linux-gnu";
  // Preprocessed programs come from x86-64 by custom; sources with includes need the headers of this machine.
  const bool all_preprocessed =
      std::ranges::all_of(sources, [](const Source& source) { return is_preprocessed(source.path); });
  const std::string host = llvm::sys::getDefaultTargetTriple();
  if (all_preprocessed || !llvm::Triple(host).isArch64Bit()) return "x86_64-pc-linux-gnu";
  return host;
}

std::vector<std::string> clang_arguments(const Source& source, const std::string& target, const Options& options) {
  std::vector<std::string> arguments = {clang_executable(), "-c", "-g", "-fstandalone-debug", "-fno-color-diagnostics"};
  const auto append = [&](const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
  };
  if (!target.empty()) append({"-target", target});
  if (is_c(source.path)) {
    append(lenient_flags(false));
    if (is_preprocessed(source.path) || options.data_model) append({"-fgnu89-inline"});
  }
  append(source.flags);
  if (!is_preprocessed(source.path)) append(borrowed_headers(effective_target(target, source.flags)));
  append(unoptimised_flags());
  // The debug information then names files exactly as they were given, whatever the folder we run in.
  append({"-fdebug-compilation-dir=/", "-fno-caret-diagnostics", "-w", "-Qunused-arguments", "--", source.path});
  return arguments;
}

}  // namespace heddle::frontend
