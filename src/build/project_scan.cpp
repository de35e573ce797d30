// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/project_scan.h"

#include <filesystem>

#include "build/compile_database.h"
#include "host/json_reader.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

struct Builder {
  const char* evidence;
  const char* kind;
  Strings before;
  Strings build;
};

/// The first that fits wins: a kernel has a Makefile too, an autotools project may bring both.
const std::vector<Builder>& builders() {
  static const std::vector<Builder> all = {
      {"Kbuild", "Kbuild", {"make defconfig", "make prepare modules_prepare"}, {"make", "-k", "CC=heddle cc"}},
      {"meson.build", "meson", {"meson setup build"}, {"ninja", "-C", "build"}},
      {"CMakeLists.txt", "CMake", {"cmake -B build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON"}, {"cmake", "--build", "build"}},
      {"configure", "configure script", {"./configure"}, {"make"}},
      {"configure.ac", "autotools", {"autoreconf -i", "./configure"}, {"make"}},
      {"SConstruct", "SCons", {}, {"scons"}},
      {"build.ninja", "ninja", {}, {"ninja"}},
      {"GNUmakefile", "make", {}, {"make"}},
      {"Makefile", "make", {}, {"make"}},
      {"makefile", "make", {}, {"make"}},
  };
  return all;
}

bool has(const std::string& folder, const std::string& name) {
  std::error_code failure;
  return fs::is_regular_file(fs::path(folder) / name, failure);
}

bool is_configured(const std::string& folder, const Builder& builder) {
  const std::string kind = builder.kind;
  if (kind == "configure script") return has(folder, "Makefile");
  if (kind == "CMake") return has(folder, "build/CMakeCache.txt");
  if (kind == "meson") return has(folder, "build/build.ninja");
  if (kind == "Kbuild") return has(folder, "include/generated/autoconf.h");
  return false;
}

}  // namespace

ProjectScan scan_project(const std::string& folder) {
  ProjectScan scan;
  if (const auto database = find_compile_commands(folder))
    scan.database = fs::path(*database).lexically_relative(fs::path(folder).lexically_normal()).string();
  for (const Builder& builder : builders()) {
    if (!has(folder, builder.evidence)) continue;
    if (!scan.kind.empty()) {
      scan.others.push_back(builder.evidence);
      continue;
    }
    scan.kind = builder.kind;
    scan.evidence = builder.evidence;
    scan.build = builder.build;
    if (!is_configured(folder, builder)) scan.before = builder.before;
  }
  return scan;
}

std::string project_file_text(const ProjectScan& scan) {
  const bool reads = !scan.database.empty();
  const Strings& guess = scan.build.empty() ? Strings{"make"} : scan.build;
  std::string words;
  for (const std::string& word : guess) words += (words.empty() ? "" : ", ") + host::json_string(word);
  std::string text = "# How heddle reads this project; docs/capture.md explains the keys.\n";
  if (!scan.kind.empty()) text += "# " + scan.evidence + " says: " + scan.kind + ".\n";
  text += "[capture]\n";
  text += "# A compile_commands.json that the build leaves, relative to this file. Goes before `build`.\n";
  text += std::string(reads ? "" : "# ") +
          "database = " + host::json_string(reads ? scan.database : "build/compile_commands.json") + "\n";
  text += "# The build that `heddle capture` runs and watches, in words.\n";
  text += std::string(reads || scan.kind.empty() ? "# " : "") + "build = [" + words + "]\n";
  text += "# Programs that are compilers but are not called like one.\n";
  text += "# compilers = [\"mycc\"]\n\n";
  text += "# What your own library functions do, if heddle does not see their source (docs/models.md):\n";
  text += "# [[function]]\n# name = \"my_lock\"\n# effects = [{ acquire = 0, success = \"zero\" }]\n";
  return text;
}

}  // namespace heddle::build
