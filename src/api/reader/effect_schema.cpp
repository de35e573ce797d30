// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/effect_schema.h"

#include <algorithm>
#include <array>

#include "api/reader/length_text.h"
#include "api/reader/result_text.h"
#include "base/check.h"

namespace heddle::api {
namespace {

using enum EffectKind;

constexpr auto kinds = std::to_array<KindRow>({
    {"acquire", Acquire, Main::Object, "mode blocking success recursive failure type granted"},
    {"release", Release, Main::Object, "type"},
    {"lock_init", LockInit, Main::Object, "attributes recursive recursive_if type valid granted"},
    {"lock_destroy", LockDestroy, Main::Object, "failure type"},
    {"set_up", SetUp, Main::Object, "type granted"},
    {"set_recursive", SetRecursive, Main::Object, "!value valid granted"},
    {"set_detached", SetDetached, Main::Object, "value valid"},
    {"spawn", Spawn, Main::Entry, "handle attributes parameter success entry_slot after_slot indirect several granted"},
    {"join", Join, Main::Object, "result success blocking indirect failure several"},
    {"detach", Detach, Main::Object, "success indirect"},
    {"thread_exit", ThreadExit, Main::Flag, "result"},
    {"current_thread", CurrentThread, Main::Flag, ""},
    {"wait", Wait, Main::Object, "!lock blocking success indirect failure type"},
    {"signal", Signal, Main::Object, "type"},
    {"broadcast", Broadcast, Main::Object, "type"},
    {"barrier_init", BarrierInit, Main::Object, "!count type valid granted"},
    {"barrier_wait", BarrierWait, Main::Object, "type"},
    {"team_join", TeamJoin, Main::Object, ""},
    {"team_leave", TeamLeave, Main::Object, ""},
    {"team_loop", TeamLoop, Main::Object, ""},
    {"once", Once, Main::Object, "!entry parameter type"},
    {"once_begin", OnceBegin, Main::Object, "!success type"},
    {"once_end", OnceEnd, Main::Object, "type"},
    {"once_abort", OnceAbort, Main::Object, "type"},
    {"sem_init", SemInit, Main::Object, "!count type valid granted"},
    {"sem_wait", SemWait, Main::Object, "blocking success failure type granted count_member"},
    {"sem_post", SemPost, Main::Object, "type"},
    {"atomic_begin", AtomicBegin, Main::Flag, ""},
    {"atomic_end", AtomicEnd, Main::Flag, ""},
    {"tls_create", TlsCreate, Main::Object, "destructor success"},
    {"tls_get", TlsGet, Main::Object, ""},
    {"tls_set", TlsSet, Main::Object, "!value"},
    {"allocate", Allocate, Main::Length, "into zeroed success granted"},
    {"free", Free, Main::Object, ""},
    {"end_local", EndLocal, Main::Object, ""},
    {"use", Use, Main::Object, "type"},
    {"reallocate", Reallocate, Main::Object, "!length success granted"},
    {"read", Read, Main::Object, "length"},
    {"write", Write, Main::Object, "length value"},
    {"read_reachable", ReadReachable, Main::Object, ""},
    {"write_reachable", WriteReachable, Main::Object, ""},
    {"read_variadic", ReadVariadic, Main::Object, "format indirect"},
    {"write_variadic", WriteVariadic, Main::Object, "format indirect"},
    {"hidden_read", HiddenRead, Main::Note, ""},
    {"hidden_write", HiddenWrite, Main::Note, ""},
    {"hidden_use", HiddenUse, Main::Note, ""},
    {"atomic_read", AtomicRead, Main::Object, "length to"},
    {"atomic_write", AtomicWrite, Main::Object, "length value indirect"},
    {"atomic_update", AtomicUpdate, Main::Object, "length value expected op indirect"},
    {"copy", Copy, Main::Object, "!from length"},
    {"invoke", Invoke, Main::Entry, "parameter value"},
    {"invoke_global", InvokeGlobal, Main::Note, ""},
    {"at_exit", AtExit, Main::Entry, "parameter per_thread"},
    {"at_terminate", AtTerminate, Main::Entry, ""},
    {"at_exception_end", AtExceptionEnd, Main::Entry, "!parameter"},
    {"exception_end", ExceptionEnd, Main::Flag, ""},
    {"returns", Returns, Main::Object, ""},
    {"returns_into", ReturnsInto, Main::Object, ""},
    {"returns_hidden", ReturnsHidden, Main::Note, "per_thread holds_key"},
    {"returns_reachable", ReturnsReachable, Main::Object, ""},
    {"returns_own", ReturnsOwn, Main::Object, "!team !op lowest highest"},
    {"stores_into", StoresInto, Main::Object, "!from"},
    {"nondet", Nondet, Main::Flag, ""},
    {"assume", Assume, Main::Object, ""},
    {"no_return", NoReturn, Main::Flag, "op"},
    {"may_terminate", MayTerminate, Main::Flag, ""},
    {"throw", Throw, Main::Flag, "value"},
    {"unsupported", Unsupported, Main::Note, "entry argument except flags bits"},
    {"acquire_named", AcquireNamed, Main::Note, "mode blocking success recursive"},
    {"release_named", ReleaseNamed, Main::Note, ""},
    {"root", Root, Main::Entry, "!context parameter priority priority_member number lower_first"},
    {"mask", Mask, Main::Context, ""},
    {"unmask", Unmask, Main::Context, ""},
});

constexpr OptionRow argument(std::string_view key, int Effect::* field) {
  return {key, OptionForm::Argument, field, nullptr};
}
constexpr OptionRow boolean(std::string_view key, bool Effect::* field) {
  return {key, OptionForm::Boolean, nullptr, field};
}

// Several words fill one field: what `value` means differs by kind, and a model should read well.
constexpr auto options = std::to_array<OptionRow>({
    argument("argument", &Effect::argument),
    argument("attributes", &Effect::value),
    argument("count", &Effect::value),
    argument("destructor", &Effect::entry),
    argument("entry", &Effect::entry),
    argument("expected", &Effect::argument),
    argument("flags", &Effect::value),
    argument("format", &Effect::value),
    argument("from", &Effect::value),
    argument("highest", &Effect::argument),
    argument("into", &Effect::object),
    argument("lock", &Effect::lock),
    argument("lowest", &Effect::value),
    argument("number", &Effect::lock),
    argument("parameter", &Effect::argument),
    argument("priority", &Effect::value),
    argument("recursive_if", &Effect::argument),
    argument("result", &Effect::value),
    argument("team", &Effect::lock),
    argument("to", &Effect::value),
    argument("value", &Effect::value),
    boolean("blocking", &Effect::blocking),
    boolean("holds_key", &Effect::holds_key),
    boolean("indirect", &Effect::indirect),
    boolean("lower_first", &Effect::indirect),
    boolean("per_thread", &Effect::per_thread),
    boolean("recursive", &Effect::recursive),
    boolean("several", &Effect::several),
    boolean("zeroed", &Effect::zeroed),
    {"context", OptionForm::ContextName, nullptr, nullptr},
    {"after_slot", OptionForm::Slot, &Effect::after_slot, nullptr},
    {"entry_slot", OptionForm::Slot, &Effect::entry_slot, nullptr},
    {"failure", OptionForm::Slot, &Effect::failure, nullptr},
    {"handle", OptionForm::HandlePlace, &Effect::handle, nullptr},
    {"length", OptionForm::LengthText, nullptr, nullptr},
    {"mode", OptionForm::ModeName, nullptr, nullptr},
    {"count_member", OptionForm::Text, nullptr, nullptr},
    {"op", OptionForm::Text, nullptr, nullptr},
    {"priority_member", OptionForm::Text, nullptr, nullptr},
    {"success", OptionForm::SuccessName, nullptr, nullptr},
    {"type", OptionForm::TypeName, nullptr, nullptr},
    {"granted", OptionForm::GrantedName, nullptr, nullptr},
    {"valid", OptionForm::ValidRange, nullptr, nullptr},
    {"except", OptionForm::Except, nullptr, nullptr},
    {"bits", OptionForm::Bits, nullptr, nullptr},
});

std::string_view to_text(Success success) {
  switch (success) {
    case Success::Always: return "always";
    case Success::Zero: return "zero";
    case Success::NonZero: return "nonzero";
    case Success::NonNegative: return "nonnegative";
    case Success::NotMinusOne: return "not -1";
  }
  return "always";
}

std::string main_text(const Effect& effect, Main main) {
  switch (main) {
    case Main::Object: return " " + std::to_string(effect.object);
    case Main::Entry: return " " + std::to_string(effect.entry);
    case Main::Value: return " " + std::to_string(effect.value);
    case Main::Length: return " " + to_text(effect.length);
    case Main::Note: return " '" + effect.note + "'";
    case Main::Context: return " " + std::string(to_text(effect.context));
    case Main::Flag: return "";
  }
  return "";
}

}  // namespace

std::string_view to_text(EntryContext context) {
  switch (context) {
    case EntryContext::Thread: return "thread";
    case EntryContext::Call: return "call";
    case EntryContext::Work: return "work";
    case EntryContext::Timer: return "timer";
    case EntryContext::Softirq: return "softirq";
    case EntryContext::Hardirq: return "hardirq";
    case EntryContext::Init: return "init";
    case EntryContext::Exit: return "exit";
  }
  return "thread";
}

std::span<const KindRow> kind_rows() { return kinds; }
std::span<const OptionRow> option_rows() { return options; }

const KindRow* find_kind(std::string_view key) {
  const auto at = std::ranges::find(kinds, key, &KindRow::key);
  return at == kinds.end() ? nullptr : &*at;
}

const KindRow& row_of(EffectKind kind) {
  const auto at = std::ranges::find(kinds, kind, &KindRow::kind);
  HEDDLE_CHECK(at != kinds.end(), "a kind of effect has no row in the schema");
  return *at;
}

const OptionRow* find_option(std::string_view key) {
  const auto at = std::ranges::find(options, key, &OptionRow::key);
  return at == options.end() ? nullptr : &*at;
}

std::vector<AllowedOption> options_of(const KindRow& row) {
  std::vector<AllowedOption> allowed;
  std::string_view rest = row.options;
  while (!rest.empty()) {
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    std::string_view key = rest.substr(0, blank);
    const bool required = key.starts_with('!');
    if (required) key.remove_prefix(1);
    allowed.push_back({key, required});
    rest.remove_prefix(std::min(blank + 1, rest.size()));
  }
  return allowed;
}

std::string option_text(const Effect& effect, const OptionRow& row) {
  const Effect defaults;
  switch (row.form) {
    case OptionForm::HandlePlace:
      if (effect.handle_returned) return "return";
      [[fallthrough]];
    case OptionForm::Argument:
    case OptionForm::Slot: {
      const int number = effect.*row.argument;
      return number == Effect::none ? "" : std::to_string(number);
    }
    case OptionForm::Boolean: {
      const bool given = effect.*row.boolean;
      return given == defaults.*row.boolean ? "" : given ? "true" : "false";
    }
    case OptionForm::Text: return effect.note;
    case OptionForm::LengthText: return effect.length.kind == Length::Kind::Unknown ? "" : to_text(effect.length);
    case OptionForm::ModeName: return effect.mode == LockMode::Shared ? "shared" : "";
    case OptionForm::ContextName: return std::string(to_text(effect.context));
    case OptionForm::SuccessName: return effect.success == Success::Always ? "" : std::string(to_text(effect.success));
    case OptionForm::TypeName: return effect.length.kind == Length::Kind::Type ? to_text(effect.length) : "";
    case OptionForm::GrantedName: return std::string(assumption_of(effect.granted));
    case OptionForm::ValidRange: return effect.valid ? to_text(*effect.valid) : "";
    case OptionForm::Except: return effect.argument == Effect::none ? "" : std::to_string(effect.except);
    case OptionForm::Bits: return effect.bits == 0 ? "" : std::to_string(effect.bits);
  }
  return "";
}

std::string to_text(const Effect& effect) {
  const KindRow& row = row_of(effect.kind);
  std::string text = std::string(row.key) + main_text(effect, row.main);
  for (const AllowedOption& allowed : options_of(row)) {
    const OptionRow* option = find_option(allowed.key);
    HEDDLE_CHECK(option != nullptr, "a kind of effect allows an option without a row");
    const std::string value = option_text(effect, *option);
    if (!value.empty()) text += ", " + std::string(allowed.key) + " = " + value;
  }
  return text;
}

}  // namespace heddle::api
