// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/recording_compiler.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/content_hash.h"
#include "build/compile_database.h"
#include "build/driver_call.h"
#include "build/intercept.h"
#include "build/real_compiler.h"
#include "build/run_process.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

bool is_plain_source(const Strings& arguments, const DriverInput& input) {
  const std::string& file = arguments[input.index];
  std::error_code failure;
  return (input.language == Language::C || input.language == Language::Cxx) && file != "-" &&
         !is_probe(fs::absolute(file, failure).string()) && fs::is_regular_file(file, failure);
}

std::string content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

bool is_same_file_content(const fs::path& a, const fs::path& b) {
  std::error_code failure;
  return fs::file_size(a, failure) == fs::file_size(b, failure) && content_of(a) == content_of(b);
}

/// Made once by the real compiler, so that it has the right machine, class and ABI flags. An object of an earlier build
/// stays as it is, with its time: what the build links of it before it goes on (the vdso of a kernel, say) can still be
/// linked, and a later build that is none of ours sees that the object is older than its source.
bool write_empty_object(const Strings& compiler, const std::string& log, const std::string& output) {
  Hasher hasher;
  for (const std::string& word : compiler) hasher.add(word);
  std::error_code failure;
  const fs::path folder = empty_objects_folder(log);
  const fs::path kept = folder / (hasher.finish().hex() + ".o");
  if (!fs::exists(kept, failure)) {
    fs::create_directory(folder, failure);  // in a folder that is the user's alone
    const std::string temporary = kept.string() + "." + std::to_string(getpid()) + ".o";
    Strings words = compiler;
    words.insert(words.end(), {"-x", "c", "-c", "/dev/null", "-o", temporary});
    const auto made = run_process(words, "");
    if (!made || made->status != 0) return false;
    fs::rename(temporary, kept, failure);
    if (failure) return false;
  }
  if (fs::exists(output, failure) && !is_same_file_content(kept, output)) return true;
  return fs::copy_file(kept, output, fs::copy_options::overwrite_existing, failure);
}

/// Where the rules of make go, empty if nobody asked.
struct Dependencies {
  std::string file;
  std::string target;
};

Dependencies dependencies_of(const Strings& arguments, const std::string& output) {
  Dependencies out;
  bool wanted = false;
  const auto value_of = [&](std::size_t i, std::string_view name) -> std::string {
    if (arguments[i] == name) return i + 1 < arguments.size() ? arguments[i + 1] : "";
    return arguments[i].starts_with(name) ? arguments[i].substr(name.size()) : "";
  };
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (arguments[i] == "-MD" || arguments[i] == "-MMD") wanted = true;
    if (auto file = value_of(i, "-MF"); !file.empty()) out.file = file;
    if (auto target = value_of(i, "-MT"); !target.empty()) out.target = target;
    if (auto target = value_of(i, "-MQ"); !target.empty()) out.target = target;
    for (const char* joined : {"-Wp,-MD,", "-Wp,-MMD,"})
      if (arguments[i].starts_with(joined)) wanted = true, out.file = value_of(i, joined);
  }
  if (!wanted) return {};
  if (out.file.empty()) out.file = fs::path(output).replace_extension(".d").string();
  if (out.target.empty()) out.target = output;
  return out;
}

bool write_outputs(const Strings& arguments, const std::string& source, const std::string& output,
                   const Strings& compiler, const std::string& log) {
  if (!write_empty_object(compiler, log, output)) return false;
  const Dependencies rules = dependencies_of(arguments, output);
  if (rules.file.empty()) return true;
  std::ofstream file(rules.file);
  file << rules.target << ": " << source << '\n';
  return static_cast<bool>(file.flush());
}

}  // namespace

std::string empty_objects_folder(const std::string& log) { return (fs::path(log).parent_path() / "objects").string(); }

bool record_compile_step(const Strings& arguments, const std::string& real, const std::string& log) {
  std::error_code failure;
  const std::string here = fs::current_path(failure).string();
  auto expanded =
      host::expand_response_files(without_launchers(here, arguments).arguments, host::response_files_of(here));
  if (!expanded || expanded->empty()) return false;
  const DriverCall call = read_driver_call(*expanded);
  const auto is_plain = [&](const DriverInput& input) { return is_plain_source(*expanded, input); };
  if (call.step != Step::Object || !std::ranges::all_of(call.inputs, is_plain)) return false;
  // Behind a launcher, the compiler proper makes the empty object.
  Strings compiler = {file_name_of(arguments.front()) == file_name_of(expanded->front()) ? real : expanded->front()};
  for (std::string& flag : default_deciding_flags(*expanded)) compiler.push_back(std::move(flag));
  for (const DriverInput& input : call.inputs) {
    const std::string& source = (*expanded)[input.index];
    const std::string output =
        call.output.empty() ? fs::path(source).filename().replace_extension(".o").string() : call.output;
    if (!write_outputs(*expanded, source, output, compiler, log)) return false;
  }
  append_to_intercept_log(log, *expanded);
  return true;
}

}  // namespace heddle::build
