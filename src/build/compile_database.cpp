// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "build/compile_database.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <tuple>

#include "base/kept/kept_file.h"
#include "base/read_file.h"
#include "base/write_file.h"
#include "host/json_reader.h"

namespace heddle::build {
namespace {

namespace fs = std::filesystem;

constexpr const char* file_name = "compile_commands.json";

struct Entry {
  std::optional<std::string> directory, file, output, command;
  std::optional<std::vector<std::string>> arguments;
};

/// One database while it is read.
class DatabaseReader {
 public:
  DatabaseReader(std::istream& input, const std::string& folder, const std::vector<std::string>& more_compilers)
      : json_(input), folder_(folder), builder_(more_compilers) {}

  Result<CompileDatabase> read(const std::string& name) {
    if (json_.peek() == host::JsonReader::Kind::End)
      return error(name + ": is empty; build the project again, or let heddle watch it: heddle capture -- make");
    const bool read = json_.read_array([&] { return read_entry(); }) && json_.read_end();
    if (!read) return error(name + ":" + json_.message());
    const std::size_t entries = entries_;
    CompileDatabase database = builder_.finish();
    if (database.commands.empty()) {
      std::string message = name + ": holds no C or C++ compilation, so there is nothing to capture (" +
                            std::to_string(entries) + " entries)";
      for (const std::string& note : database.notes) message += "; " + note;
      return error(message);
    }
    return database;
  }

 private:
  bool read_entry() {
    ++entries_;
    const host::JsonReader::Kind kind = json_.peek();
    const std::uint64_t line = json_.line();
    if (kind != host::JsonReader::Kind::Object) return bad_entry(line, "is no object"), json_.skip_value();
    Entry entry;
    if (!json_.read_object([&](const std::string& key) { return read_member(entry, key); })) return false;
    add(std::move(entry), line);
    return true;
  }

  bool read_member(Entry& entry, const std::string& key) {
    std::optional<std::string>* text = key == "directory" ? &entry.directory
                                       : key == "file"    ? &entry.file
                                       : key == "output"  ? &entry.output
                                       : key == "command" ? &entry.command
                                                          : nullptr;
    const host::JsonReader::Kind kind = json_.peek();
    if (text != nullptr && kind == host::JsonReader::Kind::String) return json_.read_string(text->emplace());
    if (key != "arguments" || kind != host::JsonReader::Kind::Array) return json_.skip_value();
    auto& arguments = entry.arguments.emplace();
    return json_.read_array([&] {
      if (json_.peek() != host::JsonReader::Kind::String) return json_.skip_value();
      return json_.read_string(arguments.emplace_back());
    });
  }

  void bad_entry(std::uint64_t line, const std::string& what) {
    builder_.leave_out("entries that say nothing usable");
    constexpr int most = 5;
    if (++bad_entries_ <= most) builder_.note("line " + std::to_string(line) + ": an entry " + what);
  }

  void add(Entry entry, std::uint64_t line) {
    if (!entry.arguments && entry.command) {
      auto words = host::split_shell_words(*entry.command);
      if (!words) return bad_entry(line, "has a command that cannot be read: " + words.error().message);
      entry.arguments = std::move(*words);
    }
    if (!entry.arguments || entry.arguments->empty()) return bad_entry(line, "has neither 'command' nor 'arguments'");
    std::string directory = (fs::path(folder_) / entry.directory.value_or("")).lexically_normal().string();
    if (directory.size() > 1 && directory.ends_with('/')) directory.pop_back();
    builder_.add(directory, std::move(*entry.arguments), entry.file.value_or(""), entry.output.value_or(""),
                 host::response_files_of(directory));
  }

