// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/propose/wrapper_proposals.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

#include "api/propose/net_locks.h"
#include "api/reader/model_text.h"

namespace heddle::api {
namespace {

/// Words that make two names a pair. Longer ones first: `unlock` holds `lock`.
constexpr auto pair_words = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"lock", "unlock"},
    {"Lock", "Unlock"},
    {"LOCK", "UNLOCK"},
    {"acquire", "release"},
    {"Acquire", "Release"},
    {"enter", "leave"},
    {"enter", "exit"},
    {"Enter", "Leave"},
});

std::string without(std::string_view name, std::string_view word) {
  const std::size_t at = name.find(word);
  if (at == std::string_view::npos) return {};
  return std::string(name.substr(0, at)) + std::string(name.substr(at + word.size()));
}

/// The names that `name` would be undone by: `q_unlock` for `q_lock` and `q_try_lock`.
std::vector<std::string> opposites(std::string_view name) {
  std::vector<std::string> out;
  for (const auto& [take, give] : pair_words) {
    const std::size_t at = name.rfind(take);
    if (at == std::string_view::npos) continue;
    const std::string_view before = name.substr(0, at);
    if (before.ends_with("un") || before.ends_with("Un") || before.ends_with("UN")) continue;
    const std::string whole = std::string(before) + std::string(give) + std::string(name.substr(at + take.size()));
    out.push_back(whole);
    for (const std::string_view word : {"try_", "try", "Try", "timed_", "timed", "Timed"})
      if (std::string shorter = without(whole, word); !shorter.empty()) out.push_back(std::move(shorter));
  }
  return out;
}

/// Only names that say it: `pool_try_lock`, `mtx_trylock`.
bool may_fail(std::string_view name) {
  return name.contains("try") || name.contains("Try") || name.contains("timed") || name.contains("Timed");
}

/// As the source calls it: linking calls internal symbols of one name `name@unit`.
std::string plain_name(std::string_view symbol) { return std::string(symbol.substr(0, symbol.find('@'))); }

class Proposer {
 public:
  Proposer(const Program& program, const ApiModels& models)
      : program_(program), models_(models), call_sites_(program.functions.size(), 0) {
    for (const Function& f : program.functions)
      for (const Instruction& i : f.instructions)
        if (const auto call = direct_call(f, i)) ++call_sites_[call->callee.index()];
  }

  std::vector<WrapperProposal> run() {
    from_bodies();
    from_names();
    std::ranges::sort(out_, [](const WrapperProposal& a, const WrapperProposal& b) {
      return std::tuple(b.call_sites, std::string_view(a.model.name)) <
             std::tuple(a.call_sites, std::string_view(b.model.name));
    });
    // Functions of one name in several units: the most called speaks for all.
    std::set<std::string> names;
    std::erase_if(out_, [&](const WrapperProposal& p) { return !names.insert(p.model.name).second; });
    return std::move(out_);
  }

 private:
  [[nodiscard]] bool is_of_the_system(const Function& f) const {
    if (f.is_intrinsic) return true;
    if (!f.location.valid() || !program_.locations[f.location].file.valid()) return false;
    const std::string_view path = program_.files[program_.locations[f.location].file].path;
    return path.starts_with("/usr/");
  }

  [[nodiscard]] bool is_open(FunctionId id) const {
    const Function& f = program_.functions[id];
    return call_sites_[id.index()] > 0 && !is_of_the_system(f) && f.name != "main" && models_.find(f.name) == nullptr;
  }

  void add(FunctionId id, Effect effect, const std::string& what) {
    const Function& f = program_.functions[id];
    const std::size_t sites = call_sites_[id.index()];
    const std::string place = f.location.valid() ? "; " + program_.where(f.location) : "";
    Model model;
    model.name = plain_name(f.name);
    model.effects = {std::move(effect)};
    model.is_wrapper = true;
    out_.push_back({std::move(model),
                    "'" + plain_name(f.name) + "' looks like " + what + " (" + std::to_string(sites) +
                        (sites == 1 ? " call site" : " call sites") + place + ")",
                    sites});
  }

