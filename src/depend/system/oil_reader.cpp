// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/oil_reader.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "base/near_names.h"

namespace heddle::depend {
namespace {

/// An object or an attribute: `TASK control { … }` or `ACTION = ACTIVATETASK { … }`.
struct Node {
  std::string word;  ///< TASK, ACTION
  OilToken value;    ///< control, ACTIVATETASK
  std::string place;
  bool is_attribute = false;
  std::vector<Node> parts;
};

class Parser {
 public:
  explicit Parser(const std::vector<OilToken>& tokens) : tokens_(tokens) {}

  Result<std::vector<Node>> run() {
    std::vector<Node> all;
    while (here().kind != OilToken::Kind::End) {
      auto node = parse(0);
      if (!node) return std::unexpected(node.error());
      all.push_back(std::move(*node));
    }
    return all;
  }

 private:
  static constexpr int deepest = 64;

  [[nodiscard]] const OilToken& here() const { return tokens_[at_]; }
  void next() { at_ += at_ + 1 < tokens_.size() ? 1 : 0; }
  std::unexpected<Error> expected(const std::string& what) const {
    return error(here().place + ": expected " + what + ", found " + here().shown());
  }

  Result<Node> parse(int depth) {
    if (depth > deepest) return error(here().place + ": braces are nested too deep");
    if (here().kind != OilToken::Kind::Name) return expected("an object such as TASK or an attribute");
    Node node{here().text, {}, here().place, false, {}};
    next();
    node.is_attribute = here().is('=');
    if (node.is_attribute) next();
    using enum OilToken::Kind;
    if (here().kind != Name && !(node.is_attribute && (here().kind == Number || here().kind == Text)))
      return expected(node.is_attribute ? "the value of '" + node.word + "'"
                                        : "'=' or a name behind '" + node.word + "'");
    node.value = here();
    next();
    if (auto done = body(node, depth); !done) return std::unexpected(done.error());
    if (here().is(':')) {
      next();
      if (here().kind != Text) return expected("a description in quotes behind ':'");
      next();
    }
    if (!here().is(';')) return expected("';' behind '" + node.word + "' (of " + node.place + ")");
    next();
    return node;
  }

  Result<void> body(Node& node, int depth) {
    if (!here().is('{')) return {};
    const std::string opened = here().place;
    next();
    if (node.word == "IMPLEMENTATION" && !node.is_attribute) return skip_body(opened);
    while (!here().is('}')) {
      if (here().kind == OilToken::Kind::End) return error(opened + ": this '{' has no '}'");
      auto part = parse(depth + 1);
      if (!part) return std::unexpected(part.error());
      node.parts.push_back(std::move(*part));
    }
    next();
    return {};
  }

  Result<void> skip_body(const std::string& opened) {
    for (int depth = 1; depth > 0; next()) {
      if (here().kind == OilToken::Kind::End) return error(opened + ": this '{' has no '}'");
      depth += here().is('{') ? 1 : here().is('}') ? -1 : 0;
    }
    return {};
  }

  const std::vector<OilToken>& tokens_;
  std::size_t at_ = 0;
};

class Collector {
 public:
  explicit Collector(const std::string& path) { out_.file = path; }

  Result<OilSystem> run(const std::vector<Node>& nodes) {
    for (const Node& node : nodes) look(node);
    for (const Node* alarm : alarms_) read_alarm(*alarm);
    check_resources();
    if (!problem_.empty()) return error(problem_);
    return std::move(out_);
  }

 private:
  void fail(const std::string& place, const std::string& what) {
    if (problem_.empty()) problem_ = place + ": " + what;
  }

  void look(const Node& node) {
    if (node.is_attribute) return;
    if (node.word == "CPU")
      for (const Node& part : node.parts) look(part);
    else if (node.word == "TASK" || node.word == "ISR" || node.word == "RESOURCE" || node.word == "ALARM")
      declare(node);
  }

  void declare(const Node& node) {
    const std::string& name = node.value.text;
    if (const auto [earlier, is_new] = places_.try_emplace({node.word, name}, node.place); !is_new)
      return fail(node.place, node.word + " '" + name + "' is there already, at " + earlier->second);
    if (node.word == "TASK") read_task(node);
    if (node.word == "ISR") read_isr(node);
    if (node.word == "RESOURCE") out_.resources.push_back(name);
    if (node.word == "ALARM") alarms_.push_back(&node);
  }

