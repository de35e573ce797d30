// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/self_description.h"

#include <set>
#include <sstream>

#include "base/near_names.h"

namespace heddle::cli {
namespace {

bool is_hidden(const CLI::App& command) { return command.get_group().empty(); }

std::vector<const CLI::App*> commands_of(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (!is_hidden(*command)) out.push_back(command);
  return out;
}

const CLI::App* find_command(const CLI::App& app, const std::string& name) {
  for (const CLI::App* command : app.get_subcommands(nullptr))
    if (command->check_name(name)) return command;
  return nullptr;
}

/// `-o`, `--output`.
std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> out;
  for (const std::string& name : option.get_snames()) out.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.push_back("--" + name);
  return out;
}

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> out;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_group().empty() && !names_of(*option).empty()) out.push_back(option);
  return out;
}

/// Of `text|json|sarif`, as the help writes it.
std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string& text = option.get_option_text();
  std::vector<std::string> out;
  if (!text.contains('|')) return out;
  std::istringstream in(text);
  for (std::string value; std::getline(in, value, '|');) out.push_back(value);
  return out;
}

/// What roff would read as a request or an escape.
std::string escaped(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\' || c == '-') out += '\\';
    out += c;
  }
  return out;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

void print_options(std::ostream& out, const CLI::App& command) {
  out << ".SH OPTIONS\n";
  for (const CLI::Option* option : options_of(command)) {
    out << ".TP\n\\fB" << escaped(joined(names_of(*option))) << "\\fR";
    if (!option->get_option_text().empty()) out << " \\fI" << escaped(option->get_option_text()) << "\\fR";
    out << '\n' << escaped(option->get_description()) << '\n';
  }
}

std::string near_name(const std::string& asked, const std::set<std::string>& names) {
  const std::vector<std::string> near = near_names(asked, names, 1);
  return near.empty() ? "" : "; did you mean '" + near.front() + "'?";
}

}  // namespace

void print_fitting_words(std::ostream& out, const CLI::App& app, const std::vector<std::string>& before) {
  const CLI::App* command = before.empty() ? nullptr : find_command(app, before.front());
  if (command == nullptr || before.front() == "help") {
    if (before.size() <= 1)
      for (const CLI::App* one : commands_of(app)) out << one->get_name() << '\n';
    return;
  }
  for (const CLI::Option* option : options_of(*command)) {
    const std::vector<std::string> names = names_of(*option), values = values_of(*option);
    if (values.empty() || std::ranges::find(names, before.back()) == names.end()) continue;
    for (const std::string& value : values) out << value << '\n';
    return;
  }
  for (const CLI::Option* option : options_of(*command)) out << names_of(*option).back() << '\n';
}

void print_man_page(std::ostream& out, const CLI::App& app, const std::string& name) {
  const CLI::App* command = name.empty() ? &app : find_command(app, name);
  if (command == nullptr) return;
  const std::string title = name.empty() ? "heddle" : "heddle-" + name;
  out << ".TH " << title << " 1\n.SH NAME\n"
      << escaped(title) << " \\- " << escaped(command->get_description()) << "\n.SH SYNOPSIS\n\\fBheddle "
      << (name.empty() ? "\\fICOMMAND\\fR" : name + "\\fR") << " [\\fIOPTIONS\\fR] …\n";
  if (name.empty()) {
    out << ".SH COMMANDS\n";
    for (const CLI::App* one : commands_of(app))
      out << ".TP\n\\fB" << one->get_name() << "\\fR\n" << escaped(one->get_description()) << '\n';
  }
  print_options(out, *command);
  out << ".SH EXIT STATUS\n0 no race found, 1 races, 2 bad usage or input, 3 no verdict was reached.\n.SH SEE ALSO\n";
  out << (name.empty() ? "\\fBheddle help \\fICOMMAND\\fR" : "\\fBheddle\\fR(1)")
      << "; the documents in share/doc/heddle.\n";
}

std::string did_you_mean(const CLI::App& app, const std::string& command) {
  std::set<std::string> names;
  for (const CLI::App* one : commands_of(app)) names.insert(one->get_name());
  return near_name(command, names);
}

std::string did_you_mean_option(const CLI::App& app, const std::vector<std::string>& line) {
  const CLI::App* command = line.empty() ? nullptr : find_command(app, line.front());
  if (command == nullptr) return {};
  std::set<std::string> names;
  for (const CLI::Option* option : options_of(*command)) names.insert(names_of(*option).back());
  for (const std::string& word : line) {
    const std::string asked = word.substr(0, word.find('='));
    if (asked.starts_with("--") && !names.contains(asked)) return near_name(asked, names);
  }
  return {};
}

}  // namespace heddle::cli
