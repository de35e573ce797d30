// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C++ exceptions by the Itanium rules: first look whether anybody catches, then unwind through clean-ups to the handler. A catch
// clause matches the thrown type itself or a base class, found in the type information that the program carries; of
// the library's own exception classes the bases are known by name.
#include <algorithm>
#include <array>

#include "interpret/core.h"

namespace heddle::interpret {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 14> library_bases{{
    {"_ZTISt13runtime_error", "_ZTISt9exception"},
    {"_ZTISt11logic_error", "_ZTISt9exception"},
    {"_ZTISt9bad_alloc", "_ZTISt9exception"},
    {"_ZTISt8bad_cast", "_ZTISt9exception"},
    {"_ZTISt10bad_typeid", "_ZTISt9exception"},
    {"_ZTISt13bad_exception", "_ZTISt9exception"},
    {"_ZTISt12out_of_range", "_ZTISt11logic_error"},
    {"_ZTISt16invalid_argument", "_ZTISt11logic_error"},
    {"_ZTISt12length_error", "_ZTISt11logic_error"},
    {"_ZTISt12domain_error", "_ZTISt11logic_error"},
    {"_ZTISt11range_error", "_ZTISt13runtime_error"},
    {"_ZTISt14overflow_error", "_ZTISt13runtime_error"},
    {"_ZTISt15underflow_error", "_ZTISt13runtime_error"},
    {"_ZTISt12system_error", "_ZTISt13runtime_error"},
}};

/// Walks from a class to its bases; `offset` is where the base lies in the object.
class TypeMatch {
 public:
  TypeMatch(Core& core, Address wanted) : core_(core), wanted_(wanted) {}

  bool find(Address type, std::uint64_t& offset, int depth = 0) {
    if (type == wanted_) return true;
    if (type == 0 || depth > 32) return false;
    const ObjectId id = core_.memory.find(type);
    if (id == 0 || !core_.memory.object(id).global.valid()) return false;
    const Global& global = core_.program.globals[core_.memory.object(id).global];
    if (global.is_declaration()) return find_library(global.name, offset, depth);
    const std::string kind = kind_of(global);
    const std::uint64_t word = core_.pointer_bytes;
    if (kind.find("__si_class_type_info") != std::string::npos)
      return find(pointer(type + 2 * word), offset, depth + 1);
    if (kind.find("__vmi_class_type_info") == std::string::npos) return false;
    const std::uint64_t count = core_.read_word(core_.pointer_at(type + 2 * word + 4), 4);
    for (std::uint64_t i = 0; i < count; ++i) {
      const Address row = type + 2 * word + 8 + i * 2 * word;
      const std::uint64_t flags = core_.read_word(core_.pointer_at(row + word), core_.pointer_bytes);
      std::uint64_t inner = offset + (flags >> 8);
      if ((flags & 1) != 0) core_.unsupported("catch of a virtual base class");
      if (find(pointer(row), inner, depth + 1)) {
        offset = inner;
        return true;
      }
    }
    return false;
  }

 private:
  Address pointer(Address at) { return core_.read_pointer(core_.pointer_at(at)).bits; }

  std::string kind_of(const Global& global) const {
    for (const Relocation& relocation : global.relocations)
      if (relocation.offset == 0 && relocation.target.kind() == Operand::Kind::Global)
        return std::string(core_.program.globals[relocation.target.as_global()].name);
    return "";
  }

  bool find_library(std::string_view name, std::uint64_t& offset, int depth) {
    for (const auto& [derived, base] : library_bases)
      if (derived == name) {
        const GlobalId global = core_.program.find_global(base);
        return global.valid() ? find(core_.placement.global_address[global.index()], offset, depth + 1)
                              : find_library(base, offset, depth + 1);
      }
    return false;
  }

  Core& core_;
  Address wanted_;
};

std::uint64_t selector_of(Address type) { return type == 0 ? 1 : type & 0x7fffffffU; }

/// What the landing pad does with the exception: 0 nothing, else the selector of the clause that matches. `is_filter` clauses (old
/// throw lists) are aggregates and are taken as "lets everything through".
std::uint64_t match(Core& core, const FunctionCode& function, const Code& pad, const Slot* frame,
                    const CaughtException& exception, std::uint64_t& offset) {
  for (const std::int32_t clause : function.lists[pad.extra]) {
    const Address wanted = (clause < 0 ? core.decoded.constants_end() : frame)[clause].bits;
    offset = 0;
    if (wanted == 0 || TypeMatch(core, wanted).find(exception.type, offset)) return selector_of(wanted);
  }
  return 0;
}

const CallCode* invoke_at(const Frame& frame) {
  const Code& code = frame.code->code[frame.pc];
  if (code.op != Op::Call && code.op != Op::CallExternal && code.op != Op::CallIndirect) return nullptr;
  const CallCode& site = frame.code->calls[code.extra];
  return site.is_invoke ? &site : nullptr;
}

const Code& pad_of(const Frame& frame, const CallCode& site) {
  return frame.code->code[frame.code->edges[site.unwind].target];
}

}  // namespace

void Core::throw_exception(Thread& thread, const CaughtException& exception) {
  bool is_caught = false;
  std::uint64_t offset = 0;
  for (auto frame = thread.frames.rbegin(); frame != thread.frames.rend() && !is_caught; ++frame) {
    const CallCode* site = frame->code == nullptr ? nullptr : invoke_at(*frame);
    if (site == nullptr) continue;
    is_caught =
        match(*this, *frame->code, pad_of(*frame, *site), thread.slots.data() + frame->base, exception, offset) != 0;
  }
  if (!is_caught) end_run(OutcomeKind::Aborted, "an exception that nobody catches");
  thread.exceptions.push_back(exception);
  unwind(thread);
}

void Core::unwind(Thread& thread) {
  if (thread.exceptions.empty()) undefined("unwinding without an exception");
  std::uint64_t offset = 0;
  bool is_first = true;
  while (!thread.frames.empty()) {
    Frame& frame = thread.frames.back();
    const bool resumes = is_first && frame.code != nullptr && frame.code->code[frame.pc].op == Op::Resume;
    const CallCode* site = frame.code == nullptr || resumes ? nullptr : invoke_at(frame);
    is_first = false;
    if (site != nullptr) {
      const Code& pad = pad_of(frame, *site);
      if (pad.detail != 0 ||
          match(*this, *frame.code, pad, thread.slots.data() + frame.base, thread.exceptions.back(), offset) != 0) {
        take_edge(thread, frame.code->edges[site->unwind]);
        return;
      }
    }
    if (frame.native == NativeKind::ThreadMain || frame.native == NativeKind::Startup) break;
    if (frame.ends_section) end_section(thread);
    pop_frame(thread);
  }
  end_run(OutcomeKind::Aborted, "an exception that nobody catches");
}

void Core::landing_pad(Thread& thread, const Code& code, Slot* to) {
  const Frame& frame = thread.frames.back();
  const CaughtException exception = thread.exceptions.back();
  std::uint64_t offset = 0;
  const std::uint64_t selector = match(*this, *frame.code, code, thread.slots.data() + frame.base, exception, offset);
  to[0] = exception.exception;
  to[0].bits += offset;
  to[1] = {selector, 0, 0, 0};
}

}  // namespace heddle::interpret
