// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "project/doctor.h"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "build/compile_database.h"
#include "build/intercept.h"
#include "build/real_compiler.h"
#include "frontend/clang/clang_command.h"
#include "frontend/clang/toolchain.h"
#include "frontend/frontend.h"
#include "host/program_file.h"

namespace heddle::project {
namespace {

namespace fs = std::filesystem;
using enum Finding::State;

class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code failure;
    std::string path = fs::temp_directory_path(failure).string() + "/heddle-doctor-XXXXXX";
    if (mkdtemp(path.data()) != nullptr) path_ = path;
  }
  ~ScratchFolder() {
    std::error_code failure;
    if (!path_.empty()) fs::remove_all(path_, failure);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

Finding try_source(const std::string& scratch, const std::string& name, const std::string& header,
                   frontend::Options options, Finding finding) {
  const std::string path = scratch + "/" + name;
  std::ofstream(path) << "#include <" << header << ">\nint main() { return 0; }\n";
  const auto program = read_sources({{path, {}}}, options);
  if (program) return {Ok, finding.what, "<" + header + "> is read", ""};
  finding.detail = first_line(program.error().message);
  return finding;
}

Finding clang_finding() {
  const std::string headers = frontend::clang_headers();
  std::error_code failure;
  if (fs::exists(headers + "/stddef.h", failure)) return {Ok, "clang's own headers", headers, ""};
  return {Missing, "clang's own headers", "there is no stddef.h in " + headers,
          "apt-get install libclang-common-19-dev"};
}

/// The package that has the headers of i386 on this machine.
std::string narrow_headers() {
#if defined(__x86_64__)
  return "libc6-dev-i386";
#else
  return "libc6-dev-i386-cross";
#endif
}

Finding watch_finding(const std::string& scratch) {
  Finding finding{Missing, "watching builds", "", "give a compile_commands.json instead, or CC='heddle cc'"};
  const std::vector<std::string> build = {"/bin/sh", "-c", "cc --version >/dev/null 2>&1; true && exec true"};
  const auto result = build::intercept_build(build, {scratch, {"sh"}, ""});
  if (!result)
    finding.detail = result.error().message;
  else if (result->calls == 0)
    finding.detail = "a started program was not seen: is LD_PRELOAD ignored here, or /bin/sh statically linked?";
  else
    return {Ok, finding.what, "a started program is seen", ""};
  return finding;
}

Finding compiler_finding() {
  if (const fs::path cc = host::program_file("cc", "/"); !cc.empty()) return {Ok, "the C compiler cc", cc.string(), ""};
  return {Optional, "the C compiler cc", "it is not here; builds need one, commands are read without it",
          "apt-get install gcc"};
}

Finding folder_finding(const std::string& folder) {
  const std::string what = "room for .heddle/";
  std::error_code failure;
  const fs::space_info space = fs::space(folder, failure);
  if (failure) return {Missing, what, folder + ": " + failure.message(), "run heddle in the project's folder"};
  if (access(folder.c_str(), W_OK | X_OK) != 0)
    return {Missing, what, folder + " cannot be written to", "make it writable: chmod u+w " + folder};
  const std::string room = std::to_string(space.available >> 20) + " MB free";
  if (space.available < (std::uintmax_t{256} << 20))
    return {Missing, what, room, "make room: a captured project takes about a tenth of its objects"};
  return {Ok, what, room, ""};
}

/// Nothing is started here: what a database names may be anything.
std::vector<Finding> findings_of_compilers(const std::vector<build::CompileCommand>& commands) {
  std::error_code failure;
  const fs::path here = fs::current_path(failure);
  std::map<std::string, std::string> problems;
  for (const build::CompileCommand& command : commands) {
    const std::string& name = command.arguments.front();
    const fs::path file = host::program_file(name, command.directory);
    const std::string why = file.empty() ? "is not here" : host::why_not_to_start(file, here);
    if (!why.empty()) problems[name] = why;
  }
  std::vector<Finding> findings;
  for (const auto& [name, why] : problems)
    findings.push_back({Optional, "compiler", "'" + name + "' " + why + "; clang's own headers are used",
                        "install it, or allow it: heddle capture --query-driver '" + name + "'"});
  return findings;
}

}  // namespace

std::vector<Finding> examine_machine(const std::string& folder) {
  const ScratchFolder scratch;
  std::vector<Finding> findings = {clang_finding()};
  if (scratch.path().empty()) {
    findings.push_back({Missing, "temporary files", "no folder can be made in the temporary folder", "set TMPDIR"});
  } else {
    const std::string& path = scratch.path();
    findings.push_back(
        try_source(path, "c.c", "pthread.h", {}, {Missing, "C headers", "", "apt-get install libc6-dev"}));
    findings.push_back(
        try_source(path, "cxx.cpp", "thread", {}, {Missing, "C++ headers", "", "apt-get install libstdc++-12-dev"}));
    findings.push_back(
        try_source(path, "narrow.c", "pthread.h", {.data_model = frontend::DataModel::Ilp32},
                   {Optional, "32-bit headers", "", "apt-get install " + narrow_headers() + " (for -m32 and ILP32)"}));
    std::error_code failure;
    if (!fs::exists("/proc/self/cmdline", failure))
      findings.push_back({Missing, "/proc", "is not mounted", "mount -t proc proc /proc"});
    findings.push_back(watch_finding(path));
  }
  findings.push_back(compiler_finding());
  findings.push_back(folder_finding(folder));
  return findings;
}

std::vector<Finding> examine_database(const std::string& path_or_folder) {
  const auto path = build::find_compile_commands(path_or_folder);
  if (!path) return {{Missing, "compile commands", path.error().message, "make one, or let heddle watch the build"}};
  const auto database = build::read_compile_commands(*path);
  if (!database) return {{Missing, "compile commands", database.error().message, "make it again"}};
  std::vector<Finding> findings = {
      {Ok, "compile commands", *path + ": " + std::to_string(database->commands.size()), ""}};
  for (const std::string& note : database->notes) findings.back().detail += "; " + note;
  std::size_t lost = 0;
  std::string example;
  build::RealCompilers compilers({.is_silent = true});
  std::size_t dropping = 0;
  for (const build::CompileCommand& command : database->commands) {
    std::error_code failure;
    const auto converted = frontend::to_clang_command(command, compilers.of(command));
    if (converted && !converted->dropped.empty()) ++dropping;
    if (fs::exists(source_path(command), failure)) continue;
    if (lost++ == 0) example = source_path(command);
  }
  if (lost != 0)
    findings.push_back({Missing, "sources", std::to_string(lost) + " are not there, for example " + example,
                        "build the project (generated sources), or make the commands again in this place"});
  for (Finding& finding : findings_of_compilers(database->commands)) findings.push_back(std::move(finding));
  findings.push_back({Ok, "flags", std::to_string(dropping) + " commands have flags that clang is not given", ""});
  return findings;
}

}  // namespace heddle::project
