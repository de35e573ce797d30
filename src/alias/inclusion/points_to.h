// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PointsTo: what each value of a program, and each word of its memory, can point to, with offsets.
//
//   struct file f;  f.data = &t;  …  struct tty* p = file->data;  p->count++;
//
//   targets(file) = {f+0}      content of f+8 = {t+0}      targets(p) = {t+0}
//
// With a main, functions are looked at anew for each call that leads to them, and so is the memory that they make: two
// `std::thread` of functions with one type are made by the same constructor, and hold each its own. What calls itself,
// and what there is no room for, is looked at once for all calls that are left: its `common` context.
//
// Finer than AliasFacts, which unites what two pointers lead to as soon as one value can be both of them, and dearer:
// for programs of some ten thousand instructions. Who asks it for the only object of a pointer has to know himself
// that there is only one of that object.
//
// Numbers are followed like pointers: an address that was a number for a while, or was copied byte by byte, is still
// one. Rests on `defined-behaviour`: a pointer moved from one object does not lead into another.
//
// What is thrown is one place, whoever throws and catches it. What a library rearranges in its own way (containers and
// strings of C++) is one place for each call: all that can be reached from what the call is given.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "alias/inclusion/inclusions.h"
#include "api/action.h"
#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::alias {

/// A function, and how it came to be called: by an instruction of another one, in its context.
struct CallContext {
  FunctionId function;
  Id<CallContext> caller = {};      ///< none: it begins by itself
  std::uint32_t instruction = 0;    ///< of the caller
  bool is_common = false;           ///< of all calls that have no context of their own
  NodeIndex first = 0;              ///< of its first value
  NodeIndex results = 0, rest = 0;  ///< what it returns; arguments beyond its parameters
};
using ContextId = Id<CallContext>;

/// Memory that has an address, or a function. Of Local, Made and Passed there may be many at once.
struct PointedObject {
  enum class Kind : std::uint8_t {
    Global,
    Function,
    Local,    ///< an alloca
    Made,     ///< by a call
    Passed,   ///< the copy of an argument that is passed by value; `instruction`: which parameter
    Library,  ///< of the library
    Unknown,  ///< any of these: an address that the library made of data; or, with `number`, one made of a number
  };
  static constexpr std::uint32_t number = 1;
  Kind kind = Kind::Global;
  GlobalId global = {};
  FunctionId function = {};
  std::uint32_t instruction = 0;
  ContextId context = {};  ///< Local, Made, Passed: in which the function ran
  /// Made of a number: what was an address before it was one, is a target too. So it is no function but those.
  [[nodiscard]] bool is_number() const { return kind == Kind::Unknown && instruction == number; }
  friend auto operator<=>(const PointedObject&, const PointedObject&) = default;
};

class PointsTo {
 public:
  struct Options {
    bool declared_arrays = false;  ///< an index stays in the array that it is declared for, in a structure too
    FunctionId main = {};          ///< none: every function may be called, and there are only common contexts
  };
  PointsTo(const Program& program, const api::ApiModels& models, Options options);
  PointsTo(const Program& program, const api::ApiModels& models) : PointsTo(program, models, Options()) {}

  /// Empty: it is complete.
  [[nodiscard]] const std::string& why_incomplete() const { return incomplete_; }
  /// That they do made a difference.
  [[nodiscard]] bool used_declared_arrays() const { return used_declared_arrays_; }
  /// Where a pointer to an element of an array can lead; 0: any number of elements.
  [[nodiscard]] std::int64_t elements(const GepInfo& info) const;
  /// In any context.
  [[nodiscard]] std::vector<Target> targets(FunctionId function, Operand operand) const;
  [[nodiscard]] std::vector<Target> targets(ContextId context, Operand operand) const;
  [[nodiscard]] const CallContext& context(ContextId id) const { return contexts_[id]; }
  [[nodiscard]] std::size_t context_count() const { return contexts_.size(); }
  /// Of a function that begins by itself: main, and what runs before and after it.
  [[nodiscard]] std::optional<ContextId> root(FunctionId function) const;
  /// Of a function that the instruction calls, starts as a thread or makes known.
  [[nodiscard]] std::optional<ContextId> callee(ContextId caller, std::uint32_t instruction, FunctionId function) const;
  [[nodiscard]] std::optional<ContextId> common_context(FunctionId function) const {
    return common_[function.index()] ? std::optional(common_[function.index()]) : std::nullopt;
  }
  /// Where a call of the library may rearrange what is there.
  [[nodiscard]] std::vector<Target> rearranged(ContextId context, std::uint32_t instruction) const;
  /// What so many bytes there can hold.
  [[nodiscard]] std::vector<Target> contents(Target at, std::uint64_t bytes) const {
    return inclusions_.contents(at, bytes);
  }
  [[nodiscard]] const PointedObject& object(ObjectIndex index) const { return objects_[index]; }
  [[nodiscard]] std::size_t object_count() const { return objects_.size(); }
  /// None: nothing points to it.
  [[nodiscard]] const ObjectIndex* find(const PointedObject& object) const;

