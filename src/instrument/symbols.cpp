// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instrument/symbols.h"

#include <llvm/DebugInfo/Symbolize/Symbolize.h>

namespace heddle::instrument {

struct Symbols::Reader {
  llvm::symbolize::LLVMSymbolizer symbolizer;
};

Symbols::Symbols() : reader_(std::make_unique<Reader>()) {}
Symbols::Symbols(Symbols&&) noexcept = default;
Symbols& Symbols::operator=(Symbols&&) noexcept = default;
Symbols::~Symbols() = default;

std::vector<CodePlace> Symbols::code(const std::string& file, std::uint64_t offset) {
  std::vector<CodePlace> out;
  llvm::Expected<llvm::DIInliningInfo> found =
      reader_->symbolizer.symbolizeInlinedCode(file, {offset, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return out;
  }
  for (std::uint32_t i = 0; i < found->getNumberOfFrames(); ++i) {
    const llvm::DILineInfo& frame = found->getFrame(i);
    if (frame.FunctionName == llvm::DILineInfo::BadString) continue;
    out.push_back({frame.FunctionName, frame.FileName == llvm::DILineInfo::BadString ? "" : frame.FileName, frame.Line,
                   frame.Column});
  }
  return out;
}

std::string Symbols::data(const std::string& file, std::uint64_t offset) {
  llvm::Expected<llvm::DIGlobal> found =
      reader_->symbolizer.symbolizeData(file, {offset, llvm::object::SectionedAddress::UndefSection});
  if (!found) {
    llvm::consumeError(found.takeError());
    return {};
  }
  if (found->Name.empty() || found->Name == llvm::DILineInfo::BadString) return {};
  const std::uint64_t inside = offset - found->Start;
  if (found->Size != 0 && inside >= found->Size) return {};
  return inside == 0 ? found->Name : found->Name + " + " + std::to_string(inside);
}

}  // namespace heddle::instrument
