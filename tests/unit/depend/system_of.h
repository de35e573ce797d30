// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "api/entry_words.h"
#include "depend/risk/triples.h"
#include "depend/system/published_locals.h"
#include "depend/system/system.h"
#include "frontend/scratch_source.h"

namespace heddle::depend {

/// A program of C text with the System that a heddle.toml makes of it.
struct TestSystem {
  Program program;
  api::ApiModels models;
  std::optional<OilSystem> oil;
  Result<System> system = error("not made yet");

  TestSystem(const std::string& code, const std::string& toml, const std::vector<std::string>& flags = {},
             const std::string& oil_text = "") {
    const frontend::ScratchFolder folder;
    auto read = frontend::read_sources({{folder.write("unit.c", code), flags}}, {});
    if (!read) {
      ADD_FAILURE() << read.error().message;
      return;
    }
    program = std::move(*read);
    publish_locals(program);
    models = api::ApiModels::shipped_for(program).value();
    EXPECT_TRUE(models.add_profile("firmware").has_value());
    if (const auto added = models.add_toml(toml, "heddle.toml"); !added) ADD_FAILURE() << added.error().message;
    if (!oil_text.empty()) {
      auto oil_read = read_oil(oil_text, "app.oil", [](const std::string&) { return error("none"); });
      EXPECT_TRUE(oil_read.has_value()) << oil_read.error().message;
      if (oil_read) oil = std::move(*oil_read);
    }
    system = System::make(program, models, oil ? &*oil : nullptr);
  }

  [[nodiscard]] std::string message() const { return system ? "accepted" : system.error().message; }

  /// The first entry of a function; fails the test if there is none.
  [[nodiscard]] std::size_t entry(const std::string& name) const {
    if (!system) ADD_FAILURE() << system.error().message;
    for (std::size_t i = 0; system && i < system->entries().size(); ++i)
      if (system->name(i) == name) return i;
    ADD_FAILURE() << "no entry '" << name << "'";
    return 0;
  }

  [[nodiscard]] bool interrupts(const std::string& a, const std::string& b) const {
    return system && system->can_interrupt(entry(a), entry(b));
  }
  [[nodiscard]] std::string why_not(const std::string& a, const std::string& b) const {
    return system ? system->why_not(entry(a), entry(b)) : message();
  }

  /// `name kind priority number: found`, one a line, by name.
  [[nodiscard]] std::string listing() const {
    if (!system) return system.error().message;
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < system->entries().size(); ++i) {
      const SystemEntry& e = system->entries()[i];
      std::string found = e.found;
      if (const std::size_t at = found.find(" at /"); at != std::string::npos)  // without the scratch folder
        found = found.substr(0, at + 4) + found.substr(found.find("unit.c", at));
      lines.push_back(system->name(i) + " " + std::string(api::to_text(e.kind)) +
                      (e.priority ? " p" + std::to_string(*e.priority) : "") +
                      (e.number ? " n" + std::to_string(*e.number) : "") + (e.is_multiple ? " several" : "") + ": " +
                      found + "\n");
    }
    std::ranges::sort(lines);
    std::string out;
    for (const std::string& line : lines) out += line;
    return out;
  }
};

/// What is known of its accesses.
struct TestFacts {
  alias::AliasFacts aliases;
  AccessFacts facts;

  explicit TestFacts(const TestSystem& of)
      : aliases(alias::find_aliases(of.program, of.models, {})), facts(of.program, of.system.value(), aliases) {}
};

inline Triples found_triples(const TestSystem& of, const TripleOptions& options = {}) {
  TestFacts known(of);
  return find_triples(known.facts, options);
}

/// An `[[entry]]` table.
inline std::string entry_table(const std::string& function, const std::string& kind, const std::string& more = "") {
  return "[[entry]]\nfunction = \"" + function + "\"\nkind = \"" + kind + "\"\n" + more + "\n";
}

}  // namespace heddle::depend
