// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang/clang_command.h"

#include <algorithm>
#include <filesystem>

#include "base/contains.h"
#include "build/driver_call.h"
#include "build/foreign_flags.h"
#include "frontend/clang/safe_arguments.h"
#include "frontend/clang/toolchain.h"

namespace heddle::frontend {
namespace {

using Strings = std::vector<std::string>;

void append(Strings& to, const Strings& more) { to.insert(to.end(), more.begin(), more.end()); }

/// `-Xclang -include-pch -Xclang FILE`: arguments of the compiler itself that need files another clang wrote.
bool is_foreign_inside(const std::string& argument, bool& has_value) {
  has_value = argument == "-include-pch" || argument == "-load" || argument == "-plugin" || argument == "-add-plugin" ||
              argument.starts_with("-plugin-arg-");
  return has_value || argument.starts_with("-emit-") || argument.starts_with("-fdebug-pass-");
}

bool is_optimisation(const std::string& argument) { return argument.starts_with("-O") || argument == "--optimize"; }

/// The user's arguments that reach our clang.
class Arguments {
 public:
  explicit Arguments(const build::CompileCommand& command) : command_(command) {}

  void read(const build::DriverCall& call) {
    for (const build::DriverInput& input : call.inputs) inputs_.push_back(input.index);
    const Strings& all = command_.arguments;
    for (std::size_t i = 1; i < all.size(); ++i) {
      const bool has_value = build::takes_next_argument(all[i]) && i + 1 < all.size();
      if (std::ranges::binary_search(inputs_, i) || all[i] == "--") continue;
      if (is_optimisation(all[i])) {
        optimisation = all[i];
      } else if (all[i] == "-x" || all[i] == "--language") {
        ++i;  // said again at the end
      } else if (all[i] == "-Xclang" && has_value) {
        i = take_inside(i);
      } else if (const auto rule = build::rule_of_flag(all[i])) {
        const std::size_t count = rule->takes_next && i + 1 < all.size() ? 2 : 1;
        if (rule->kind != build::FlagKind::Output && rule->kind != build::FlagKind::Strict) drop(i, count);
        i += count - 1;
      } else if (has_value) {
        keep_pair(all[i], all[i + 1]);
        ++i;
      } else if (!(all[i].starts_with("-x") && all[i].size() > 2)) {
        keep(all[i]);
      }
    }
  }

  Strings kept = {"clang"};
  Strings dropped;
  std::string optimisation;  ///< the last level, empty if none
  bool has_standard = false;
  bool has_target = false;
  bool has_char = false;
  bool has_common = false;
  bool has_enums = false;
  bool is_narrow = false;  ///< -m32
  bool has_no_standard_folders = false;
  bool is_kernel = false;

 private:
  void drop(std::size_t i, std::size_t count) {
    for (std::size_t k = i; k < i + count; ++k) dropped.push_back(command_.arguments[k]);
  }

  std::size_t take_inside(std::size_t i) {
    const Strings& all = command_.arguments;
    bool has_value = false;
    if (!is_foreign_inside(all[i + 1], has_value)) {
      append(kept, {all[i], all[i + 1]});
      return i + 1;
    }
    const std::size_t count = has_value && i + 3 < all.size() && all[i + 2] == "-Xclang" ? 4 : 2;
    drop(i, count);
    return i + count - 1;
  }

  void keep_pair(const std::string& option, const std::string& value) {
    if (option == "-target") has_target = true;
    if (option == "-D" && value.starts_with("__KERNEL__")) is_kernel = true;
    const bool names_folder = option == "-isystem" || option == "-I" || option == "-idirafter";
    // The kernel and others name gcc's own headers; for clang they are clang's.
    const bool is_own =
        names_folder && build::is_compiler_folder(std::filesystem::path(value).lexically_normal().string());
    append(kept, {option, is_own ? clang_headers() : value});
  }

