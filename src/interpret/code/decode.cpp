// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interpret/code/decoded.h"
#include "interpret/code/function_decoder.h"

namespace heddle::interpret {

DecodedProgram decode(const Program& program, const std::vector<bool>& is_section, std::vector<Shape> shapes,
                      const Placement& placement) {
  DecodedProgram out;
  out.shapes = std::move(shapes);
  ConstantPool pool(program, out.shapes, placement);
  out.functions.resize(program.functions.size());
  for (std::size_t f = 0; f < out.functions.size(); ++f) {
    const Function& function = program.functions[FunctionId(f)];
    FunctionCode& code = out.functions[f];
    code.id = FunctionId(f);
    code.has_body = function.has_body();
    code.is_vararg = function.is_vararg;
    code.is_section = is_section[f];
    if (code.has_body) FunctionDecoder(program, function, out.shapes, pool, code).run();
  }
  out.constants = pool.take();
  return out;
}

}  // namespace heddle::interpret
