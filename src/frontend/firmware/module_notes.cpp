// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/firmware/module_notes.h"

#include <llvm/IR/Metadata.h>

namespace heddle::frontend {
namespace {

constexpr const char* registers_note = "heddle.registers";
constexpr const char* refused_note = "heddle.refused";

void add_row(llvm::Module& module, const char* note, const std::vector<std::string>& words) {
  llvm::SmallVector<llvm::Metadata*, 2> row;
  for (const std::string& word : words) row.push_back(llvm::MDString::get(module.getContext(), word));
  module.getOrInsertNamedMetadata(note)->addOperand(llvm::MDNode::get(module.getContext(), row));
}

std::string word_of(const llvm::MDNode& row, unsigned index) {
  const auto* word = index < row.getNumOperands() ? llvm::dyn_cast<llvm::MDString>(row.getOperand(index)) : nullptr;
  return word == nullptr ? std::string() : word->getString().str();
}

}  // namespace

void note_registers(llvm::Module& module, const RegisterNames& names) {
  for (const auto& [address, name] : names) add_row(module, registers_note, {std::to_string(address), name});
}

RegisterNames noted_registers(const llvm::Module& module) {
  RegisterNames out;
  const llvm::NamedMDNode* rows = module.getNamedMetadata(registers_note);
  if (rows == nullptr) return out;
  for (const llvm::MDNode* row : rows->operands()) {
    std::uint64_t address = 0;
    if (!llvm::StringRef(word_of(*row, 0)).getAsInteger(10, address)) out[address] = word_of(*row, 1);
  }
  return out;
}

void note_refused(llvm::Module& module, const std::vector<std::string>& places) {
  for (const std::string& place : places) add_row(module, refused_note, {place});
}

std::vector<std::string> noted_refused(const llvm::Module& module) {
  std::vector<std::string> out;
  if (const llvm::NamedMDNode* rows = module.getNamedMetadata(refused_note))
    for (const llvm::MDNode* row : rows->operands()) out.push_back(word_of(*row, 0));
  return out;
}

}  // namespace heddle::frontend
