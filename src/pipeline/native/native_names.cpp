// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pipeline/native/native_names.h"

#include <charconv>
#include <filesystem>

namespace heddle::pipeline {
namespace {

constexpr std::string_view of_runtime = "/heddle-runtime/";

/// Sources that were given by name are compiled as if `/` were their folder: `/count.c`. Those of a project have whole
/// paths, which are shown from here on.
std::string shown_file(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code failure;
  if (!file.starts_with('/')) return file;
  if (!fs::exists(file, failure) && fs::exists(file.substr(1), failure)) return file.substr(1);
  const std::string here = fs::current_path(failure).string() + "/";
  return file.starts_with(here) ? file.substr(here.size()) : file;
}

/// Where the number ends; 0: it is none.
std::size_t read_address(const std::string& text, std::uint64_t& address) {
  if (!text.starts_with('@')) return 0;
  const auto [end, failure] = std::from_chars(text.data() + 1, text.data() + text.size(), address, 16);
  return failure == std::errc() ? static_cast<std::size_t>(end - text.data()) : 0;
}

}  // namespace

void NativeNames::name(ReportAccess& access) {
  std::vector<ReportFrame> stack;
  for (const ReportFrame& frame : access.stack) add_frames(frame.function, stack);
  access.stack = std::move(stack);
  for (std::string& lock : access.locks) lock = variable(lock);
}

std::string NativeNames::variable(const std::string& text) {
  std::uint64_t address = 0;
  const std::size_t rest = read_address(text, address);
  if (rest == 0) return text;
  const explore::LoadedModule* module = module_at(address);
  const std::string name = module == nullptr ? "" : symbols_.data(file_of(*module), address - module->begin);
  return (name.empty() ? "memory at 0x" + text.substr(1, rest - 1) : name) + text.substr(rest);
}

const explore::LoadedModule* NativeNames::module_at(std::uint64_t address) const {
  for (const explore::LoadedModule& module : modules_)
    if (address >= module.begin && address < module.end) return &module;
  return nullptr;
}

void NativeNames::add_frames(const std::string& text, std::vector<ReportFrame>& stack) {
  std::uint64_t address = 0;
  if (read_address(text, address) == 0) return;
  const explore::LoadedModule* module = module_at(address);
  if (module == nullptr) return;
  // A return address stands behind its call.
  for (const instrument::CodePlace& place : symbols_.code(file_of(*module), address - module->begin - 1)) {
    if (place.file.contains(of_runtime)) continue;
    const bool is_main = place.function == "__heddle1_main";
    stack.push_back({shown_file(place.file), place.line, place.column, is_main ? "main" : place.function});
  }
}

}  // namespace heddle::pipeline
