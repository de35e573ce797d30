// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/compiler_answers.h"

#include <sys/stat.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/kept/kept_file.h"
#include "base/read_file.h"
#include "build/driver_call.h"
#include "host/json_reader.h"
#include "host/program_file.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

constexpr const char* format_version = "3";

bool is_binary(const fs::path& file) {
  if (!why_not_plain(file.string()).empty()) return false;
  std::string magic(4, '\0');
  return std::ifstream(file, std::ios::binary).read(magic.data(), 4) && magic ==
                                                                            "\x7f"
                                                                            "ELF";
}

/// Its file, size and time; empty if it may change without them.
std::string identity(const std::vector<std::string>& question, const std::string& directory) {
  const bool has_specs = std::ranges::any_of(question, [](const auto& word) { return word.contains("specs"); });
  std::error_code failure;
  const fs::path named = has_specs ? fs::path() : host::program_file(question.front(), directory);
  const fs::path file = named.empty() ? named : fs::canonical(named, failure);
  struct stat found = {};
  if (file.empty() || !is_compiler(file.native()) || !is_binary(file) || stat(file.c_str(), &found) != 0) return {};
  return file.string() + " " + std::to_string(found.st_size) + " " + std::to_string(found.st_mtim.tv_sec) + "." +
         std::to_string(found.st_mtim.tv_nsec);
}

std::string key_of(const std::vector<std::string>& question) {
  std::string key;
  for (const std::string& word : question) key += word + '\n';
  for (const char* name :
       {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "GCC_EXEC_PREFIX", "COMPILER_PATH", "SDKROOT"})
    if (const char* value = std::getenv(name); value != nullptr) key += std::string(name) + '=' + value + '\n';
  return key;
}

/// The folders that make up the answer, and those that would.
bool holds(const RealCompiler& answer) {
  const auto exists = [](const std::string& folder) {
    std::error_code failure;
    return folder.empty() || fs::exists(folder, failure);
  };
  return std::ranges::all_of(answer.system_folders, exists) && std::ranges::all_of(answer.own_folders, exists) &&
         std::ranges::none_of(answer.absent_folders, exists);
}

std::string list(const std::vector<std::string>& texts) {
  std::string text = "[";
  for (const std::string& one : texts) text += (&one == texts.data() ? "" : ", ") + host::json_string(one);
  return text + "]";
}

std::string properties(const RealCompiler& answer) {
  return std::string(answer.kind == RealCompiler::Kind::Clang ? "clang" : "gcc") +
         (answer.char_is_unsigned ? " unsigned-char" : "") + (answer.merges_tentative ? " common" : "") +
         (answer.enums_are_short ? " short-enums" : "");
}

}  // namespace

CompilerAnswers::CompilerAnswers(std::string file) : file_(std::move(file)) {
  const auto text = file_.empty() ? std::string() : kept::read_kept(file_).value_or("");
  if (text.empty()) return;
  std::istringstream input(text);
  host::JsonReader reader(input);
  std::string found_version;
  const auto read_list = [&](std::vector<std::string>& into) {
    return reader.read_array([&] { return reader.read_string(into.emplace_back()); });
  };
  const auto read_entry = [&] {
    std::string question, about;
    Entry entry;
    RealCompiler& answer = entry.answer;
    const bool fine = reader.read_object([&](const std::string& key) {
      if (key == "question") return reader.read_string(question);
      if (key == "compiler") return reader.read_string(entry.compiler);
      if (key == "properties") return reader.read_string(about);
      if (key == "triple") return reader.read_string(answer.triple);
      if (key == "standard") return reader.read_string(answer.standard);
      if (key == "defines") return read_list(answer.defines);
      if (key == "folders") return read_list(answer.system_folders);
      if (key == "own_folders") return read_list(answer.own_folders);
      return key == "absent_folders" && read_list(answer.absent_folders);
    });
    answer.kind = about.starts_with("clang") ? RealCompiler::Kind::Clang : RealCompiler::Kind::Gcc;
    answer.char_is_unsigned = about.contains(" unsigned-char");
    answer.merges_tentative = about.contains(" common");
    answer.enums_are_short = about.contains(" short-enums");
    if (fine) entries_.emplace(std::move(question), std::move(entry));
    return fine;
  };
  const bool fine = reader.read_object([&](const std::string& key) {
    if (key == "version") return reader.read_string(found_version);
    return key == "answers" && reader.read_array(read_entry);
  });
  if (!fine || !reader.read_end() || found_version != format_version) entries_.clear();
}

const RealCompiler* CompilerAnswers::find(const std::vector<std::string>& question,
                                          const std::string& directory) const {
  const auto found = entries_.find(key_of(question));
  if (found == entries_.end() || found->second.compiler != identity(question, directory)) return nullptr;
  return holds(found->second.answer) ? &found->second.answer : nullptr;
}

void CompilerAnswers::add(const std::vector<std::string>& question, const std::string& directory,
                          const RealCompiler& answer) {
  std::string compiler = identity(question, directory);
  if (file_.empty() || compiler.empty() || answer.kind == RealCompiler::Kind::Missing) return;
  entries_.insert_or_assign(key_of(question), Entry{std::move(compiler), answer});
  is_changed_ = true;
}

Result<void> CompilerAnswers::write() const {
  if (!is_changed_) return {};
  std::string text = std::string("{\"version\": \"") + format_version + "\", \"answers\": [";
  const char* before = "\n";
  for (const auto& [question, entry] : entries_) {
    const RealCompiler& answer = entry.answer;
    text += before + ("  {\"question\": " + host::json_string(question)) +
            ",\n   \"compiler\": " + host::json_string(entry.compiler) + ", \"properties\": \"" + properties(answer) +
            "\", \"triple\": " + host::json_string(answer.triple) +
            ", \"standard\": " + host::json_string(answer.standard) + ",\n   \"defines\": " + list(answer.defines) +
            ",\n   \"folders\": " + list(answer.system_folders) + ",\n   \"own_folders\": " + list(answer.own_folders) +
            ",\n   \"absent_folders\": " + list(answer.absent_folders) + "}";
    before = ",\n";
  }
  return kept::write_kept(file_, text + "]}\n");
}

}  // namespace heddle::build
