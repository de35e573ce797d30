// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <fcntl.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "build/intercept.h"
#include "build/intercept/record.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

struct Record {
  std::string directory;
  std::vector<std::string> arguments;
  std::map<std::string, std::string> response_files;
};

std::optional<std::string_view> take(std::string_view& body, std::size_t size) {
  if (size > body.size()) return std::nullopt;
  const std::string_view taken = body.substr(0, size);
  body.remove_prefix(size);
  return taken;
}

std::optional<Record> read_body(const heddle_record& header, std::string_view body) {
  Record record;
  const auto directory = take(body, header.folder_size);
  auto arguments = take(body, header.arguments_size);
  if (!directory || !arguments) return std::nullopt;
  record.directory = *directory;
  while (!arguments->empty()) {
    const std::size_t end = std::min(arguments->find('\0'), arguments->size());
    record.arguments.emplace_back(arguments->substr(0, end));
    arguments->remove_prefix(std::min(end + 1, arguments->size()));
  }
  for (std::uint32_t i = 0; i < header.response_file_count; ++i) {
    std::uint32_t sizes[2] = {};
    const auto bytes = take(body, sizeof sizes);
    if (!bytes) return std::nullopt;
    std::memcpy(sizes, bytes->data(), sizeof sizes);
    const auto name = take(body, sizes[0]);
    const auto text = take(body, sizes[1]);
    if (!name || !text) return std::nullopt;
    record.response_files.emplace(*name, *text);
  }
  return record;
}

/// What the library saw of response files, else what is still there.
host::ResponseReader response_files_in(const Record& record) {
  return [&record,
          on_disk = host::response_files_of(record.directory)](const std::string& name) -> std::optional<std::string> {
    const auto found = record.response_files.find(name);
    return found != record.response_files.end() ? std::optional(found->second) : on_disk(name);
  };
}

void leave_out_lost_sources(CompileDatabase& database) {
  const auto is_lost = [](const CompileCommand& command) {
    std::error_code failure;
    return !fs::exists(source_path(command), failure);
  };
  const std::size_t count = std::erase_if(database.commands, is_lost);
  database.skipped += count;
  if (count != 0)
    database.notes.push_back("left out: " + std::to_string(count) + " × sources that the build made and removed again");
}

}  // namespace

Result<CompileDatabase> read_intercept_log(const std::string& path, const std::vector<std::string>& compilers,
                                           std::size_t& calls) {
  std::ifstream log(path, std::ios::binary);
  if (!log) return error("'" + path + "' cannot be read");
  std::error_code failure;
  const std::uintmax_t file_size = fs::file_size(path, failure);
  DatabaseBuilder builder(compilers);
  builder.leave_out_probes();
  heddle_record header{};
  std::string body;
  while (log.read(reinterpret_cast<char*>(&header), sizeof header)) {
    const bool is_ours = header.magic == HEDDLE_RECORD_MAGIC && header.size <= file_size;
    body.resize(is_ours ? header.size : 0);
    const auto record = is_ours && log.read(body.data(), header.size) ? read_body(header, body) : std::nullopt;
    if (!record) {
      builder.note("the log of the build is damaged (a full disk?); commands behind the damage are missing");
      break;
    }
    if (!record->arguments.empty() && is_archiver(record->arguments.front()))
      builder.add_archive(record->directory, record->arguments, response_files_in(*record));
    else
      builder.add(record->directory, record->arguments, "", "", response_files_in(*record));
  }
  calls = builder.calls();
  CompileDatabase database = builder.finish();
  leave_out_lost_sources(database);
  return database;
}

void append_to_intercept_log(const std::string& log, const std::vector<std::string>& arguments) {
  std::error_code failure;
  const std::string folder = fs::current_path(failure).string();
  std::string words;
  for (const std::string& argument : arguments) words += argument + '\0';
  heddle_record header{HEDDLE_RECORD_MAGIC,
                       static_cast<std::uint32_t>(folder.size() + words.size()),
                       static_cast<std::uint32_t>(getpid()),
                       static_cast<std::uint32_t>(folder.size()),
                       static_cast<std::uint32_t>(words.size()),
                       0};
  const std::string bytes = std::string(reinterpret_cast<const char*>(&header), sizeof header) + folder + words;
  const int file = open(log.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  [[maybe_unused]] const ssize_t written = write(file, bytes.data(), bytes.size());
  close(file);
}

}  // namespace heddle::build