  void from_bodies() {
    const std::vector<NetLocks> net = net_locks(program_, models_);
    for (std::size_t i = 0; i < net.size(); ++i) {
      if (net[i].is_mixed || net[i].rows.size() != 1 || !is_open(FunctionId(i))) continue;
      const auto& [place, found] = net[i].rows.front();
      Effect effect = found;
      const std::string verb = effect.kind == EffectKind::Release ? "the unlock of "
                               : !effect.blocking                 ? "a try-lock of "
                               : effect.mode == LockMode::Shared  ? "a shared lock of "
                                                                  : "a lock of ";
      const std::string inside =
          place.offset == 0 ? "" : ", " + std::to_string(place.offset) + " bytes into what it points to";
      if (place.root == LockPlace::Root::Argument) {
        effect.object = static_cast<int>(place.index);
        add(FunctionId(i), effect, verb + "its argument " + std::to_string(place.index) + inside);
      } else if (place.root == LockPlace::Root::Global) {
        effect.note = plain_name(program_.globals[GlobalId(place.index)].name);
        if (place.offset != 0) effect.note += "+" + std::to_string(place.offset);
        effect.kind = effect.kind == EffectKind::Release ? EffectKind::ReleaseNamed : EffectKind::AcquireNamed;
        add(FunctionId(i), effect, verb + "the global '" + effect.note + "'");
      }
    }
  }

  /// What a function gives to each undefined function it calls.
  using Given = std::map<FunctionId, std::set<std::pair<std::uint32_t, LockPlace>>>;

  void from_names() {
    std::map<std::pair<FunctionId, FunctionId>, std::uint32_t> pairs;  // lock, unlock -> argument
    for (const Function& f : program_.functions) {
      const Given given = given_in(f);
      for (const auto& [lock, places] : given)
        for (const std::string& name : opposites(program_.functions[lock].name)) {
          const FunctionId unlock = program_.find_function(name);
          if (const auto other = unlock.valid() ? given.find(unlock) : given.end(); other != given.end())
            for (const auto& [argument, place] : places)
              if (other->second.contains({argument, place})) pairs.emplace(std::pair(lock, unlock), argument);
        }
    }
    std::set<FunctionId> done;
    for (const auto& [pair, argument] : pairs) {
      const auto& [lock, unlock] = pair;
      Effect take;
      take.kind = EffectKind::Acquire;
      take.object = static_cast<int>(argument);
      if (may_fail(program_.functions[lock].name)) {
        take.blocking = false;
        take.success = Success::NonZero;
      }
      Effect give;
      give.kind = EffectKind::Release;
      give.object = take.object;
      const std::string of = " its argument " + std::to_string(argument) + ", by its name";
      if (done.insert(lock).second)
        add(lock, take, (take.blocking ? "a lock of" : "a try-lock (check its result) of") + of);
      if (done.insert(unlock).second) add(unlock, give, "the unlock of" + of);
    }
  }

  Given given_in(const Function& f) {
    Given given;
    for (const Instruction& i : f.instructions) {
      const auto call = direct_call(f, i);
      if (!call || program_.functions[call->callee].has_body() || !is_open(call->callee)) continue;
      for (std::size_t a = 0; a < call->arguments.size(); ++a) {
        if (call->arguments[a].is_constant()) continue;
        const LockPlace place = lock_place(f, call->arguments[a]);
        given[call->callee].emplace(static_cast<std::uint32_t>(a), named_load(f, place));
      }
    }
    return given;
  }

  /// Two loads from one address count as one pointer here: place of the address, marked by an offset nobody has.
  LockPlace named_load(const Function& f, const LockPlace& place) const {
    if (place.root != LockPlace::Root::Other || place.index >= f.value_count()) return place;
    const ValueId value(place.index);
    if (f.is_parameter(value)) return place;
    const Instruction& i = f.instructions[f.definition(value)];
    if (i.opcode != Opcode::Load) return place;
    LockPlace address = lock_place(f, f.operands_of(i)[0]);
    address.offset += loaded;
    return address;
  }

  static constexpr std::int64_t loaded = std::int64_t{1} << 48;
  const Program& program_;
  const ApiModels& models_;
  std::vector<std::size_t> call_sites_;
  std::vector<WrapperProposal> out_;
};

}  // namespace

std::vector<WrapperProposal> propose_wrappers(const Program& program, const ApiModels& models, std::size_t most) {
  std::vector<WrapperProposal> all = Proposer(program, models).run();
  if (all.size() > most) all.resize(most);
  return all;
}

std::string to_toml(const std::vector<WrapperProposal>& proposals) {
  std::string text;
  for (const WrapperProposal& proposal : proposals)
    text += (text.empty() ? "# " : "\n# ") + proposal.reason + "\n" + toml_model(proposal.model);
  return text;
}

}  // namespace heddle::api
