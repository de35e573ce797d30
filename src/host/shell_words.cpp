// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host/shell_words.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace heddle::host {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f'; }

/// Words and whether one is being made: `''` makes an empty word, blanks make none.
class Words {
 public:
  void add(char c) {
    open_ = true;
    word_ += c;
  }
  void begin() { open_ = true; }
  void end() {
    if (open_) words_.push_back(std::move(word_));
    word_.clear();
    open_ = false;
  }
  std::vector<std::string> take() {
    end();
    return std::move(words_);
  }

 private:
  std::vector<std::string> words_;
  std::string word_;
  bool open_ = false;
};

/// From behind an opening double quote to behind the closing one; npos if there is none.
std::size_t read_double_quoted(std::string_view text, std::size_t i, Words& words) {
  words.begin();
  for (; i < text.size(); ++i) {
    if (text[i] == '"') return i + 1;
    if (text[i] == '\\' && i + 1 < text.size() && std::string_view("\"\\$`\n").contains(text[i + 1])) {
      if (text[++i] != '\n') words.add(text[i]);
    } else {
      words.add(text[i]);
    }
  }
  return std::string_view::npos;
}

std::size_t read_single_quoted(std::string_view text, std::size_t i, Words& words) {
  words.begin();
  const std::size_t end = text.find('\'', i);
  if (end == std::string_view::npos) return end;
  for (; i < end; ++i) words.add(text[i]);
  return end + 1;
}

constexpr std::size_t most_bytes = std::size_t{64} << 20;
constexpr int deepest_nesting = 32;
constexpr int most_files = 4096;
constexpr std::size_t most_arguments = std::size_t{1} << 22;

struct Expansion {
  const ResponseReader& read;
  std::vector<std::string> out;
  int files = 0;

  Result<void> add(std::vector<std::string> arguments, int depth) {
    for (std::string& argument : arguments) {
      std::optional<std::string> text;
      if (argument.size() > 1 && argument.front() == '@') text = read(argument.substr(1));
      if (!text) {
        out.push_back(std::move(argument));
      } else if (depth == deepest_nesting || ++files > most_files) {
        return error("response file '" + argument + "' is nested too deeply; does it contain itself?");
      } else if (auto done = add(split_response_text(*text), depth + 1); !done) {
        return done;
      }
      if (out.size() > most_arguments) return error("response files hold more than 4 million arguments");
    }
    return {};
  }
};

}  // namespace

Result<std::vector<std::string>> split_shell_words(std::string_view text) {
  Words words;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i++];
    if (is_blank(c)) {
      words.end();
    } else if (c == '\\') {
      if (i < text.size() && text[i] != '\n') words.add(text[i]);
      ++i;
    } else if (c == '\'' || c == '"') {
      const std::size_t start = i;
      i = c == '"' ? read_double_quoted(text, i, words) : read_single_quoted(text, i, words);
      if (i == std::string_view::npos)
        return error(std::string("the quote ") + c + " at position " + std::to_string(start) + " is never closed");
    } else {
      words.add(c);
    }
  }
  return words.take();
}

std::string quote_shell_word(std::string_view word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_-+=:,./";
  if (!word.empty() && word.find_first_not_of(plain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) c == '\'' ? quoted += "'\\''" : quoted += c;
  return quoted + "'";
}

std::vector<std::string> split_response_text(std::string_view text) {
  Words words;
  char quote = '\0';
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size()) {
      words.add(text[++i]);
    } else if (quote != '\0') {
      c == quote ? (quote = '\0', words.begin()) : words.add(c);
    } else if (c == '\'' || c == '"') {
      quote = c;
      words.begin();
    } else if (is_blank(c) || c == '\0') {
      words.end();
    } else {
      words.add(c);
    }
  }
  return words.take();
}

ResponseReader response_files_of(std::string directory) {
  return [directory = std::move(directory)](const std::string& name) -> std::optional<std::string> {
    const std::filesystem::path path = std::filesystem::path(directory) / name;
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) return std::nullopt;
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    std::ifstream file(path, std::ios::binary);
    if (failure || size > most_bytes || !file) return std::nullopt;
    std::string text(static_cast<std::size_t>(size), '\0');
    file.read(text.data(), static_cast<std::streamsize>(size));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
  };
}

Result<std::vector<std::string>> expand_response_files(std::vector<std::string> arguments, const ResponseReader& read) {
  const auto is_response = [](const std::string& argument) { return argument.size() > 1 && argument.front() == '@'; };
  if (std::ranges::none_of(arguments, is_response)) return arguments;
  Expansion expansion{read, {}};
  if (auto done = expansion.add(std::move(arguments), 0); !done) return std::unexpected(done.error());
  return std::move(expansion.out);
}

}  // namespace heddle::host