  host::JsonReader json_;
  std::string folder_;
  DatabaseBuilder builder_;
  std::size_t entries_ = 0;
  int bad_entries_ = 0;
};

std::optional<std::string> database_in(const fs::path& folder) {
  std::error_code failure;
  for (const char* below :
       {"", "build", "builddir", "_build", "out", "obj", "cmake-build-debug", "cmake-build-release"}) {
    const fs::path candidate = folder / below / file_name;
    if (fs::is_regular_file(candidate, failure)) return candidate.lexically_normal().string();
  }
  return std::nullopt;
}

Result<std::string> none_found(const std::string& where) {
  return error("there is no compile_commands.json " + where +
               "; name it with -p, make one (cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, meson makes it), or let heddle "
               "watch the build: heddle capture -- make");
}

}  // namespace

Result<std::string> find_compile_commands(const std::string& path_or_folder) {
  std::error_code failure;
  const fs::file_status status = fs::status(path_or_folder, failure);
  if (failure && status.type() != fs::file_type::not_found)
    return error("'" + path_or_folder + "' cannot be looked into: " + failure.message());
  if (!fs::exists(status))
    return error("'" + path_or_folder + "': no such file or folder; name a compile_commands.json");
  if (!fs::is_directory(status)) return path_or_folder;
  if (access(path_or_folder.c_str(), R_OK | X_OK) != 0)
    return error("the folder '" + path_or_folder + "' cannot be read; check its permissions");
  if (auto found = database_in(path_or_folder)) return *found;
  return none_found("in '" + path_or_folder + "' or its build folder");
}

Result<std::string> find_compile_commands_upward(const std::string& folder) {
  std::error_code failure;
  for (fs::path place = fs::absolute(folder, failure).lexically_normal(); !failure; place = place.parent_path()) {
    if (auto found = database_in(place)) return *found;
    if (!place.has_relative_path()) break;
  }
  return none_found("here, in a build folder or in a folder above");
}

Result<CompileDatabase> read_compile_commands(std::istream& input, const std::string& name, const std::string& folder,
                                              const std::vector<std::string>& more_compilers) {
  return DatabaseReader(input, folder, more_compilers).read(name);
}

Result<CompileDatabase> read_compile_commands(const std::string& path_or_folder,
                                              const std::vector<std::string>& more_compilers) {
  const auto path = find_compile_commands(path_or_folder);
  if (!path) return std::unexpected(path.error());
  if (const std::string why = why_not_given(*path); !why.empty()) return error("'" + *path + "' " + why);
  std::ifstream input(*path, std::ios::binary);
  if (!input) return error("'" + *path + "' cannot be opened for reading; check its permissions");
  std::error_code failure;
  const fs::path folder = fs::absolute(*path, failure).parent_path();
  auto database = read_compile_commands(input, *path, folder.string(), more_compilers);
  if (input.bad()) return error("'" + *path + "' could not be read to its end");
  return database;
}

void sort_commands(CompileDatabase& database) {
  std::ranges::sort(database.commands, {}, [](const CompileCommand& command) {
    return std::tuple(source_path(command), command.output, command.directory, command.arguments);
  });
}

namespace {

std::string to_json(const CompileDatabase& database) {
  std::ostringstream out;
  const char* separator = "[\n";
  for (const CompileCommand& command : database.commands) {
    out << separator << "{\"directory\": " << host::json_string(command.directory)
        << ",\n \"file\": " << host::json_string(command.file);
    if (!command.output.empty()) out << ",\n \"output\": " << host::json_string(command.output);
    out << ",\n \"arguments\": [";
    for (std::size_t i = 0; i < command.arguments.size(); ++i)
      out << (i == 0 ? "" : ", ") << host::json_string(command.arguments[i]);
    out << "]}";
    separator = ",\n";
  }
  out << (database.commands.empty() ? "[]\n" : "\n]\n");
  return std::move(out).str();
}

kept::Place commands_in(const std::string& folder) { return {folder, "commands.json"}; }
kept::Place seal_in(const std::string& folder) { return {folder, "commands.seal"}; }
std::string seal_text(std::string_view commands) { return kept::seal_of("commands.json", commands).mac.hex(); }

}  // namespace

Result<void> write_compile_commands(const std::string& path, const CompileDatabase& database) {
  if (auto written = write_file(path, to_json(database)); !written)
    return error("'" + path + "' could not be written completely; is the disk full? " + written.error().message);
  return {};
}

Result<void> keep_compile_commands(const std::string& folder, const CompileDatabase& database) {
  const std::string text = to_json(database);
  if (auto written = kept::write_unsealed(commands_in(folder), text); !written) return written;
  return kept::write_kept(seal_in(folder), seal_text(text));
}

Result<CompileDatabase> kept_compile_commands(const std::string& folder,
                                              const std::vector<std::string>& more_compilers) {
  const std::string path = commands_in(folder).path();
  const auto seal = kept::read_kept(seal_in(folder));
  const auto text = kept::open_kept(commands_in(folder)) ? read_file(path) : error("cannot be read");
  if (!text) return error("'" + path + "' " + text.error().message + "; run 'heddle capture -- YOUR BUILD' again");
  if (!seal || *seal != seal_text(*text))
    return error("'" + path +
                 "' is not what your heddle wrote, so it is not believed; run 'heddle capture -- YOUR BUILD' again, or "
                 "name it, if you trust it: heddle capture -p " +
                 path);
  std::istringstream input(*text);
  std::error_code failure;
  return read_compile_commands(input, path, fs::absolute(path, failure).parent_path().string(), more_compilers);
}

}  // namespace heddle::build
