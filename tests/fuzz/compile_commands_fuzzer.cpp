// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a compile_commands.json: read, turned into commands of clang, written and read again. Nothing may crash,
// and what was written must read back as it was. Build with the preset `fuzz`, target compile_commands_fuzzer.
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string>

#include "build/compile_database.h"
#include "frontend/clang/clang_command.h"
#include "host/json_reader.h"

namespace {

using namespace heddle::frontend;

void check(bool holds) {
  if (!holds) std::abort();
}

/// A database of one command in the form that write_compile_commands has.
void check_round_trip(const build::CompileCommand& command) {
  std::string text = "[{\"directory\":" + host::json_string(command.directory) +
                     ",\"file\":" + host::json_string(command.file) +
                     ",\"output\":" + host::json_string(command.output) + ",\"arguments\":[";
  for (std::size_t i = 0; i < command.arguments.size(); ++i)
    text += (i == 0 ? "" : ",") + host::json_string(command.arguments[i]);
  std::istringstream input(text + "]}]");
  host::JsonReader reader(input);
  std::size_t index = 0;
  std::string word;
  const bool read = reader.read_array([&] {
    return reader.read_object([&](const std::string& key) {
      if (key != "arguments") return reader.read_string(word);
      return reader.read_array([&] { return reader.read_string(word) && word == command.arguments.at(index++); });
    });
  });
  check(read && index == command.arguments.size() && reader.read_end());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  const auto database = build::read_compile_commands(input, "fuzz.json", "/nonexistent-folder", {"tool"});
  if (!database) {
    check(!database.error().message.empty());
    return 0;
  }
  check(!database->commands.empty());
  build::RealCompiler gcc;
  gcc.kind = build::RealCompiler::Kind::Gcc;
  gcc.triple = "x86_64-linux-gnu";
  gcc.standard = "gnu17";
  gcc.system_folders = {"", "/usr/include"};
  for (const build::CompileCommand& command : database->commands) {
    check_round_trip(command);
    const auto clang = to_clang_command(command, gcc);
    if (!clang) continue;
    check(clang->arguments.back() == command.file);
    retry_command(command, gcc, *clang, "error: unsupported option '" + command.arguments.back() + "'");
  }
  return 0;
}