  void keep(const std::string& flag) {
    if (flag.starts_with("-std=") || flag.starts_with("--std=") || flag == "-ansi") has_standard = true;
    if (flag.starts_with("--target=")) has_target = true;
    if (flag == "-fsigned-char" || flag == "-funsigned-char" || flag.starts_with("-fno-signed-char") ||
        flag.starts_with("-fno-unsigned-char"))
      has_char = true;
    if (flag == "-fcommon" || flag == "-fno-common") has_common = true;
    if (flag == "-fshort-enums" || flag == "-fno-short-enums") has_enums = true;
    if (flag == "-m32") is_narrow = true;
    if (flag == "-nostdinc") has_no_standard_folders = true;
    if (flag.starts_with("-D__KERNEL__")) is_kernel = true;
    kept.push_back(flag);
  }

  const build::CompileCommand& command_;
  std::vector<std::size_t> inputs_;
};

/// What the real compiler takes for granted, said to ours.
void append_defaults(Strings& to, const build::RealCompiler& compiler, const Arguments& user, bool is_cxx) {
  if (!user.has_target && !compiler.triple.empty()) to.push_back("--target=" + compiler.triple);
  if (compiler.kind == build::RealCompiler::Kind::Missing) return;
  for (const std::string& define : compiler.defines) to.push_back("-D" + define);
  if (!user.has_standard) to.push_back("-std=" + compiler.standard);
  if (!user.has_char) to.push_back(compiler.char_is_unsigned ? "-funsigned-char" : "-fsigned-char");
  if (compiler.enums_are_short && !user.has_enums) to.push_back("-fshort-enums");
  if (compiler.merges_tentative && !user.has_common && !is_cxx) to.push_back("-fcommon");
  if (user.has_no_standard_folders) return;
  to.push_back("-nostdinc");
  if (is_cxx) to.push_back("-nostdinc++");
  for (const std::string& folder : compiler.system_folders)
    append(to, {"-isystem", folder.empty() ? clang_headers() : folder});
}

bool optimises(const std::string& level) { return !level.empty() && level != "-O0"; }

std::optional<build::Language> language_of(const build::CompileCommand& command, const build::DriverCall& call) {
  for (const build::DriverInput& input : call.inputs)
    if (command.arguments[input.index] == command.file &&
        (input.language == build::Language::C || input.language == build::Language::Cxx))
      return input.language;
  return std::nullopt;
}

ClangCommand make_command(const build::CompileCommand& command, const build::RealCompiler& compiler, Arguments user,
                          build::Language language, Optimisation optimisation) {
  const bool is_cxx = language == build::Language::Cxx;
  ClangCommand out{command.directory, {}, std::move(user.dropped), optimisation};
  out.arguments = without_side_effects(known_to_clang(user.kept, out.dropped), out.dropped);
  out.arguments.front() = clang_executable();
  out.arguments.insert(out.arguments.begin() + 1, "-c");
  append_defaults(out.arguments, compiler, user, is_cxx);
  append(out.arguments, lenient_flags(is_cxx));
  if (user.is_narrow) append(out.arguments, borrowed_headers("i386-pc-linux-gnu"));
  append(out.arguments, {"-g", "-fstandalone-debug", "-fno-color-diagnostics"});
  if (optimisation == Optimisation::None)
    append(out.arguments, unoptimised_flags());
  else  // fortified functions would hide the calls they stand for
    append(out.arguments, {user.optimisation, "-Xclang", "-disable-llvm-passes", "-fno-sanitize=all", "-fno-lto",
                           "-U_FORTIFY_SOURCE"});
  append(out.arguments,
         {"-fdebug-compilation-dir=" + command.directory, "-fno-caret-diagnostics", "-w", "-Qunused-arguments", "-x"});
  const bool preprocessed = is_preprocessed(command.file);
  out.arguments.push_back(is_cxx ? (preprocessed ? "c++-cpp-output" : "c++") : (preprocessed ? "cpp-output" : "c"));
  append(out.arguments, {"--", command.file});
  return out;
}

Result<ClangCommand> command_at(const build::CompileCommand& command, const build::RealCompiler& compiler,
                                std::optional<Optimisation> wanted) {
  const build::DriverCall call = build::read_driver_call(command.arguments);
  const auto language = language_of(command, call);
  if (!language) return error(source_path(command) + ": error: its command compiles no C or C++ file of that name");
  Arguments user(command);
  user.read(call);
  const Optimisation by_need = user.is_kernel && optimises(user.optimisation) ? Optimisation::Own : Optimisation::None;
  return make_command(command, compiler, std::move(user), *language, wanted.value_or(by_need));
}

/// The quoted words of a message of clang's driver about an option it does not take.
Strings refused_words(const std::string& message) {
  Strings words;
  for (const char* complaint :
       {"unknown argument", "unsupported option", "unsupported argument", "invalid value", "unknown target CPU",
        "invalid argument", "not supported", "invalid integral value", "unknown value"}) {
    const std::size_t at = message.find(complaint);
    if (at == std::string::npos || message.rfind("error:", at) == std::string::npos) continue;
    const std::size_t end = message.find('\n', at);
    for (std::size_t from = message.rfind("error:", at); (from = message.find('\'', from)) < end;) {
      const std::size_t to = message.find('\'', from + 1);
      if (to == std::string::npos || to > end) break;
      words.push_back(message.substr(from + 1, to - from - 1));
      from = to + 1;
    }
  }
  return words;
}

/// Options come by their name, their name and value, or their value alone.
bool is_refused(const std::string& argument, const Strings& words) {
  return std::ranges::any_of(words, [&](const std::string& word) {
    if (word.empty() || !argument.starts_with('-')) return false;
    if (argument == word || (word.starts_with('-') && word.ends_with('=') && argument.starts_with(word))) return true;
    const std::size_t equals = argument.find('=');
    return equals != std::string::npos && argument.starts_with("-m") && argument.substr(equals + 1) == word;
  });
}

/// Headers that only gcc brings: omp.h, quadmath.h. Its folder is not there from the beginning, because clang's own
/// headers look for others of their name behind themselves (#include_next <stdatomic.h>) and must not find gcc's.
std::optional<std::string> folder_of_lost_header(const build::RealCompiler& compiler, const std::string& message) {
  const std::size_t end = message.find("' file not found");
  const std::size_t start = end == std::string::npos ? end : message.rfind('\'', end - 1);
  if (start == std::string::npos) return std::nullopt;
  const std::string header = message.substr(start + 1, end - start - 1);
  std::error_code failure;
  for (const std::string& folder : compiler.own_folders)
    if (std::filesystem::exists(folder + "/" + header, failure)) return folder;
  return std::nullopt;
}

bool is_from_driver(const std::string& message) {
  return message.starts_with("error:") || message.contains("clang: error:") || message.contains("\nerror:");
}

}  // namespace

Result<ClangCommand> to_clang_command(const build::CompileCommand& command, const build::RealCompiler& compiler) {
  return command_at(command, compiler, std::nullopt);
}

std::optional<ClangCommand> retry_command(const build::CompileCommand& command, const build::RealCompiler& compiler,
                                          const ClangCommand& failed, const std::string& message) {
  if (is_from_driver(message)) {
    const Strings words = refused_words(message);
    const auto ours = std::ranges::find(failed.arguments, "-fstandalone-debug");
    ClangCommand next = failed;
    next.arguments.clear();
    for (auto it = failed.arguments.begin(); it != failed.arguments.end(); ++it)
      (it < ours && is_refused(*it, words) ? next.dropped : next.arguments).push_back(*it);
    if (next.arguments.size() < failed.arguments.size()) return next;
  }
  if (const auto folder = folder_of_lost_header(compiler, message); folder && !contains(failed.arguments, *folder)) {
    ClangCommand next = failed;
    next.arguments.insert(std::ranges::find(next.arguments, "-fstandalone-debug"), {"-idirafter", *folder});
    return next;
  }
  if (failed.optimisation == Optimisation::Own || message.contains("file not found")) return std::nullopt;
  auto next = command_at(command, compiler, Optimisation::Own);
  const auto level = [](const std::string& argument) { return optimises(argument) && is_optimisation(argument); };
  if (!next || std::ranges::none_of(command.arguments, level)) return std::nullopt;
  // Flags that the driver refused before would be refused again.
  std::erase_if(next->arguments, [&](const std::string& argument) {
    return contains(failed.dropped, argument) && !contains(next->dropped, argument);
  });
  next->dropped = failed.dropped;
  return *next;
}

}  // namespace heddle::frontend
