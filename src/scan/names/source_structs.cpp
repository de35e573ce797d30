// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scan/names/source_structs.h"

#include "program/names/struct_index.h"

namespace heddle::scan {

SourceStructs::SourceStructs(const Program& program) : by_type_(program.types.size()) {
  StructIndex index(program);
  std::vector<bool> is_known(program.types.size());
  for (const Function& function : program.functions)
    for (const GepInfo& gep : function.geps) {
      if (!gep.source_type || is_known[gep.source_type.index()]) continue;
      is_known[gep.source_type.index()] = true;
      TypeId inner = gep.source_type;
      while (inner && program.types[inner].kind == TypeKind::Array) inner = program.types[inner].element;
      if (inner && program.types[inner].kind == TypeKind::Struct)
        by_type_[gep.source_type.index()] = index.source_of(inner);
    }
}

}  // namespace heddle::scan
