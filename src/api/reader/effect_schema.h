// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words models are written in, as two tables: one row for each kind of effect, one for each option. The reader, the
// listing and the tests all work from them, so a new kind of effect is one row here.
//
//   { acquire = 0, blocking = false, success = "zero" }
//     ^kind key: its value is the main argument    ^options, those of the kind's row only
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/effect.h"

namespace heddle::api {

/// What stands behind the key that names the kind.
enum class Main : std::uint8_t {
  Object,   ///< argument number -> Effect::object
  Entry,    ///< argument number -> Effect::entry
  Value,    ///< argument number -> Effect::value
  Length,   ///< -> Effect::length
  Note,     ///< text -> Effect::note
  Context,  ///< name of an EntryContext -> Effect::context
  Flag,     ///< `true`; the kind may also stand as a plain string
};

struct KindRow {
  std::string_view key;
  EffectKind kind;
  Main main;
  std::string_view options;  ///< separated by blanks; '!' before those that must be there
};

/// How an option's value is written, and which field it fills.
enum class OptionForm : std::uint8_t {
  Argument,
  Boolean,
  Text,
  LengthText,
  ModeName,
  SuccessName,
  ContextName,
  HandlePlace,
  Slot,
  TypeName,     ///< a LibraryType -> Effect::length
  GrantedName,  ///< an assumption -> Effect::granted
  ValidRange,   ///< "0..3" -> Effect::valid
  Except,       ///< a number -> Effect::except
  Bits,         ///< a number -> Effect::bits
};

struct OptionRow {
  std::string_view key;
  OptionForm form;
  int Effect::* argument = nullptr;  ///< Argument, Slot
  bool Effect::* boolean = nullptr;  ///< Boolean
};

[[nodiscard]] std::span<const KindRow> kind_rows();
[[nodiscard]] const KindRow* find_kind(std::string_view key);
[[nodiscard]] const KindRow& row_of(EffectKind kind);

[[nodiscard]] std::span<const OptionRow> option_rows();
[[nodiscard]] const OptionRow* find_option(std::string_view key);

struct AllowedOption {
  std::string_view key;
  bool required = false;
};
[[nodiscard]] std::vector<AllowedOption> options_of(const KindRow& row);

[[nodiscard]] std::string_view to_text(EntryContext context);

/// The option's value as text; empty when it has its default.
[[nodiscard]] std::string option_text(const Effect& effect, const OptionRow& row);

/// One effect as a model would write it: `acquire 0, blocking = false, success = zero`.
[[nodiscard]] std::string to_text(const Effect& effect);

}  // namespace heddle::api
