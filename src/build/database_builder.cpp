// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <filesystem>

#include "build/compile_database.h"
#include "build/driver_call.h"

namespace heddle::build {
namespace {

using namespace std::string_view_literals;
using Strings = std::vector<std::string>;

const char* why_no_unit(Language language) {
  switch (language) {
    case Language::Assembly: return "assembly files";
    case Language::Header: return "precompiled headers";
    case Language::Other: return "files in other languages";
    case Language::C:
    case Language::Cxx:
    case Language::Ir:
    case Language::Linked: break;
  }
  return "calls that only link";
}

const char* why_no_unit(Step step) {
  switch (step) {
    case Step::Query: return "questions to the compiler";
    case Step::Preprocess: return "calls that only preprocess";
    case Step::Assembly: return "calls that only make assembly";
    case Step::Object:
    case Step::Link: break;
  }
  return "calls that only link";
}

bool same_file(const std::string& directory, const std::string& a, const std::string& b) {
  const auto full = [&](const std::string& path) {
    return (std::filesystem::path(directory) / path).lexically_normal();
  };
  return a == b || full(a) == full(b);
}

}  // namespace

bool is_probe(const std::string& path) {
  constexpr std::array folders = {"/CMakeScratch/"sv,  "/CMakeTmp/"sv,    "/CompilerIdC/"sv, "/CompilerIdCXX/"sv,
                                  "/meson-private/"sv, "/config-temp/"sv, "/ffconf."sv,      "/ShowIncludes/"sv,
                                  "/.sconf_temp/"sv,   "/.conf_check_"sv};
  const std::string_view name = file_name_of(path);
  if (name.starts_with("conftest.") || name.starts_with("conftest_") || name.starts_with("_configtest.")) return true;
  if (path == "/dev/null" || path.ends_with("/-")) return true;
  return std::ranges::any_of(folders, [&](std::string_view folder) { return path.contains(folder); });
}

void DatabaseBuilder::add(std::string directory, Strings words, const std::string& file, const std::string& output,
                          const host::ResponseReader& response_files) {
  ++calls_;
  BareCall call = without_launchers(std::move(directory), std::move(words), more_compilers_);
  if (call.arguments.empty()) return leave_out("commands without a known compiler (name it with --compiler)");
  auto expanded = host::expand_response_files(std::move(call.arguments), response_files);
  if (!expanded) return note(expanded.error().message), leave_out("commands with bad response files");
  const DriverCall driver = read_driver_call(*expanded);
  if (leaves_out_probes_) add_link_step(database_.links, call.directory, *expanded);
  if (driver.step < Step::Object) return leave_out(why_no_unit(driver.step));
  Strings& arguments = *expanded;
  std::vector<std::size_t> sources;
  Language other = Language::Linked;
  const auto is_meant = [&](const DriverInput& input) {
    return same_file(call.directory, arguments[input.index], file);
  };
  const bool only_one = !file.empty() && driver.inputs.size() > 1 && std::ranges::any_of(driver.inputs, is_meant);
  for (const DriverInput& input : driver.inputs) {
    if (only_one && !is_meant(input)) continue;
    if (input.language == Language::C || input.language == Language::Cxx || input.language == Language::Ir)
      sources.push_back(input.index);
    else if (input.language != Language::Linked)
      other = input.language;
  }
  if (sources.empty()) return leave_out(why_no_unit(other));
  std::vector<std::size_t> inputs;
  for (const DriverInput& input : driver.inputs) inputs.push_back(input.index);
  const bool output_is_object = driver.step == Step::Object && !driver.output.empty();
  for (const std::size_t source : sources)
    add_input(call.directory, arguments, source, inputs, output_is_object ? driver.output : output);
}

void DatabaseBuilder::add_archive(const std::string& directory, Strings words,
                                  const host::ResponseReader& response_files) {
  const auto expanded = host::expand_response_files(std::move(words), response_files);
  if (expanded) add_link_step(database_.links, directory, *expanded);
}

void DatabaseBuilder::add_input(const std::string& directory, const Strings& arguments, std::size_t index,
                                const std::vector<std::size_t>& inputs, const std::string& output) {
  CompileCommand command{directory, arguments[index], output, {}};
  const std::string path = arguments[index] == "-" ? directory + "/-" : source_path(command);
  if (leaves_out_probes_ && (is_probe(path) || is_probe(directory + "/"))) return leave_out("configure checks");
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (i == index || !std::ranges::binary_search(inputs, i)) command.arguments.push_back(arguments[i]);
  Hasher hasher;
  hasher.add(directory).add(output).add(path);
  for (const std::string& argument : command.arguments) hasher.add(argument);
  if (!seen_.insert(hasher.finish()).second) return leave_out("repeated commands");
  ++units_[path];
  database_.commands.push_back(std::move(command));
}

CompileDatabase DatabaseBuilder::finish() {
  const auto several =
      static_cast<std::size_t>(std::ranges::count_if(units_, [](const auto& unit) { return unit.second > 1; }));
  if (several != 0)
    database_.notes.push_back(std::to_string(several) + (several == 1 ? " source is" : " sources are") +
                              " compiled more than once with different flags; each time is a unit of its own");
  for (const Language language : {Language::Assembly, Language::Other})
    if (const auto found = left_out_.find(why_no_unit(language)); found != left_out_.end())
      database_.skipped += found->second;
  for (const auto& [what, count] : left_out_)
    database_.notes.push_back("left out: " + std::to_string(count) + " × " + what);
  std::ranges::move(notes_, std::back_inserter(database_.notes));
  return std::move(database_);
}

}  // namespace heddle::build
