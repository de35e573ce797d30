// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device registers: memory that the source names by its address.
//
//   #define PORTB (*(volatile uint8_t *)0x25)            a global `register at 0x25` that the source calls PORTB
//   #define GPIOA ((GPIO_TypeDef *)0x40020000)           a global `register at 0x40020000`; GPIOA->ODR lies in it
//
// The front end makes a declaration of each address that is used as volatile, so that two accesses to one address are
// accesses to one variable. No symbol of C has a space in its name. Who computes with addresses, and does not only
// compare variables, takes the number: nothing is known of the memory there.
#pragma once
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "program/model/program.h"

namespace heddle {

inline constexpr std::string_view register_prefix = "register at 0x";

[[nodiscard]] inline std::string device_register_name(std::uint64_t address) {
  char digits[16];
  const auto end = std::to_chars(digits, digits + sizeof digits, address, 16).ptr;
  return std::string(register_prefix) + std::string(digits, end);
}

/// The address of a device register; nothing: it is another variable.
[[nodiscard]] inline std::optional<std::uint64_t> device_address(const Global& global) {
  if (!global.name.starts_with(register_prefix) || !global.is_declaration()) return std::nullopt;
  std::uint64_t address = 0;
  const std::string_view digits = global.name.substr(register_prefix.size());
  const auto [end, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), address, 16);
  if (failure != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return address;
}

/// The same for a word of an initialiser: the number that stands there.
[[nodiscard]] inline std::optional<std::uint64_t> device_address(const Program& program, const Relocation& word) {
  if (!word.target.is_global()) return std::nullopt;
  const auto address = device_address(program.globals[word.target.as_global()]);
  return address ? std::optional(*address + static_cast<std::uint64_t>(word.addend)) : std::nullopt;
}

}  // namespace heddle