  void read_task(const Node& node) {
    OilTask task{.name = node.value.text, .place = node.place};
    for (const Node& part : node.parts) {
      if (part.word == "PRIORITY") task.priority = number(part);
      if (part.word == "SCHEDULE") task.preemptable = is_one_of(part, "FULL", "NON");
      if (part.word == "AUTOSTART") task.autostart = is_one_of(part, "TRUE", "FALSE");
      if (part.word == "RESOURCE") task.resources.push_back(part.value.text);
    }
    remember(node, task.resources);
    out_.tasks.push_back(std::move(task));
  }

  void read_isr(const Node& node) {
    OilIsr isr{.name = node.value.text, .place = node.place};
    for (const Node& part : node.parts) {
      if (part.word == "CATEGORY") isr.category = number(part);
      if (part.word == "PRIORITY") isr.priority = number(part);
      if (part.word == "NUMBER" || part.word == "VECTOR") isr.number = number_if_any(part);
      if (part.word == "ENTRY") isr.function = part.value.text;
      if (part.word == "RESOURCE") isr.resources.push_back(part.value.text);
    }
    if (isr.category && (*isr.category < 1 || *isr.category > 3))
      fail(node.place, "the CATEGORY of ISR '" + isr.name + "' must be 1, 2 or 3");
    remember(node, isr.resources);
    out_.isrs.push_back(std::move(isr));
  }

  /// `ACTION = ACTIVATETASK { TASK = t; }`, and the same for SETEVENT and ALARMCALLBACK.
  void read_alarm(const Node& node) {
    for (const Node& action : node.parts) {
      if (action.word != "ACTION") continue;
      for (const Node& part : action.parts) {
        if (part.word == "TASK")
          activate(part, action.value.text);
        else if (part.word == "ALARMCALLBACKNAME")
          out_.callbacks.push_back({.name = part.value.text, .place = part.place});
      }
    }
  }

  void activate(const Node& part, const std::string& action) {
    const auto task = std::ranges::find(out_.tasks, part.value.text, &OilTask::name);
    if (task == out_.tasks.end())
      return fail(part.place, "there is no TASK '" + part.value.text + "'" + near(part.value.text, "TASK"));
    task->is_cyclic = task->is_cyclic || action == "ACTIVATETASK";
  }

  void remember(const Node& node, const std::vector<std::string>& resources) {
    for (const std::string& resource : resources) uses_.emplace_back(node.place, resource);
  }

  void check_resources() {
    for (const auto& [place, resource] : uses_)
      if (!places_.contains({"RESOURCE", resource}) && resource != "RES_SCHEDULER")
        fail(place, "there is no RESOURCE '" + resource + "'" + near(resource, "RESOURCE"));
  }

  [[nodiscard]] std::string near(const std::string& name, const std::string& word) const {
    std::set<std::string> names;
    for (const auto& [key, place] : places_)
      if (key.first == word) names.insert(key.second);
    const std::vector<std::string> found = near_names(name, names, 1);
    return found.empty() ? "; declare it: " + word + " " + name + " { … };" : "; did you mean '" + found.front() + "'?";
  }

  bool is_one_of(const Node& part, const std::string& yes, const std::string& no) {
    if (part.value.text != yes && part.value.text != no)
      fail(part.place, part.word + " must be " + yes + " or " + no + ", found '" + part.value.text + "'");
    return part.value.text == yes;
  }

  std::optional<std::int64_t> number(const Node& part) {
    const auto found = number_if_any(part);
    if (!found && part.value.text != "AUTO")
      fail(part.place, part.word + " must be a number, found '" + part.value.text + "'");
    return found;
  }

  static std::optional<std::int64_t> number_if_any(const Node& part) {
    if (part.value.kind != OilToken::Kind::Number) return std::nullopt;
    const std::string& text = part.value.text;
    const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
    std::int64_t number = 0;
    const auto [end, failure] =
        std::from_chars(text.data() + (is_hex ? 2 : 0), text.data() + text.size(), number, is_hex ? 16 : 10);
    if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return number;
  }

  OilSystem out_;
  std::map<std::pair<std::string, std::string>, std::string> places_;  ///< TASK, name -> place
  std::vector<const Node*> alarms_;
  std::vector<std::pair<std::string, std::string>> uses_;
  std::string problem_;
};

}  // namespace

Result<OilSystem> read_oil(std::string_view text, const std::string& path, const ReadText& read) {
  const auto tokens = oil_tokens(text, path, read);
  if (!tokens) return std::unexpected(tokens.error());
  const auto nodes = Parser(*tokens).run();
  if (!nodes) return std::unexpected(nodes.error());
  return Collector(path).run(*nodes);
}

}  // namespace heddle::depend
