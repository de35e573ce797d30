// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/real_compiler.h"

#include <fnmatch.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>
#include <sstream>

#include "base/contains.h"
#include "build/compiler_answers.h"
#include "build/driver_call.h"
#include "build/run_process.h"
#include "host/program_file.h"

namespace heddle::build {
namespace {

using namespace std::string_view_literals;

/// `--specs=picolibc.specs`, which chooses a C library. A file of rules can start programs, so only one of the
/// compiler's own will do: a bare name, and asked in a folder that is nobody's (`ask`).
bool is_plain_specs(std::string_view flag) {
  const bool is_one = flag.starts_with("--specs=") || flag.starts_with("-specs=");
  return is_one && flag.ends_with(".specs") && !flag.contains('/');
}

/// Flags that change what the compiler takes for granted. A trailing '=' or a bare prefix matches what follows it.
bool decides_defaults(std::string_view flag) {
  constexpr std::array exact = {
      "-nostdinc"sv, "-nostdinc++"sv,  "-pthread"sv,        "-m32"sv,           "-m64"sv,
      "-mx32"sv,     "-mthumb"sv,      "-marm"sv,           "-ffreestanding"sv, "-EL"sv,
      "-EB"sv,       "-mbig-endian"sv, "-mlittle-endian"sv, "-msoft-float"sv,   "-mhard-float"sv};
  constexpr std::array prefixes = {"--sysroot="sv, "--target="sv,    "-march="sv,  "-mcpu="sv,   "-mmcu="sv,
                                   "-mabi="sv,     "-mfloat-abi="sv, "-mfpu="sv,   "-stdlib="sv, "--gcc-toolchain="sv,
                                   "-mmusl"sv,     "-mglibc"sv,      "-muclibc"sv, "-mbionic"sv};
  return contains(exact, flag) || is_plain_specs(flag) ||
         std::ranges::any_of(prefixes, [&](std::string_view prefix) { return flag.starts_with(prefix); });
}

bool decides_defaults_with_value(std::string_view flag) {
  return flag == "-isysroot" || flag == "--sysroot" || flag == "-target" || flag == "-gcc-toolchain" ||
         flag == "-imultilib";
}

std::vector<std::string> question(const CompileCommand& command, bool is_cxx) {
  std::vector<std::string> words = {command.arguments.front()};
  for (std::string& flag : default_deciding_flags(command.arguments)) words.push_back(std::move(flag));
  words.insert(words.end(), {"-E", "-dM", "-v", "-x", is_cxx ? "c++" : "c", "/dev/null"});
  return words;
}

bool compiles_cxx(const CompileCommand& command) {
  for (const DriverInput& input : read_driver_call(command.arguments).inputs)
    if (command.arguments[input.index] == command.file) return input.language == Language::Cxx;
  return false;
}

/// NAME and VALUE of `#define NAME VALUE`.
std::map<std::string, std::string> macros_of(const std::string& text) {
  std::map<std::string, std::string> macros;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string define, name, value;
    if (!(words >> define >> name) || define != "#define") continue;
    std::getline(words >> std::ws, value);
    macros[name] = value;
  }
  return macros;
}

std::string standard_of(const std::map<std::string, std::string>& macros, bool is_cxx) {
  const auto version = macros.find(is_cxx ? "__cplusplus" : "__STDC_VERSION__");
  const std::string dialect = macros.contains("__STRICT_ANSI__") ? (is_cxx ? "c++" : "c") : (is_cxx ? "gnu++" : "gnu");
  const long year = version == macros.end() ? 0 : std::strtol(version->second.c_str(), nullptr, 10);
  constexpr std::array<std::pair<long, const char*>, 5> c = {
      {{202000, "23"}, {201710, "17"}, {201112, "11"}, {199901, "99"}, {0, "89"}}};
  constexpr std::array<std::pair<long, const char*>, 7> cxx = {
      {{202400, "26"}, {202100, "23"}, {202000, "20"}, {201703, "17"}, {201402, "14"}, {201103, "11"}, {0, "98"}}};
  const auto choose = [&](const auto& table) {
    return *std::ranges::find_if(table, [&](const auto& row) { return year >= row.first; });
  };
  return dialect + (is_cxx ? choose(cxx).second : choose(c).second);
}

/// What a vendor built in: names that neither the language nor the compilers themselves reserve; and what avr-gcc says
/// of the device, which our clang may know less of.
std::vector<std::string> vendor_defines(const std::map<std::string, std::string>& macros) {
  static const std::set<std::string_view> usual = {
      "linux", "unix", "i386", "_LP64", "_ILP32", "_GNU_SOURCE", "_REENTRANT", "_FORTIFY_SOURCE", "_STDC_PREDEF_H"};
  std::vector<std::string> out;
  for (const auto& [name, value] : macros)
    if ((!name.starts_with("__") || name.starts_with("__AVR_")) && !usual.contains(name) && !name.contains('('))
      out.push_back(name + "=" + value);
  return out;
}

void read_folders(const std::string& verbose, RealCompiler& compiler) {
  std::vector<std::string>& folders = compiler.system_folders;
  constexpr std::string_view absent = "ignoring nonexistent directory \"";
  bool within = false;
  std::istringstream lines(verbose);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(absent)) {
      compiler.absent_folders.push_back(line.substr(absent.size(), line.rfind('"') - absent.size()));
    } else if (line.starts_with("#include <...>")) {
      within = true;
    } else if (line.starts_with("End of search list")) {
      break;
    } else if (within && line.starts_with(' ') && !line.ends_with("(framework directory)")) {
      const std::string folder = std::filesystem::path(line.substr(1)).lexically_normal().string();
      const std::string kept = is_compiler_folder(folder) ? "" : folder;
      if (kept.empty()) compiler.own_folders.push_back(folder);
      if (!contains(folders, kept)) folders.push_back(kept);
    }
  }
}

