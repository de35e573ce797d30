// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "depend/system/find_entries.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "api/entry_words.h"
#include "depend/system/near_text.h"
#include "threads/outside_entries.h"

namespace heddle::depend {
namespace {

using api::EntryRule;
using threads::OutsideEntry;

/// How much a source of entries is believed; the first that says something holds.
enum class Rank : std::uint8_t { Written, WrittenPattern, Oil, Name, Code, Created };

/// One thing that is said of a function.
struct Claim {
  Rank rank = Rank::Code;
  std::optional<EntryKind> kind = {};  ///< said in so many words
  api::EntryContext context = api::EntryContext::Thread;
  std::optional<std::int64_t> number = {}, priority = {};
  std::optional<bool> preemptable = {};
  bool is_multiple = false;
  std::string found = {}, place = {};

  [[nodiscard]] EntryKind means() const { return kind ? *kind : api::kind_of(context); }
};

constexpr std::array oil_tasks = {"", "TaskMain", "Func", "OSEKOS_TASK_"};
constexpr std::array oil_isrs = {"", "ISRMain", "OSEKOS_ISR_", "Func"};

class EntryFinder {
 public:
  EntryFinder(const Program& program, const api::ApiModels& models, const OilSystem* oil)
      : program_(program), models_(models), oil_(oil) {}

  Result<FoundEntries> run() {
    if (auto known = check_names(); !known) return std::unexpected(known.error());
    for (const OutsideEntry& entry : threads::find_outside_entries(program_, models_)) add(entry);
    if (oil_ != nullptr) add_oil();
    add_main();
    for (const FunctionId constructor : program_.constructors)
      if (program_.functions[constructor].has_body())
        claim(constructor, {.kind = EntryKind::Init, .context = api::EntryContext::Init, .found = "constructor"});
    for (const auto& [function, claims] : claims_)
      if (auto made = make(function, claims); !made) return std::unexpected(made.error());
    return std::move(out_);
  }

 private:
  void claim(FunctionId function, Claim claim) {
    std::vector<Claim>& claims = claims_[function];
    claims.insert(std::ranges::upper_bound(claims, claim.rank, {}, &Claim::rank), std::move(claim));
  }

  /// Functions that heddle.toml names have to be there.
  Result<void> check_names() const {
    std::set<std::string> names;
    for (const Function& f : program_.functions)
      if (f.has_body()) names.emplace(f.shown_name());
    for (const EntryRule& rule : models_.entries()) {
      if (rule.kind != EntryRule::Kind::Function || rule.file.starts_with("models/")) continue;
      const auto is_it = [&](const Function& f) { return f.has_body() && threads::is_called(rule.name, f); };
      if (std::ranges::any_of(program_.functions, is_it)) continue;
      if (program_.find_function(rule.name))
        return error(rule.place + ": the entry '" + rule.name +
                     "' has no body here; name the file that defines it too");
      return error(rule.place + ": there is no function '" + rule.name + "' for this entry" +
                   near_text(rule.name, names));
    }
    return {};
  }

  [[nodiscard]] const EntryRule* rule_at(const std::string& place) const {
    const auto rule = std::ranges::find(models_.entries(), place, &EntryRule::place);
    return place.empty() || rule == models_.entries().end() ? nullptr : &*rule;
  }

  void add(const OutsideEntry& entry) {
    const EntryRule* rule = rule_at(entry.rule_place);
    const bool is_named = rule != nullptr && rule->kind == EntryRule::Kind::Function;
    const bool is_exact = is_named && !rule->name.contains('*');
    Claim claim{.kind = entry.traits.kind,
                .context = entry.context,
                .number = entry.traits.number,
                .priority = entry.traits.priority,
                .preemptable = entry.traits.preemptable,
                .is_multiple = entry.context == api::EntryContext::Call || entry.context == api::EntryContext::Softirq,
                .found = entry.reason};
    if (entry.is_written) {
      claim.rank = is_exact ? Rank::Written : Rank::WrittenPattern;
      claim.found = claim.place = entry.rule_place;
    } else if (entry.at) {
      claim.rank = Rank::Created;
      claim.found += " at " + program_.where(entry.at);
      claim.is_multiple = claim.is_multiple || entry.times > 1;
    } else if (is_named) {
      claim.rank = Rank::Name;
      claim.found = "name '" + std::string(program_.functions[entry.function].name) + "'";
    }
    this->claim(entry.function, std::move(claim));
  }

  [[nodiscard]] FunctionId main_of() const {
    const FunctionId main = program_.find_function("main");
    return main && program_.functions[main].has_body() ? main : FunctionId{};
  }

  void add_main() {
    if (const FunctionId main = main_of(); main.valid() && !claims_.contains(main))
      claim(main, {.kind = EntryKind::Main, .found = "name 'main'"});
  }

  void add_oil() {
    for (const OilTask& task : oil_->tasks)
      add_oil("TASK", task.name, task.place, oil_tasks,
              {.rank = Rank::Oil,
               .kind = task.is_cyclic ? EntryKind::Cyclic : EntryKind::Task,
               .priority = task.priority,
               .preemptable = task.preemptable});
    for (const OilIsr& isr : oil_->isrs) add_oil_isr("ISR", isr);
    for (const OilIsr& callback : oil_->callbacks) add_oil_isr("ALARMCALLBACK", callback);
  }

