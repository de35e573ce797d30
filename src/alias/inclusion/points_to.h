// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PointsTo: what each value of a program, and each word of its memory, can point to, with offsets and without contexts.
//
//   struct file f;  f.data = &t;  …  struct tty* p = file->data;  p->count++;
//
//   targets(file) = {f+0}      content of f+8 = {t+0}      targets(p) = {t+0}
//
// Finer than AliasFacts, which unites what two pointers lead to as soon as one value can be both of them, and dearer:
// for programs of some ten thousand instructions. Who asks it for the only object of a pointer has to know himself
// that there is only one of that object.
//
// Numbers are followed like pointers: an address that was a number for a while, or was copied byte by byte, is still
// one. Rests on `defined-behaviour`: a pointer moved from one object does not lead into another.
//
// Incomplete, and no word may rest on it: memory that a library rearranges (containers of C++), exceptions.
#pragma once
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "alias/inclusion/inclusions.h"
#include "api/action.h"
#include "api/models/api_models.h"
#include "program/model/program.h"

namespace heddle::alias {

/// Memory that has an address, or a function. Of Local, Made and Passed there may be many at once.
struct PointedObject {
  enum class Kind : std::uint8_t {
    Global,
    Function,
    Local,    ///< an alloca
    Made,     ///< by a call
    Passed,   ///< the copy of an argument that is passed by value; `instruction`: which parameter
    Library,  ///< of the library
    Unknown,  ///< any of these: a number that became an address, an address that the library made of data
  };
  Kind kind = Kind::Global;
  GlobalId global = {};
  FunctionId function = {};
  std::uint32_t instruction = 0;
  friend auto operator<=>(const PointedObject&, const PointedObject&) = default;
};

class PointsTo {
 public:
  /// `declared_arrays`: an index stays in the array that it is declared for, in a structure too.
  PointsTo(const Program& program, const api::ApiModels& models, bool declared_arrays = false);

  /// Empty: it is complete.
  [[nodiscard]] const std::string& why_incomplete() const { return incomplete_; }
  /// That they do made a difference.
  [[nodiscard]] bool used_declared_arrays() const { return used_declared_arrays_; }
  /// Where a pointer to an element of an array can lead; 0: any number of elements.
  [[nodiscard]] std::int64_t elements(const GepInfo& info) const;
  [[nodiscard]] std::vector<Target> targets(FunctionId function, Operand operand) const;
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
    FunctionId function;
    std::uint32_t instruction = 0;
  };
  /// A call whose callee is found: what meets its parameters, and its result.
  struct Waiting {
    std::vector<NodeIndex> arguments;
    NodeIndex result = 0;
    std::vector<ByValue> byval;
    CallSite site;
  };
  struct LibraryCall;

  // points_to.cpp
  ObjectIndex object_of(const PointedObject& object);
  /// 0: not known.
  [[nodiscard]] std::uint64_t bytes_of(const PointedObject& object) const;
  ObjectIndex library(const std::string& name);
  [[nodiscard]] NodeIndex value(FunctionId function, ValueId value) const {
    return first_[function.index()] + value.index();
  }
  NodeIndex node_of(FunctionId function, Operand operand);
  void flow(FunctionId function, Operand from, NodeIndex to, std::int64_t by = 0);
  void addresses(Operand operand, const std::function<void(const PointedObject&)>& visit) const;
  void lay_out();
  void globals();
  void found(std::uint32_t call, ObjectIndex callee);
  void connect(const Waiting& call, FunctionId callee);
  void give_up(const std::string& why) {
    if (incomplete_.empty()) incomplete_ = why;
  }

  // points_to_walk.cpp: instructions
  void walk(FunctionId id);
  void visit(FunctionId id, std::uint32_t index);
  void gep(FunctionId id, std::uint32_t index);
  void call(FunctionId id, std::uint32_t index);
  void assembly(FunctionId id, std::uint32_t index);
  void begin_list(FunctionId id, NodeIndex list);
  [[nodiscard]] std::optional<std::uint64_t> constant(Operand operand) const;

  // points_to_actions.cpp: calls of the library
  void library_call(const Waiting& call, FunctionId callee);
  void act(const LibraryCall& call, const api::Action& action);
  /// None: nobody knows.
  [[nodiscard]] std::optional<std::uint64_t> bytes_of(const Waiting& call, const api::Length& length) const;
  void call_through(NodeIndex callee, std::vector<NodeIndex> arguments, NodeIndex result);

  const Program& program_;
  const api::ApiModels& models_;
  Inclusions inclusions_;
  std::vector<NodeIndex> first_;           ///< of each function: the node of its first value
  std::vector<NodeIndex> results_, rest_;  ///< of each function: what it returns, arguments beyond its parameters
  std::vector<PointedObject> objects_;
  std::map<PointedObject, ObjectIndex> object_numbers_;
  std::map<std::string, ObjectIndex, std::less<>> library_;
  std::vector<Waiting> waiting_;
  std::set<std::pair<std::uint32_t, ObjectIndex>> connected_;
  NodeIndex nothing_ = 0, unknown_ = 0, outside_ = 0, thread_results_ = 0, thread_values_ = 0;
  std::string incomplete_;
  bool declared_arrays_ = false, used_declared_arrays_ = false;
};

}  // namespace heddle::alias