 private:
  struct CallSite {
    ContextId context;
    std::uint32_t instruction = 0;
  };
  /// A call whose callee is found: what meets its parameters, and its result.
  struct Waiting {
    std::vector<NodeIndex> arguments;
    NodeIndex result = 0;
    std::vector<ByValue> byval;
    CallSite site;
    bool has_context = true;  ///< false: who is called may be called again and again
  };
  struct LibraryCall;

  // points_to.cpp
  ObjectIndex object_of(const PointedObject& object);
  /// 0: not known.
  [[nodiscard]] std::uint64_t bytes_of(const PointedObject& object) const;
  ObjectIndex library(const std::string& name);
  [[nodiscard]] NodeIndex value(ContextId context, ValueId value) const {
    return contexts_[context].first + value.index();
  }
  NodeIndex node_of(ContextId context, Operand operand);
  void flow(ContextId context, Operand from, NodeIndex to, std::int64_t by = 0);
  void addresses(Operand operand, const std::function<void(const PointedObject&)>& visit) const;
  void lay_out();
  void globals();
  void fill(ObjectIndex object, ObjectIndex other);
  void found(std::uint32_t call, ObjectIndex callee);
  void connect(const Waiting& call, FunctionId callee);
  void give_up(const std::string& why) {
    if (incomplete_.empty()) incomplete_ = why;
  }

  // call_contexts.cpp
  ContextId add_context(CallContext context);
  ContextId common(FunctionId function);
  ContextId context_for(const CallSite& site, FunctionId callee);
  [[nodiscard]] bool is_within(ContextId context, FunctionId function) const;
  void walk_new_contexts();

  // points_to_walk.cpp: instructions
  void walk(ContextId id);
  void visit(ContextId id, std::uint32_t index);
  void gep(ContextId id, std::uint32_t index);
  void call(ContextId id, std::uint32_t index);
  void assembly(ContextId id, std::uint32_t index);
  void begin_list(ContextId id, NodeIndex list);
  [[nodiscard]] const Function& code_of(ContextId id) const { return program_.functions[contexts_[id].function]; }
  [[nodiscard]] std::optional<std::uint64_t> constant(Operand operand) const;

  // points_to_actions.cpp: calls of the library
  void library_call(const Waiting& call, FunctionId callee);
  void act(const LibraryCall& call, const api::Action& action);
  void start(const LibraryCall& call, const api::StartThread& start);
  NodeIndex reachable(NodeIndex from);
  void rearrange(const LibraryCall& call, api::Argument argument);
  /// None: nobody knows.
  [[nodiscard]] std::optional<std::uint64_t> bytes_of(const Waiting& call, const api::Length& length) const;
  void call_through(NodeIndex callee, std::vector<NodeIndex> arguments, NodeIndex result, const CallSite& site);
  void call_back(NodeIndex callee, std::vector<NodeIndex> arguments, NodeIndex result);

  const Program& program_;
  const api::ApiModels& models_;
  Options options_;
  Inclusions inclusions_;
  Table<CallContext> contexts_;
  std::vector<std::vector<ContextId>> contexts_of_;  ///< by function
  std::vector<ContextId> common_;                    ///< by function; none: there is no such context
  std::map<std::tuple<ContextId, std::uint32_t, FunctionId>, ContextId> callees_;
  std::vector<ContextId> to_walk_;
  std::size_t copied_instructions_ = 0;  ///< that were looked at before in another context
  std::vector<PointedObject> objects_;
  std::map<PointedObject, ObjectIndex> object_numbers_;
  std::map<std::string, ObjectIndex, std::less<>> library_;
  std::vector<Waiting> waiting_;
  std::set<std::pair<std::uint32_t, ObjectIndex>> connected_;
  std::map<std::pair<ContextId, std::uint32_t>, NodeIndex> rearranged_;
  NodeIndex nothing_ = 0, unknown_ = 0, outside_ = 0, thread_results_ = 0, thread_values_ = 0, thrown_ = 0,
            numbers_ = 0;
  std::string incomplete_;
  bool used_declared_arrays_ = false;
};

}  // namespace heddle::alias
