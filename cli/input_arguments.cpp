// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/input_arguments.h"

#include <filesystem>
#include <fstream>

#include "base/read_file.h"
#include "cli/project_file.h"

namespace heddle::cli {
namespace {

namespace fs = std::filesystem;

Result<void> check_readable(const std::string& file, const char* mend) {
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (!fs::exists(status)) return error("'" + file + "': no such file; " + mend);
  if (fs::is_directory(status)) return error("'" + file + "' is a directory; " + mend);
  if (const std::string why = why_not_given(file); !why.empty()) return error("'" + file + "' " + why + "; " + mend);
  if (!is_handed_over(file) && !std::ifstream(file))
    return error("'" + file + "' cannot be opened for reading; check its permissions");
  return {};
}

}  // namespace

void InputArguments::declare(CLI::App& subcommand, Files files) {
  files_wanted_ = files;
  subcommand.add_option("FILE", files_,
                        files == Files::Required
                            ? "C and C++ sources of one program (.c .cpp .i .ii …); none: the project captured here"
                            : "C and C++ sources of one program (.c .cpp .i .ii …)");
  if (files == Files::Required)
    subcommand
        .add_option("--program", program_,
                    "of a captured project: which of its programs, by file or by the unit of its main")
        ->option_text("NAME");
  subcommand.add_option("--data-model", data_model_, "sizes of int, long and pointers (default: this machine's)")
      ->option_text("ILP32|LP64")
      ->check(CLI::IsMember({"ILP32", "LP64"}));
  subcommand
      .add_option("--models", model_files_, "what library functions do, besides the shipped models; may be repeated")
      ->option_text("FILE.toml")
      ->allow_extra_args(false);
  subcommand.footer("Arguments behind -- go to clang as they are, for example: -- -Iinclude -DNDEBUG");
}

Result<pipeline::Input> InputArguments::input(const std::vector<std::string>& clang_flags) const {
  pipeline::Input input;
  if (!program_.empty() && !files_.empty())
    return error("--program chooses from a captured project; leave it out when you name the files");
  input.program = program_;
  for (const std::string& file : files_) {
    if (auto checked = check_readable(file, "name the C or C++ sources of one program"); !checked)
      return std::unexpected(checked.error());
    input.sources.push_back({file, clang_flags});
  }
  if (files_.empty() && files_wanted_ == Files::Required) {
    const auto project = captured_project();
    if (!project)
      return error(
          "no FILE was given; name the C or C++ sources of one program, or capture a project first: heddle capture -- "
          "YOUR BUILD");
    input.project = *project;
  }
  if (!data_model_.empty())
    input.frontend.data_model = data_model_ == "ILP32" ? frontend::DataModel::Ilp32 : frontend::DataModel::Lp64;
  // The one that lies with the sources; without one, the one where heddle was started.
  auto project_file = find_project_file(files_.empty() ? "." : fs::path(files_.front()).parent_path());
  if (!project_file && !files_.empty()) project_file = find_project_file(".");
  if (project_file) input.model_files.push_back(project_file->string());
  for (const std::string& file : model_files_) {
    if (auto checked = check_readable(file, "--models takes a TOML file"); !checked)
      return std::unexpected(checked.error());
    input.model_files.push_back(file);
  }
  return input;
}

}  // namespace heddle::cli
