// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <string>

#include "program/model/program.h"

namespace heddle::frontend {

/// `ns::Class` for a scope of the debug information, empty for files and the global namespace.
std::string qualified_name(const llvm::DIScope* scope);

/// Debug types → source types of the Program. Typedefs and qualifiers are looked through; enums are integers.
class SourceTypes {
 public:
  SourceTypes(Program& program, std::uint32_t pointer_bits)
      : program_(program), table_(program.types), pointer_bits_(pointer_bits) {}
  /// None for `void`.
  TypeId of(const llvm::DIType* type);
  TypeId of_function(const llvm::DISubroutineType* type);

 private:
  TypeId void_type();
  void describe(const llvm::DIType* type, TypeId id);
  void describe_derived(const llvm::DIDerivedType& type, TypeId id);
  void describe_composite(const llvm::DICompositeType& type, TypeId id);
  void describe_array(const llvm::DICompositeType& type, TypeId id);
  void describe_record(const llvm::DICompositeType& type, TypeId id);
  void describe_function(const llvm::DISubroutineType& type, TypeId id);

  Program& program_;
  Table<Type>& table_;
  std::uint32_t pointer_bits_;
  TypeId void_;
  llvm::DenseMap<const llvm::DIType*, TypeId> known_;
};

/// Looks through typedefs, const, volatile, restrict and _Atomic.
const llvm::DIType* strip_qualifiers(const llvm::DIType* type);

}  // namespace heddle::frontend