RealCompiler missing(const std::string& compiler, const std::string& why) {
  RealCompiler out;
  out.triple = triple_in_name(compiler);
  out.note = "compiler '" + compiler + "' " + why + "; its commands are read with clang's own headers" +
             (out.triple.empty() ? "" : " for " + out.triple);
  return out;
}

}  // namespace

std::vector<std::string> default_deciding_flags(const std::vector<std::string>& arguments) {
  std::vector<std::string> flags;
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const bool has_value = takes_next_argument(arguments[i]) && i + 1 < arguments.size();
    if (decides_defaults(arguments[i])) flags.push_back(arguments[i]);
    if (has_value && decides_defaults_with_value(arguments[i]))
      flags.insert(flags.end(), {arguments[i], arguments[i + 1]});
    if (has_value) ++i;
  }
  return flags;
}

bool is_compiler_folder(const std::string& folder) {
  if (!folder.ends_with("/include") && !folder.ends_with("/include-fixed")) return false;
  for (const char* part : {"/lib/gcc/", "/lib64/gcc/", "/lib/gcc-cross/", "/gcc-lib/", "/lib/clang/", "/lib64/clang/"})
    if (folder.contains(part)) return true;
  return false;
}

std::string triple_in_name(const std::string& compiler) {
  std::string name(file_name_of(compiler));
  std::size_t end = std::string::npos;
  for (const char* driver : {"-gcc", "-g++", "-cc", "-c++", "-clang"})
    if (const std::size_t at = name.find(driver); at != std::string::npos) end = std::min(end, at);
  if (end == std::string::npos) return {};
  name.resize(end);
  const bool is_bare = name == "avr" || name == "msp430";  // targets that are called by one word
  return is_bare || std::ranges::count(name, '-') >= 1 ? name : "";
}

