// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/oil_lexer.h"

#include <cctype>
#include <filesystem>

namespace heddle::depend {
namespace {

constexpr int deepest_include = 16;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

class Lexer {
 public:
  Lexer(const ReadText& read, std::vector<OilToken>& out) : read_(read), out_(out) {}

  Result<void> run(std::string_view text, const std::string& path, int depth) {
    text_ = text;
    path_ = path;
    depth_ = depth;
    while (!text_.empty())
      if (auto done = step(); !done) return done;
    return {};
  }

  [[nodiscard]] std::string place() const { return path_ + ":" + std::to_string(line_); }

 private:
  void skip(std::size_t count) {
    for (const char c : text_.substr(0, count)) line_ += c == '\n' ? 1 : 0;
    text_.remove_prefix(std::min(count, text_.size()));
  }
  void add(OilToken::Kind kind, std::size_t count, std::size_t quotes = 0) {
    out_.push_back({kind, std::string(text_.substr(quotes, count - 2 * quotes)), place()});
    skip(count);
  }

  Result<void> step() {
    const char first = text_.front();
    if (std::isspace(static_cast<unsigned char>(first)) != 0) return skip(1), Result<void>{};
    if (text_.starts_with("//")) return skip(std::min(text_.find('\n'), text_.size())), Result<void>{};
    if (text_.starts_with("/*")) return comment();
    if (first == '#') return include();
    if (first == '"') return quoted();
    if (is_letter(first) || is_digit(first) || (first == '-' && text_.size() > 1 && is_digit(text_[1]))) return word();
    if (std::string_view("{}=;:,[].").contains(first)) return add(OilToken::Kind::Sign, 1), Result<void>{};
    return error(place() + ": '" + std::string(1, first) + "' has no meaning in OIL here; delete it");
  }

  Result<void> comment() {
    const std::size_t end = text_.find("*/", 2);
    if (end == std::string_view::npos) return error(place() + ": the comment that begins here has no end: write */");
    skip(end + 2);
    return {};
  }

  Result<void> quoted() {
    const std::size_t end = text_.find_first_of("\"\n", 1);
    if (end == std::string_view::npos || text_[end] == '\n')
      return error(place() + ": the text that begins here has no closing quote on its line");
    add(OilToken::Kind::Text, end + 1, 1);
    return {};
  }

  Result<void> word() {
    std::size_t end = 1;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    add(is_letter(text_.front()) ? OilToken::Kind::Name : OilToken::Kind::Number, end);
    return {};
  }

  /// `#include "file"` or `#include <file>`.
  Result<void> include() {
    const std::string_view line = text_.substr(0, text_.find('\n'));
    const std::size_t open = line.find_first_of("\"<");
    const std::size_t close = open == std::string_view::npos ? open : line.find_first_of("\">", open + 1);
    if (!line.starts_with("#include") || close == std::string_view::npos)
      return error(place() + ": only '#include \"FILE\"' may begin with '#' in OIL");
    if (depth_ == deepest_include) return error(place() + ": files include each other more than 16 deep");
    const std::filesystem::path name(std::string(line.substr(open + 1, close - open - 1)));
    const std::string path =
        name.is_absolute() ? name.string() : (std::filesystem::path(path_).parent_path() / name).string();
    const Result<std::string> text = read_(path);
    if (!text) return error(place() + ": '" + path + "' cannot be included: " + text.error().message);
    if (auto done = Lexer(read_, out_).run(*text, path, depth_ + 1); !done) return done;
    skip(line.size());
    return {};
  }

  const ReadText& read_;
  std::vector<OilToken>& out_;
  std::string_view text_;
  std::string path_;
  int depth_ = 0;
  std::size_t line_ = 1;
};

}  // namespace

Result<std::vector<OilToken>> oil_tokens(std::string_view text, const std::string& path, const ReadText& read) {
  std::vector<OilToken> out;
  Lexer lexer(read, out);
  if (auto done = lexer.run(text, path, 0); !done) return std::unexpected(done.error());
  out.push_back({OilToken::Kind::End, "", lexer.place()});
  return out;
}

}  // namespace heddle::depend
