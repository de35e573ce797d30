// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random systems of three entries, each above the one before it: statements, their C text, and the triples that their
// accesses may form.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heddle::depend {

/// A comparison tells 0, 1 and 2 from each other and from the rest.
constexpr int variables = 3, values = 4, pointer = 3, array = 4, wide = 6;
inline const std::array<const char*, 3> entry_names = {"task", "isr", "high"};

struct Statement {
  enum class Kind : std::uint8_t {
    Set,
    Copy,
    Next,
    Input,
    If,
    End,
    Until,
    Off,
    On,
    OffAll,
    OnAll,
    Save,
    Back,
    Loop,
    Point,
    Put,
    Get,
    PutElement,
    GetElement,
    Lock,  ///< mutex_lock, up to its LockEnd
    Try,   ///< if (xSemaphoreTake), up to its TryEnd
    LockEnd,
    TryEnd,
    SetWide,
    GetWide,
  };
  Kind kind = Kind::Set;
  int to = 0, from = 0, number = 0;
};

using Body = std::vector<Statement>;

inline std::string text_of(const Statement& s) {
  const std::string to(1, static_cast<char>('a' + s.to)), from(1, static_cast<char>('a' + s.from));
  const std::string number = std::to_string(s.number);
  switch (s.kind) {
    case Statement::Kind::Set: return to + " = " + number + ";";
    case Statement::Kind::Copy: return to + " = " + from + ";";
    case Statement::Kind::Next: return to + " = (" + to + " + 1) & 3;";
    case Statement::Kind::Input: return to + " = get() & 3;";
    case Statement::Kind::If: return "if (" + to + " == " + number + ") {";
    case Statement::Kind::End: return "}";
    case Statement::Kind::Until: return "while (" + to + " == " + number + ") {}";
    case Statement::Kind::Off: return "off(" + number + ");";
    case Statement::Kind::On: return "on(" + number + ");";
    case Statement::Kind::OffAll: return "off(255);";
    case Statement::Kind::OnAll: return "on(255);";
    case Statement::Kind::Save: return "save();";
    case Statement::Kind::Back: return "back();";
    case Statement::Kind::Loop: return "for (int i = 0; i < 2; i++) {";
    case Statement::Kind::Point: return "p = &" + to + ";";
    case Statement::Kind::Put: return "*p = " + number + ";";
    case Statement::Kind::Get: return to + " = *p;";
    case Statement::Kind::PutElement: return "e[" + from + " & 1] = " + number + ";";
    case Statement::Kind::GetElement: return to + " = e[" + from + " & 1];";
    case Statement::Kind::Lock: return "{ mutex_lock(&l" + number + ");";
    case Statement::Kind::Try: return "if (xSemaphoreTake(h" + number + ", 1)) {";
    case Statement::Kind::LockEnd: return "mutex_unlock(&l" + number + "); }";
    case Statement::Kind::TryEnd: return "xSemaphoreGive(h" + number + "); }";
    case Statement::Kind::SetWide: return "w = " + number + "00000000007LL;";
    case Statement::Kind::GetWide: return "v = w;";
  }
  return "";
}

/// What a random system has, besides variables and conditions.
enum class Has : std::uint8_t {
  Masks,
  Main,   ///< and masks: the first entry is main, and repeats its body for ever
  Locks,  ///< of three tasks
  Wide,   ///< and masks: a variable that is read and written in two steps, and decides nothing
};

inline bool opens(Statement::Kind kind) {
  using Kind = Statement::Kind;
  return kind == Kind::If || kind == Kind::Loop || kind == Kind::Lock || kind == Kind::Try;
}

inline bool closes(Statement::Kind kind) {
  using Kind = Statement::Kind;
  return kind == Kind::End || kind == Kind::LockEnd || kind == Kind::TryEnd;
}

/// What ends the block that the statement begins.
inline Statement end_of(const Statement& begin) {
  using Kind = Statement::Kind;
  if (begin.kind == Kind::Lock) return {Kind::LockEnd, 0, 0, begin.number};
  if (begin.kind == Kind::Try) return {Kind::TryEnd, 0, 0, begin.number};
  return {Kind::End};
}

inline Statement::Kind random_kind(std::mt19937& random, Has has) {
  using Kind = Statement::Kind;
  static constexpr std::array locks = {Kind::Set,  Kind::Copy, Kind::Next, Kind::If,  Kind::End, Kind::Until,
                                       Kind::Loop, Kind::Lock, Kind::Lock, Kind::Try, Kind::End};
  static constexpr std::array wides = {Kind::Set,     Kind::If,    Kind::End,     Kind::Off,    Kind::On,
                                       Kind::OffAll,  Kind::OnAll, Kind::Save,    Kind::Back,   Kind::SetWide,
                                       Kind::GetWide, Kind::Loop,  Kind::SetWide, Kind::GetWide};
  if (has == Has::Locks) return locks[random() % locks.size()];
  if (has == Has::Wide) return wides[random() % wides.size()];
  return static_cast<Kind>(random() % 19);
}

