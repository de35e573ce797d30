// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "api/reader/model_text.h"

#include <array>
#include <cstdio>

#include "api/reader/effect_schema.h"
#include "api/reader/length_text.h"
#include "api/reader/result_text.h"
#include "base/check.h"

namespace heddle::api {
namespace {

std::string toml_length(const Length& length) {
  return length.kind == Length::Kind::Constant ? std::to_string(length.value) : toml_string(to_text(length));
}

std::string main_value(const Effect& effect, Main main) {
  switch (main) {
    case Main::Object: return std::to_string(effect.object);
    case Main::Entry: return std::to_string(effect.entry);
    case Main::Value: return std::to_string(effect.value);
    case Main::Length: return toml_length(effect.length);
    case Main::Note: return toml_string(effect.note);
    case Main::Context: return toml_string(to_text(effect.context));
    case Main::Flag: return "true";
  }
  return "true";
}

std::string option_value(const Effect& effect, const OptionRow& row, const std::string& plain) {
  switch (row.form) {
    case OptionForm::LengthText: return toml_length(effect.length);
    case OptionForm::HandlePlace: return effect.handle_returned ? toml_string(plain) : plain;
    case OptionForm::Argument:
    case OptionForm::Slot:
    case OptionForm::Boolean: return plain;
    case OptionForm::Text:
    case OptionForm::ModeName:
    case OptionForm::ContextName:
    case OptionForm::SuccessName:
    case OptionForm::TypeName:
    case OptionForm::GrantedName:
    case OptionForm::ValidRange: return toml_string(plain);
    case OptionForm::Except:
    case OptionForm::Bits: return plain;
  }
  return plain;
}

}  // namespace

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const unsigned code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (code < ' ' || code == 0x7f) {
      std::array<char, 8> escape{};
      std::snprintf(escape.data(), escape.size(), "\\u%04x", code);
      out += escape.data();
    } else {
      out += c;
    }
  }
  return out + "\"";
}

std::string toml_effect(const Effect& effect) {
  const KindRow& row = row_of(effect.kind);
  std::string text = "{ " + std::string(row.key) + " = " + main_value(effect, row.main);
  for (const AllowedOption& allowed : options_of(row)) {
    const OptionRow* option = find_option(allowed.key);
    HEDDLE_CHECK(option != nullptr, "a kind of effect allows an option without a row");
    const std::string plain = option_text(effect, *option);
    if (!plain.empty()) text += ", " + std::string(allowed.key) + " = " + option_value(effect, *option, plain);
  }
  return text + " }";
}

std::string toml_model(const Model& model) {
  std::string text = std::string(model.is_wrapper ? "[[wrapper]]" : "[[function]]") +
                     "\nname = " + toml_string(model.name) + "\neffects = [";
  for (const Effect& effect : model.effects)
    text += (&effect == model.effects.data() ? "" : ", ") + toml_effect(effect);
  text += "]\n";
  if (model.result.is_said) text += "result = " + toml_string(to_text(model.result)) + "\n";
  if (model.keeps_errno) text += "errno = \"kept\"\n";
  return text;
}

}  // namespace heddle::api
