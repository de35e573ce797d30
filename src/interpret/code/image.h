// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program as the machine loaded it: decoded code, the addresses of functions and globals, and what stands behind
// each function that has no body. machine/set_up.h makes it before the first step; from then on nobody changes it, and
// undo need not know it.
//
//   printf         External::Native   carried out by a function of library/
//   pthread_join   External::Effect   carried out as its model's action says, by sync/
//   my_missing()   External::Unknown  ends the run as Unsupported (in a closed program: returns any value)
//
// Some functions exist only here: virtual functions of the library's exception classes, which a program calls through a
// table without declaring them. They have numbers behind the program's own, and no Function.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "interpret/code/decoded.h"
#include "interpret/code/live_slots.h"
#include "interpret/code/platform.h"

namespace heddle::interpret {

struct NativeCall;
using Native = void (*)(NativeCall&);

/// What a function without a body is.
struct External {
  enum class Kind : std::uint8_t {
    Unknown,
    Native,
    Effect,
    Nondet,   ///< returns any value: its model says so
    Nothing,  ///< returns nothing, and does nothing that anybody could feel
    Unsupported,
  };
  Kind kind = Kind::Unknown;
  Native native = nullptr;
  const api::Model* model = nullptr;
  struct Object {
    api::Argument argument = api::Effect::none;
    std::uint32_t bytes = 0;
  };
  api::Action action;           ///< Effect: the one that is carried out
  std::vector<Object> objects;  ///< synchronisation objects that it uses, with their sizes
  /// Plain accesses beside the action. Effect: reads that come first; Native: what the model says that it touches.
  std::vector<api::Touch> touches;
  std::uint32_t key = 0;         ///< of a ReturnValue that holds a key: its number
  bool may_synchronise = false;  ///< Native: the real one may take locks inside that order its callers
  [[nodiscard]] bool is_unknown() const { return kind == Kind::Unknown || kind == Kind::Unsupported; }
};

/// A variable that no unit defines and the machine does not know: it has an address, and an access ends the run as
/// Unsupported.
struct UndefinedGlobal {
  Address base = 0;
  std::uint64_t extent = 0;
  GlobalId global;
};

struct Image {
  explicit Image(const Program& p)
      : program(p), pointer_bytes(p.layout.pointer_bits / 8), platform(platform_of(p.layout)), live_slots(p) {}

  const Program& program;
  std::uint32_t pointer_bytes;
  Platform platform;
  LiveSlots live_slots;
  DecodedProgram decoded;
  Placement placement;
  std::vector<External> externals;                 ///< by FunctionId
  std::vector<std::string> synthetic_names;        ///< functions behind the program's own
  std::vector<UndefinedGlobal> undefined_globals;  ///< by address
  bool is_closed = false;                          ///< functions without a model return any value

  [[nodiscard]] std::string_view symbol_of(FunctionId function) const;
  [[nodiscard]] std::string name_of(FunctionId function) const { return std::string(symbol_of(function)); }
  /// Of the program or synthetic; invalid: there is none.
  [[nodiscard]] FunctionId function_named(const std::string& name) const;
  [[nodiscard]] const Shape& shape_of(TypeId type) const { return decoded.shapes[type.index()]; }
  /// The variable at an address; null if there is none.
  [[nodiscard]] const UndefinedGlobal* undefined_global(Address address) const;
  /// Objects of the libraries whose content the machine keeps itself have a known content; every other undefined
  /// variable has none.
  [[nodiscard]] static bool has_known_content(const Global& global);
};

/// Writes the initial bytes of a global, with the addresses that it holds.
void write_initial(const Image& image, const Global& global, std::uint8_t* to, std::uint64_t size,
                   Address address_mask);

}  // namespace heddle::interpret
