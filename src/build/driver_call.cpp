// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/driver_call.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>

#include "base/contains.h"
#include "build/intercept/compiler_name.h"

namespace heddle::build {
namespace {

using namespace std::string_view_literals;

Language language_of_option(std::string_view name) {
  if (name == "c" || name == "cpp-output" || name == "c-cpp-output") return Language::C;
  if (name == "c++" || name == "c++-cpp-output") return Language::Cxx;
  if (name == "ir") return Language::Ir;
  if (name.ends_with("-header") || name.ends_with("-module") || name == "pcm") return Language::Header;
  if (name.starts_with("assembler")) return Language::Assembly;
  return Language::Other;
}

Language language_of_file(std::string_view path) {
  static const std::map<std::string_view, Language> suffixes = {
      {".c", Language::C},          {".i", Language::C},        {".cc", Language::Cxx},     {".cp", Language::Cxx},
      {".cxx", Language::Cxx},      {".cpp", Language::Cxx},    {".CPP", Language::Cxx},    {".c++", Language::Cxx},
      {".C", Language::Cxx},        {".CC", Language::Cxx},     {".ii", Language::Cxx},     {".cppm", Language::Other},
      {".h", Language::Header},     {".hh", Language::Header},  {".hpp", Language::Header}, {".hxx", Language::Header},
      {".H", Language::Header},     {".s", Language::Assembly}, {".S", Language::Assembly}, {".sx", Language::Assembly},
      {".asm", Language::Assembly}, {".m", Language::Other},    {".mm", Language::Other},   {".M", Language::Other},
      {".mi", Language::Other},     {".f", Language::Other},    {".F", Language::Other},    {".for", Language::Other},
      {".f90", Language::Other},    {".F90", Language::Other},  {".f95", Language::Other},  {".f03", Language::Other},
      {".f08", Language::Other},    {".cu", Language::Other},   {".cl", Language::Other},   {".hip", Language::Other},
      {".go", Language::Other},     {".adb", Language::Other},  {".ads", Language::Other},  {".d", Language::Other},
      {".rs", Language::Other},     {".ll", Language::Ir},      {".bc", Language::Ir},      {".y", Language::Other},
      {".l", Language::Other}};
  const std::string_view name = file_name_of(path);
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return Language::Linked;
  const auto found = suffixes.find(name.substr(dot));
  return found == suffixes.end() ? Language::Linked : found->second;
}

bool is_query(std::string_view option) {
  constexpr std::array queries = {"--version"sv,     "-dumpversion"sv, "-dumpmachine"sv, "-dumpfullversion"sv,
                                  "-dumpspecs"sv,    "--help"sv,       "-help"sv,        "--target-help"sv,
                                  "--help-hidden"sv, "-###"sv};
  return contains(queries, option) || option.starts_with("-print-") || option.starts_with("--print-") ||
         option.starts_with("--help=");
}

class CallReader {
 public:
  explicit CallReader(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  DriverCall read() {
    for (std::size_t i = 1; i < arguments_.size(); ++i) {
      const std::string_view argument = arguments_[i];
      if (only_files_ || argument == "-" || !argument.starts_with('-'))
        call_.inputs.push_back({i, argument == "-" ? stdin_language() : current_language(argument)});
      else if (argument == "--")
        only_files_ = true;
      else if (takes_next_argument(argument) && i + 1 < arguments_.size())
        option(argument, arguments_[++i]);
      else
        flag(argument);
    }
    call_.step = is_query_ || call_.inputs.empty() ? Step::Query : step_;
    return std::move(call_);
  }

 private:
  void stop_at(Step step) { step_ = std::min(step_, step); }

  void option(std::string_view name, std::string_view value) {
    if (name == "-o" || name == "--output") call_.output = value;
    if (name == "-x" || name == "--language") language_ = value;
  }

  void flag(std::string_view name) {
    if (is_query(name)) is_query_ = true;
    if (name == "-c" || name == "--compile" || name == "-fsyntax-only" || name == "-emit-llvm") stop_at(Step::Object);
    if (name == "-S" || name == "--assemble") stop_at(Step::Assembly);
    if (name == "-E" || name == "--preprocess" || name == "-M" || name == "-MM") stop_at(Step::Preprocess);
    if (name.starts_with("--output=")) call_.output = name.substr(9);
    if (name.starts_with("--language=")) language_ = name.substr(11);
    if (name.starts_with("-x") && name.size() > 2) language_ = name.substr(2);
    if (name.starts_with("-o") && name.size() > 2 && !name.starts_with("-object")) call_.output = name.substr(2);
  }

  [[nodiscard]] bool says_language() const { return !language_.empty() && language_ != "none"; }
  [[nodiscard]] Language stdin_language() const {
    return says_language() ? language_of_option(language_) : Language::Other;
  }
  [[nodiscard]] Language current_language(std::string_view path) const {
    if (says_language()) return language_of_option(language_);
    const Language language = language_of_file(path);
    const std::string_view driver = file_name_of(arguments_.front());
    return language == Language::C && driver.contains("++") && !path.ends_with(".i") ? Language::Cxx : language;
  }

  const std::vector<std::string>& arguments_;
  DriverCall call_;
  std::string language_;
  Step step_ = Step::Link;
  bool is_query_ = false;
  bool only_files_ = false;
};

}  // namespace

std::string source_path(const CompileCommand& command) {
  return (std::filesystem::path(command.directory) / command.file).lexically_normal().string();
}

std::string_view file_name_of(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool is_compiler(std::string_view path, const std::vector<std::string>& more_names) {
  const std::string_view name = file_name_of(path);
  return heddle_is_compiler_name(name.data(), name.size()) ||
         std::ranges::any_of(more_names, [&](const std::string& other) { return other == name; });
}

bool takes_next_argument(std::string_view option) {
  constexpr std::array options = {"--param"sv,
                                  "--sysroot"sv,
                                  "--include"sv,
                                  "--output"sv,
                                  "--language"sv,
                                  "--define-macro"sv,
                                  "-A"sv,
                                  "-B"sv,
                                  "-D"sv,
                                  "-F"sv,
                                  "-G"sv,
                                  "-I"sv,
                                  "-L"sv,
                                  "-MF"sv,
                                  "-MJ"sv,
                                  "-MQ"sv,
                                  "-MT"sv,
                                  "-T"sv,
                                  "-Tbss"sv,
                                  "-Tdata"sv,
                                  "-Ttext"sv,
                                  "-U"sv,
                                  "-Xanalyzer"sv,
                                  "-Xassembler"sv,
                                  "-Xclang"sv,
                                  "-Xlinker"sv,
                                  "-Xpreprocessor"sv,
                                  "-arch"sv,
                                  "-aux-info"sv,
                                  "-b"sv,
                                  "-cxx-isystem"sv,
                                  "-dumpbase"sv,
                                  "-dumpbase-ext"sv,
                                  "-dumpdir"sv,
                                  "-e"sv,
                                  "-framework"sv,
                                  "-idirafter"sv,
                                  "-iframework"sv,
                                  "-imacros"sv,
                                  "-imultilib"sv,
                                  "-include"sv,
                                  "-include-pch"sv,
                                  "-iprefix"sv,
                                  "-iquote"sv,
                                  "-isysroot"sv,
                                  "-isystem"sv,
                                  "-ivfsoverlay"sv,
                                  "-iwithprefix"sv,
                                  "-iwithprefixbefore"sv,
                                  "-isystem-after"sv,
                                  "-l"sv,
                                  "-mllvm"sv,
                                  "-o"sv,
                                  "-resource-dir"sv,
                                  "-serialize-diagnostics"sv,
                                  "-target"sv,
                                  "-u"sv,
                                  "-working-directory"sv,
                                  "-wrapper"sv,
                                  "-x"sv,
                                  "-z"sv,
                                  "-plugin"sv,
                                  "-rpath"sv,
                                  "-specs"sv,
                                  "--specs"sv,
                                  "--config"sv,
                                  "-gcc-toolchain"sv,
                                  "-fmodules-cache-path"sv};
  return contains(options, option);
}

DriverCall read_driver_call(const std::vector<std::string>& arguments) { return CallReader(arguments).read(); }

}  // namespace heddle::build