RealCompiler read_compiler_answer(const std::string& macros_text, const std::string& verbose, bool is_cxx) {
  RealCompiler compiler;
  const auto macros = macros_of(macros_text);
  const std::size_t target = verbose.find("Target: ");
  const bool is_whole = verbose.contains("End of search list");  // and not cut by a full disk or a signal
  if (!macros.contains("__GNUC__") || target == std::string::npos || !is_whole) return compiler;
  compiler.kind = macros.contains("__clang__") ? RealCompiler::Kind::Clang : RealCompiler::Kind::Gcc;
  compiler.triple = verbose.substr(target + 8, verbose.find('\n', target) - target - 8);
  read_folders(verbose, compiler);
  compiler.defines = vendor_defines(macros);
  compiler.standard = standard_of(macros, is_cxx);
  compiler.char_is_unsigned = macros.contains("__CHAR_UNSIGNED__");
  const auto least_enum = macros.find("__ARM_SIZEOF_MINIMAL_ENUM");
  compiler.enums_are_short = least_enum != macros.end() && least_enum->second == "1";
  compiler.merges_tentative =
      compiler.kind == RealCompiler::Kind::Gcc && std::strtol(macros.at("__GNUC__").c_str(), nullptr, 10) < 10;
  return compiler;
}

const RealCompiler& RealCompilers::of(const CompileCommand& command) {
  const bool is_cxx = compiles_cxx(command);
  const std::vector<std::string> words = question(command, is_cxx);
  std::string key = words.front().contains('/') && !words.front().starts_with('/') ? command.directory : "";
  for (const std::string& word : words) key += '\0' + word;
  const auto [found, is_new] = known_.try_emplace(key);
  if (is_new) found->second = find_out(words, command.directory, is_cxx);
  return found->second;
}

bool RealCompilers::is_allowed(const std::string& name, const std::string& file) const {
  return std::ranges::any_of(rules_.allowed, [&](const std::string& allowed) {
    return allowed.contains('/') ? fnmatch(allowed.c_str(), file.c_str(), 0) == 0 : allowed == file_name_of(name);
  });
}

RealCompiler RealCompilers::ask(const std::vector<std::string>& question, const std::string& directory,
                                bool is_cxx) const {
  std::vector<std::string> words = question;
  const std::string name = words.front();
  const std::string file = host::program_file(name, directory);
  if (file.empty()) return missing(name, "is not here");
  if (rules_.is_silent) return missing(name, "was not asked yet");
  if (!is_allowed(name, file))
    if (const std::string why = host::why_not_to_start(file, rules_.project); !why.empty())
      return missing(name, why + " (--query-driver '" + file + "' allows it)");
  words.front() = file;
  std::error_code failure;
  const bool has_folder = std::filesystem::is_directory(directory, failure);
  const std::string folder = std::ranges::any_of(words, is_plain_specs) ? "/" : has_folder ? directory : "";
  const auto answer = run_process(words, folder, rules_.stopped);
  if (!answer) return missing(name, answer.error().message);
  if (answer->status != 0) return missing(name, "does not say what it takes for granted");
  RealCompiler compiler = read_compiler_answer(answer->output, answer->errors, is_cxx);
  return compiler.kind == RealCompiler::Kind::Missing ? missing(name, "is not understood") : compiler;
}

RealCompiler RealCompilers::find_out(const std::vector<std::string>& question, const std::string& directory,
                                     bool is_cxx) const {
  if (!is_compiler(question.front(), rules_.more_names))
    return missing(question.front(), "has no compiler's name and is not run");
  if (kept_ == nullptr) return ask(question, directory, is_cxx);
  if (const RealCompiler* known = kept_->find(question, directory); known != nullptr) return *known;
  RealCompiler answer = ask(question, directory, is_cxx);
  kept_->add(question, directory, answer);
  return answer;
}

std::vector<std::string> RealCompilers::notes() const {
  std::set<std::string> notes;
  for (const auto& [key, compiler] : known_)
    if (!compiler.note.empty()) notes.insert(compiler.note);
  return {notes.begin(), notes.end()};
}

}  // namespace heddle::build