  void add_oil_isr(const std::string& what, const OilIsr& isr) {
    add_oil(what, isr.function.empty() ? isr.name : isr.function, isr.place, oil_isrs,
            {.rank = Rank::Oil,
             .kind = EntryKind::Interrupt,
             .context = api::EntryContext::Hardirq,
             .number = isr.number,
             .priority = isr.priority});
  }

  /// Kernels expand TASK(x) to different functions.
  void add_oil(const std::string& what, const std::string& name, const std::string& place,
               const std::array<const char*, 4>& prefixes, Claim said) {
    for (const char* prefix : prefixes)
      for (const char* suffix : {"", "_function"}) {
        const FunctionId function = program_.find_function(prefix + name + suffix);
        if (!function.valid() || !program_.functions[function].has_body()) continue;
        said.found = what + " '" + name + "' at " + place;
        said.place = place;
        return claim(function, std::move(said));
      }
    out_.notes.push_back(place + ": " + what + " '" + name + "' has no function in this program and is left out");
  }

  Result<void> make(FunctionId function, const std::vector<Claim>& claims) {
    if (claims.front().rank == Rank::Created) {
      for (const Claim& claim : claims) add_row(function, {claim});
      return {};
    }
    const bool is_reset = claims.front().rank == Rank::Name && kind_of(claims) == EntryKind::Main;
    if (is_reset && main_of().valid() && main_of() != function) return {};  // it leads to main
    if (auto agreed = check_agreement(function, claims); !agreed) return agreed;
    add_row(function, claims);
    return {};
  }

  void add_row(FunctionId function, const std::vector<Claim>& claims) {
    SystemEntry entry{.function = function, .kind = kind_of(claims), .place = claims.front().place};
    // Whatever it is called: main runs once.
    if (entry.kind == EntryKind::Task && function == main_of()) entry.kind = EntryKind::Main;
    std::optional<bool> preemptable;
    for (const Claim& claim : claims) {
      if (!entry.number) entry.number = claim.number;
      if (!entry.priority && claim.priority) {
        entry.priority = claim.priority;
        entry.is_ranked_by_hand = claim.rank == Rank::Written || claim.rank == Rank::WrittenPattern;
      }
      if (!preemptable) preemptable = claim.preemptable;
      entry.is_multiple = entry.is_multiple || claim.is_multiple;
      if (!entry.found.contains(claim.found)) entry.found += (entry.found.empty() ? "" : "; ") + claim.found;
    }
    entry.preemptable = preemptable.value_or(true);
    entry.nests = entry.is_interrupt() && preemptable.value_or(false);
    out_.entries.push_back(std::move(entry));
  }

  /// A kind that is said goes before one that only follows from a context, among claims of equal rank.
  static EntryKind kind_of(const std::vector<Claim>& claims) {
    for (const Claim& claim : claims)
      if (claim.rank == claims.front().rank && claim.kind) return *claim.kind;
    return claims.front().means();
  }

  /// Two tables of heddle.toml, or two objects of an OIL file, must not say different things of one function.
  Result<void> check_agreement(FunctionId function, const std::vector<Claim>& claims) const {
    for (std::size_t i = 1; i < claims.size(); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const Claim &here = claims[i], &there = claims[k];
        if (here.rank != claims.front().rank || here.place.empty()) continue;
        if (const std::string what = disagreement(here, there); !what.empty())
          return error(here.place + ": '" + std::string(program_.functions[function].name) + "' has " + what + " at " +
                       there.place + "; keep one of them");
      }
    return {};
  }

  /// `priority 3 here and 2`; empty: they can both hold.
  static std::string disagreement(const Claim& here, const Claim& there) {
    const auto numbers = [](const std::string& what, const auto& a, const auto& b) {
      return a && b && *a != *b ? what + " " + std::to_string(*a) + " here and " + std::to_string(*b) : std::string();
    };
    if (const std::string what = numbers("priority", here.priority, there.priority); !what.empty()) return what;
    if (const std::string what = numbers("number", here.number, there.number); !what.empty()) return what;
    const bool agrees = here.kind && there.kind ? here.kind == there.kind
                        : here.kind             ? api::agree(*here.kind, there.context)
                        : there.kind            ? api::agree(*there.kind, here.context)
                                                : here.means() == there.means();
    if (agrees) return {};
    return "kind " + std::string(api::to_text(here.means())) + " here and " + std::string(api::to_text(there.means()));
  }

  const Program& program_;
  const api::ApiModels& models_;
  const OilSystem* oil_;
  std::map<FunctionId, std::vector<Claim>> claims_;  ///< the most believed first
  FoundEntries out_;
};

}  // namespace

Result<FoundEntries> find_entries(const Program& program, const api::ApiModels& models, const OilSystem* oil) {
  return EntryFinder(program, models, oil).run();
}

}  // namespace heddle::depend
