// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>

#include "base/read_file.h"
#include "build/intercept.h"
#include "build/intercept/log_writer.h"

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

/// The first record of `rest`, which begins behind it then. Of one that was cut nothing is known; the next one is
/// looked for.
std::optional<Record> take_record(std::string_view& rest, bool& is_damaged) {
  heddle_record header{};
  if (rest.size() >= sizeof header) std::memcpy(&header, rest.data(), sizeof header);
  if (header.magic == HEDDLE_RECORD_MAGIC && header.size <= rest.size() - sizeof header) {
    const std::string_view body = rest.substr(sizeof header, header.size);
    if (heddle_checksum(body.data(), body.size()) == header.checksum) {
      rest.remove_prefix(sizeof header + header.size);
      auto record = read_body(header, body);
      is_damaged |= !record;
      return record;
    }
  }
  is_damaged = true;
  const std::uint32_t magic = HEDDLE_RECORD_MAGIC;
  rest.remove_prefix(
      std::min(rest.find(std::string_view(reinterpret_cast<const char*>(&magic), sizeof magic), 1), rest.size()));
  return std::nullopt;
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
  DatabaseBuilder builder(compilers);
  builder.leave_out_probes();
  const auto bytes = read_file(path);
  if (!bytes) return error("'" + path + "' cannot be read; the build was not captured");
  std::string_view rest = *bytes;
  bool is_damaged = false;
  while (!rest.empty()) {
    const auto record = take_record(rest, is_damaged);
    if (!record) continue;
    if (!record->arguments.empty() && is_archiver(record->arguments.front()))
      builder.add_archive(record->directory, record->arguments, response_files_in(*record));
    else
      builder.add(record->directory, record->arguments, "", "", response_files_in(*record));
  }
  calls = builder.calls();
  CompileDatabase database = builder.finish();
  leave_out_lost_sources(database);
  if (is_damaged) database.build_status = incomplete_log;
  return database;
}

void append_to_intercept_log(const std::string& log, const std::vector<std::string>& arguments) {
  std::error_code failure;
  const std::string folder = fs::current_path(failure).string();
  std::string words;
  for (const std::string& argument : arguments) words += argument + '\0';
  const std::string body = folder + words;
  heddle_record header{HEDDLE_RECORD_MAGIC,
                       static_cast<std::uint32_t>(body.size()),
                       heddle_checksum(body.data(), body.size()),
                       static_cast<std::uint32_t>(getpid()),
                       static_cast<std::uint32_t>(folder.size()),
                       static_cast<std::uint32_t>(words.size()),
                       0};
  const std::string bytes = std::string(reinterpret_cast<const char*>(&header), sizeof header) + body;
  heddle_append_records(log.c_str(), bytes.data(), bytes.size());
}

}  // namespace heddle::build
