// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <filesystem>

#include "build/driver_call.h"
#include "build/intercept/compiler_name.h"
#include "host/shell_words.h"

namespace heddle::build {
namespace {

using Words = std::vector<std::string>;

bool is_separator(const std::string& word) { return word == "&&" || word == "||" || word == ";" || word == "|"; }

bool is_assignment(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) return false;
  return std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals), [](char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

/// `> log`, `2>&1`, `<file`.
void drop_redirections(Words& words) {
  Words kept;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t digits = words[i].find_first_not_of("012");
    const bool redirects =
        digits != std::string::npos && digits <= 1 && (words[i][digits] == '>' || words[i][digits] == '<');
    if (!redirects)
      kept.push_back(std::move(words[i]));
    else if (words[i].find_first_not_of("012<>") == std::string::npos)
      ++i;  // the file is the next word
  }
  words = std::move(kept);
}

bool is_shell(std::string_view name) { return name == "sh" || name == "bash" || name == "dash" || name == "ksh"; }

/// The words behind one launcher, or nothing if the first word is none.
bool take_off_one(Words& words) {
  const std::string name(file_name_of(words.front()));
  std::size_t next = 1;
  const auto skip_options = [&] {
    while (next < words.size() && words[next].starts_with('-')) ++next;
  };
  if (is_assignment(words.front())) {
    next = 1;
  } else if (name == "env") {
    while (next < words.size() && (is_assignment(words[next]) || words[next].starts_with('-')))
      next += words[next] == "-u" || words[next] == "-C" ? 2 : 1;
  } else if (name == "libtool" || name.ends_with("-libtool")) {
    skip_options();
  } else if (is_shell(name)) {
    if (next < words.size() && file_name_of(words[next]).ends_with("libtool")) {  // sh ./libtool --mode=compile gcc …
    } else if (next + 1 < words.size() && words[next].starts_with('-') && words[next].ends_with('c')) {
      auto inner = host::split_shell_words(words[next + 1]);
      words = inner ? std::move(*inner) : Words();
      return true;
    } else {
      return false;
    }
  } else if (heddle_is_launcher_name(name.data(), name.size())) {
    while (next < words.size() && (words[next].starts_with('-') || is_assignment(words[next]))) ++next;
    if (next < words.size() && words[next].starts_with('@')) return false;
  } else if (name == "nice" || name == "time" || name == "exec" || name == "nohup" || name == "command" ||
             name == "ionice" || name == "chronic") {
    while (next < words.size() && words[next].starts_with('-'))
      next += (words[next] == "-n" || words[next] == "-c") ? 2 : 1;
  } else {
    return false;
  }
  words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(std::min(next, words.size())));
  return true;
}

BareCall bare_segment(const std::string& directory, Words words, const Words& more_names);

/// `cd sub && : && gcc … && touch stamp`: the first part with a compiler, in the folder it runs in.
BareCall bare_line(std::string directory, Words words, const Words& more_names) {
  auto from = words.begin();
  while (from != words.end()) {
    const auto to = std::find_if(from, words.end(), is_separator);
    Words part(from, to);
    if (part.size() == 2 && part.front() == "cd") {
      directory = (std::filesystem::path(directory) / part.back()).lexically_normal().string();
    } else if (!part.empty()) {
      BareCall call = bare_segment(directory, std::move(part), more_names);
      if (!call.arguments.empty()) return call;
    }
    from = to == words.end() ? to : to + 1;
  }
  return {std::move(directory), {}};
}

BareCall bare_segment(const std::string& directory, Words words, const Words& more_names) {
  drop_redirections(words);
  for (int depth = 0; depth < 16 && !words.empty(); ++depth) {
    if (is_compiler(words.front(), more_names)) return {directory, std::move(words)};
    if (!take_off_one(words)) break;
    if (std::ranges::any_of(words, is_separator)) return bare_line(directory, std::move(words), more_names);
  }
  return {directory, {}};
}

}  // namespace

BareCall without_launchers(std::string directory, Words words, const Words& more_names) {
  return bare_line(std::move(directory), std::move(words), more_names);
}

}  // namespace heddle::build
