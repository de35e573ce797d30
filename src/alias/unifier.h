// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Unifier: the walk that fills AliasFacts. It asks every instruction one question, "which pointers does this make lead
// to the same objects?", and unites their classes (Steensgaard's analysis, with offsets).
//
//   p = &x;                 where p leads and where &x leads are one class: {x}
//   q = p;                  q leads there as well
//   *r = q;                 what lies in r's class leads to {x}
//   s = *r;  *s = 1;        s is what lies there: the write may go to x
//   t = &y;                 y was united with nothing: *t and *s are never the same object
//
// A place is a class and an offset (memory_classes.h); storing unites the content at that offset with the stored
// pointer, copying a struct unites the contents of both, and an argument is united with the parameter it becomes. Calls
// through pointers need no second pass: a class knows the functions whose addresses are in it and the calls that go
// through it, and as soon as it has both, with as many arguments as parameters, they are connected (Signature: each
// joins one list of places, instead of each call each function). What library functions do comes from the actions of
// their models (unifier_actions.cpp). Functions of the program that do no more than to make memory, or to end it, are
// not united with their calls either (allocators.h).
//
// Why it is sound. Unification is symmetric and never undone: after the walk every assignment `a = b` of the program
// has put both into one class, in whatever order and however often it runs, in whichever thread. So two pointers in two
// classes never held the same address, under assumptions with names (docs/assumptions.md): `pointer-arithmetic` (a
// pointer moved by a variable distance stays in its array; numbers made from pointers come back unchanged or moved) and
// `unknown-externals` (a function without body or model keeps no pointer); AliasOptions does without them. Threads need
// no care, for there is no order. What it cannot do is take anything back: one generic list that holds two kinds of
// objects unites them for good.
//
// What it costs. One look at every instruction and every initialiser; uniting is a union-find with the smaller side
// moved, so all of it is nearly linear, and the sets of functions in a class are merged once per union.
#pragma once
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "alias/alias_facts.h"
#include "api/action.h"

namespace heddle::alias {

class Unifier {
 public:
  Unifier(const Program& program, const api::ApiModels& models, const AliasOptions& options);
  AliasFacts run();

 private:
  struct CallSite {
    FunctionId caller;
    std::uint32_t instruction = 0;
    friend auto operator<=>(CallSite, CallSite) = default;
  };
  /// Which of a call's operands and parameters meet: an ordinary call, or one a library makes on our behalf.
  struct Callback {
    CallSite site;
    std::vector<Place> arguments;
    Place result;
    bool is_exact = false;  ///< the call itself, so the number of arguments must fit
    Place callee = {};      ///< none for a direct call
  };
  /// The functions of one class with so many parameters, and the calls through it with so many arguments. As soon as
  /// there are both, their parameters and arguments are one: each joins the signature, instead of each call each
  /// function.
  struct Signature {
    std::vector<FunctionId> functions;
    std::vector<std::uint32_t> calls;
    std::vector<Place> places;  ///< of each parameter, and of the result as the last one; if joined
    bool is_joined = false;
  };
  /// What has to do with code in one class.
  struct Code {
    std::vector<FunctionId> functions;            ///< all of them; sorted
    std::vector<FunctionId> special;              ///< without a body, or with variable arguments: connected one by one
    std::vector<std::uint32_t> callbacks;         ///< calls a library makes, connected one by one
    std::map<std::size_t, Signature> signatures;  ///< by number of parameters
    std::size_t calls = 0;                        ///< in the signatures
  };

  void lay_out();
  void initialise_globals();
  void walk(FunctionId id, const Function& function);
  void visit(FunctionId id, const Function& function, std::size_t number);
  void visit_gep(FunctionId id, const Function& function, std::size_t number);
  void visit_call(FunctionId id, const Function& function, std::size_t number);
  void visit_assembly(FunctionId id, const Function& function, std::size_t number);
  void begin_list(FunctionId id, Place list);
  void apply_model(const CallSite& site, const api::Model& model, const std::vector<Place>& arguments, Place result);
  struct LibraryCall;
  void apply_action(const LibraryCall& call, const api::Action& action);
  void start_thread(const LibraryCall& call, const api::StartThread& start);
  void run_later(const LibraryCall& call, const api::RunLater& later);
  void use_thread_value(const LibraryCall& call, const api::UseThreadValue& use);
  void touch_memory(const LibraryCall& call, const api::Touch& touch);
  void touch_atomic(const LibraryCall& call, const api::TouchAtomic& touch);
  void move_pointers(const LibraryCall& call, const api::MovePointers& move);
  void return_value(const LibraryCall& call, const api::ReturnValue& value);
  void call_back(const LibraryCall& call, const api::CallBack& back);
  void end_here(const LibraryCall& call, const api::End& end);
  void copy_content(Place address, TypeId type, Place value);
  void pass(const Callback& call, FunctionId target, std::size_t parameter);
  void give_back(const Callback& call, FunctionId target);
  void list_given();
  std::uint32_t keep_given(std::vector<Place> places);

  [[nodiscard]] Place place(FunctionId function, Operand operand);
  [[nodiscard]] Place result(FunctionId function, std::size_t number);
  [[nodiscard]] Place fresh() { return {facts_.classes_.fresh(), 0}; }
  Place content(Place place) { return place.valid() ? facts_.classes_.content(place) : Place{}; }
  [[nodiscard]] bool carries(TypeId type) const;
  [[nodiscard]] bool is_pointer_sum(const Function& function, Operand operand, int depth) const;
  void unify(Place a, Place b);
  void copy(Place to, Place from);
  void unify_reachable(Place place);
  void settle();
  void call_through(Place callee, Callback callback);
  void connect(const Callback& callback, FunctionId target);
  Code& code_of(Place cls);
  void absorb(Place into, Code moved);
  void absorb_signature(Place into, std::size_t parameters, const Signature& theirs);
  void connect_all(const std::vector<std::uint32_t>& calls, const std::vector<FunctionId>& functions);
  [[nodiscard]] static std::vector<std::uint32_t> all_calls(const Code& code);
  void join_if_both(Place cls, std::size_t parameters);
  void join(Signature& signature, std::size_t parameters);
  void join_all(const std::vector<Place>& places, const std::vector<FunctionId>& functions,
                const std::vector<std::uint32_t>& calls);
  void join_function(const std::vector<Place>& places, FunctionId function);
  void join_call(const std::vector<Place>& places, std::uint32_t callback);
  void add_function(Place cls, FunctionId function);
  void add_call(Place cls, std::uint32_t callback);
  void add_to_signature(Place cls, std::size_t parameters, const std::vector<FunctionId>& functions,
                        const std::vector<std::uint32_t>& calls);
  AliasFacts finish();

  const Program& program_;
  const api::ApiModels& models_;
  AliasOptions options_;
  AliasFacts facts_;
  std::vector<const api::Model*> model_of_;  ///< of functions without a body
  std::vector<Place> returns_;
  std::vector<Place> variadic_;
  std::vector<Callback> callbacks_;
  /// What a passive parameter is given: by value, places and other passive parameters.
  struct Passed {
    std::vector<Place> places;
    std::vector<std::size_t> parameters;
  };
  std::map<std::size_t, Passed> passed_;
  std::unordered_map<std::uint32_t, Code> code_;  ///< by representative
  bool is_settling_ = false;
  std::map<CallSite, std::vector<FunctionId>> targets_;
  std::map<std::string, Place, std::less<>> hidden_;
  Place thread_values_, thread_results_, exceptions_, outside_;
};

}  // namespace heddle::alias