inline Body random_body(std::mt19937& random, std::size_t length, bool is_first, Has has) {
  const auto pick = [&](int count) { return static_cast<int>(random() % static_cast<unsigned>(count)); };
  using Kind = Statement::Kind;
  Body body;
  std::vector<Statement> open;
  for (std::size_t i = 0; i < length; ++i) {
    const Kind kind = random_kind(random, has);
    Statement s{kind, pick(variables), pick(variables), pick(3)};
    if (s.kind == Kind::Lock || s.kind == Kind::Try) s.number %= 2;
    if (has == Has::Locks && i == 0 && pick(3) != 0) s = {Kind::Lock};  // else few accesses have one
    const auto is_open = [&](Kind one) { return std::ranges::find(open, one, &Statement::kind) != open.end(); };
    if (s.kind == Kind::End && open.empty()) s.kind = Kind::Copy;
    if (s.kind == Kind::Loop && is_open(Kind::Loop)) s.kind = Kind::If;
    const bool is_taken =
        std::ranges::any_of(open, [&](const Statement& one) { return one.kind == s.kind && one.number == s.number; });
    if ((s.kind == Kind::Lock || s.kind == Kind::Try) && is_taken) s.kind = Kind::If;
    if (s.kind == Kind::Until && (!is_first || pick(3) != 0)) s.kind = Kind::If;
    if (s.kind == Kind::Copy && s.to == s.from) s.kind = Kind::Next;
    if (s.kind == Kind::Off || s.kind == Kind::On) s.number = 3 + pick(2);
    if (opens(s.kind)) open.push_back(s);
    if (s.kind == Kind::End) {
      s = end_of(open.back());
      open.pop_back();
    }
    body.push_back(s);
  }
  for (; !open.empty(); open.pop_back()) body.push_back(end_of(open.back()));
  return body;
}

/// Behind the end of the block that begins there.
inline int behind(const Body& body, int at) {
  for (int open = 0;; ++at) {
    const Statement::Kind kind = body[static_cast<std::size_t>(at)].kind;
    open += opens(kind) ? 1 : closes(kind) ? -1 : 0;
    if (open == 0) return at + 1;
  }
}

/// The Loop that the statement lies in; -1: in none.
inline int loop_of(const Body& body, int at) {
  for (int i = 0; i < at; ++i)
    if (body[static_cast<std::size_t>(i)].kind == Statement::Kind::Loop && behind(body, i) > at) return i;
  return -1;
}

/// The three bodies, one statement a line.
struct Code {
  Has has = Has::Masks;
  std::array<Body, 3> bodies;
  std::array<int, 3> first_line{};
  std::string text =
      "int a, b, c, e[2], *p = &a; int get(void); void off(int); void on(int); void save(void); void back(void);"
      " long long w, v; struct lock { int l; } l0, l1, *h0, *h1; void mutex_lock(struct lock *);"
      " void mutex_unlock(struct lock *); int xSemaphoreTake(struct lock *, int); int xSemaphoreGive(struct lock *);\n";

  Code(std::mt19937& random, Has given) : has(given) {
    int line = 2;
    for (std::size_t e = 0; e < 3; ++e) {
      bodies[e] = random_body(random, e == 0 ? 6 : 4, e == 0, has);
      const bool repeats = e == 0 && has == Has::Main;
      text += repeats ? "int main(void) { for (;;) {\n" : std::string("void ") + entry_names[e] + "(void) {\n";
      first_line[e] = ++line;
      for (const Statement& s : bodies[e]) {
        text += text_of(s) + "\n";
        ++line;
      }
      text += repeats ? "} }\n" : "}\n";
      ++line;
    }
  }
};

struct Touch {
  int line = 0, variable = -1;
  bool writes = false;
  auto operator<=>(const Touch&) const = default;
};

inline std::string name_of(int variable) {
  return variable == pointer ? "p"
         : variable == array ? "e"
         : variable == wide  ? "w"
                             : std::string(1, static_cast<char>('a' + variable));
}

/// Accesses of an entry that a triple may have; what a loop asks again and again is left out.
inline std::vector<Touch> touches_of(const Code& code, std::size_t entry) {
  std::vector<Touch> out;
  for (std::size_t i = 0; i < code.bodies[entry].size(); ++i) {
    const Statement& s = code.bodies[entry][i];
    const int line = code.first_line[entry] + static_cast<int>(i);
    using Kind = Statement::Kind;
    const bool by_pointer = s.kind == Kind::Put || s.kind == Kind::Get;
    const bool by_index = s.kind == Kind::PutElement || s.kind == Kind::GetElement;
    const auto add = [&](int variable, bool writes) { out.push_back({line, variable, writes}); };
    if (s.kind == Kind::If || s.kind == Kind::Next) add(s.to, false);
    if (s.kind == Kind::Copy || by_index) add(s.from, false);
    if (by_pointer) add(pointer, false);
    if (by_index) add(array, s.kind == Kind::PutElement);
    for (int v = 0; v < variables && by_pointer; ++v) add(v, s.kind == Kind::Put);
    if (s.kind == Kind::Point) add(pointer, true);
    if (s.kind == Kind::Set || s.kind == Kind::Copy || s.kind == Kind::Next || s.kind == Kind::Input ||
        s.kind == Kind::Get || s.kind == Kind::GetElement)
      add(s.to, true);
    if (s.kind == Kind::SetWide || s.kind == Kind::GetWide) add(wide, s.kind == Kind::SetWide);
  }
  return out;
}

inline std::vector<std::array<Touch, 3>> triples_of(const Code& code) {
  std::vector<std::array<Touch, 3>> out;
  for (std::size_t e = 0; e < 2; ++e)
    for (const Touch& first : touches_of(code, e))
      for (const Touch& second : touches_of(code, e))
        for (std::size_t i = e + 1; i < 3; ++i)
          for (const Touch& between : touches_of(code, i)) {
            if (first.variable != second.variable || first.variable != between.variable) continue;
            if (first.variable == wide && (!(first == second) || first.writes == between.writes)) continue;
            const bool is_broken = between.writes ? !(first.writes && second.writes) : first.writes && second.writes;
            if (is_broken && !(second < first) && (first != second || first.variable == wide))
              out.push_back({first, between, second});
          }
  return out;
}

}  // namespace heddle::depend
