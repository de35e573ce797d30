#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs in C++ whose threads are kept apart by flags: attacks on the judge `transaction`, and what it proves.

    tests/cxx_threads.py --heddle build/release/heddle [--only NAME]

Each row is what each of two threads does, and declarations; the races are on `x`. Of the RACY rows each scan must
report it, and no `verify` may say race-free; of the SAFE rows a scan refutes all races on `x`. The last line is
`N passed, M failed`.
"""
import sys

import attacks

HEAD = """#include <atomic>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>
static int any() { return std::rand(); }
int x;
std::mutex m, m2;
std::condition_variable cv;
bool ready, busy;
typedef std::lock_guard<std::mutex> Guard;
static void tell() { Guard g(m); ready = true; }
static bool told() { Guard g(m); return ready; }
static bool take() { Guard g(m); if (busy) return false; busy = true; return true; }
static void give() { Guard g(m); busy = false; }
struct Error { int n; };
static void may_throw() { if (any() > 3) throw 5; }
"""
WRITE, READ = "x = 1; tell();", "if (told()) x++;"
WORK = "if (take()) { x++; give(); }"

# name: what thread one does, what thread two does, declarations
RACY = {
    "told before": ("tell(); x = 1;", READ),
    "told nothing": (WRITE, "if (!told()) x++;"),
    "the handler comes behind what was told": ("try { tell(); may_throw(); } catch (int) { x = 1; }", READ),
    "the handler of a caller": ("try { x = 1; inner(); } catch (int) { x = 2; }", READ,
                                "static void inner() { tell(); may_throw(); }"),
    "a handler for everything": ("try { tell(); may_throw(); } catch (...) { x = 1; }", READ),
    "a handler for another type is passed by": (
        "try { try { tell(); may_throw(); } catch (long) { } } catch (int) { x = 1; }", READ),
    "thrown again": ("try { try { tell(); may_throw(); } catch (int) { throw; } } catch (int) { x = 1; }", READ),
    "thrown again as something else": (
        "try { try { tell(); may_throw(); } catch (int) { throw Error{1}; } } catch (const Error&) { x = 1; }", READ),
    "a clean-up writes": ("try { Writes w; tell(); may_throw(); } catch (int) { }", READ,
                          "struct Writes { ~Writes() { x = 1; } };"),
    "a clean-up tells": ("try { Tells t; may_throw(); x = 1; } catch (int) { } x = 2;", READ,
                         "struct Tells { ~Tells() { tell(); } };"),
    "the exception skips the taking": ("try { may_throw(); while (!take()) { } } catch (int) { } x++;", WORK),
    "the exception skips the giving of another": ("try { Gives g; may_throw(); } catch (int) { } " + WORK, WORK,
                                                  "struct Gives { ~Gives() { give(); } };"),
    "the exception gives the lock back": (
        "try { Guard g(m); may_throw(); ready = true; } catch (int) { } x = 1;", "Guard g(m); x++;"),
    "thrown by a function through a pointer": (
        "try { tell(); how(); } catch (int) { x = 1; }", READ, "static void (*how)() = may_throw;"),
    "thrown by a virtual function": (
        "D d; try { tell(); run(&d); } catch (int) { x = 1; }", READ,
        "struct B { virtual void f() {} virtual ~B() {} }; struct D : B { void f() override { may_throw(); } }; "
        "static void run(B* b) { b->f(); }"),
    "thrown by a constructor": (
        "try { tell(); T t; } catch (int) { x = 1; }", READ, "struct T { T() { may_throw(); } };"),
    "what was thrown is the flag": (
        "try { tell(); throw Error{1}; } catch (const Error& e) { if (e.n == 1) x = 1; }", READ),
    "a pointer that was thrown leads to the flag": (
        "x = 1; tell(); x = 2; try { throw &ready; } catch (bool* p) { Guard g(m); *p = false; }", READ),
    "a pointer that was thrown takes it back": (
        "try { throw &busy; } catch (bool* p) { Guard g(m); *p = false; } " + WORK, WORK),
    "a virtual function takes it back": (
        "D d; B* b = &d; b->f(); " + WORK, WORK,
        "struct B { virtual void f() {} virtual ~B() {} }; struct D : B { void f() override { give(); } };"),
    "a member function through a pointer takes it back": (
        "F f{&F::one}; (f.*f.how)(); " + WORK, WORK,
        "struct F { void (F::*how)(); void one() { give(); } };"),
    "a lambda takes it back": ("auto f = [] { give(); }; f(); " + WORK, WORK),
    "a lambda with a reference takes it back": ("bool& b = busy; auto f = [&b] { Guard g(m); b = false; }; f(); " + WORK,
                                                WORK),
    "a static local takes it back": (
        "static Gives g; " + WORK, WORK, "struct Gives { Gives() { give(); } };"),
    "call_once takes it back": ("std::call_once(once, give); " + WORK, WORK, "static std::once_flag once;"),
    "call_once of a lambda takes it back": ("std::call_once(once, [] { give(); }); " + WORK, WORK,
                                            "static std::once_flag once;"),
    "call_once runs once, and then nobody waits": ("std::call_once(once, tell); x = 1;", READ,
                                                   "static std::once_flag once;"),
    "call_once throws, and runs again": (
        "try { std::call_once(once, [] { tell(); may_throw(); }); } catch (int) { x = 1; }", READ,
        "static std::once_flag once;"),
    "a static local that throws": ("try { tell(); static T t; } catch (int) { x = 1; }", READ,
                                   "struct T { T() { may_throw(); } ~T() {} };"),
    "the guard of a static local is no lock": ("static int n = (tell(), any()); x = n;", READ),
    "a constructor before main told": ("x = 1;", READ, "struct T { T() { tell(); } }; static T before_main;"),
    "a destructor behind main writes": (
        "std::thread([] { if (told()) x++; }).detach();", "tell();", "struct T { ~T() { x = 5; } }; static T t;"),
    "a destructor behind main, registered by a thread": (
        "static T t; std::thread([] { if (told()) x++; }).detach();", "tell();", "struct T { ~T() { x = 5; } };"),
    "atexit": ("std::thread([] { if (told()) x++; }).detach(); atexit([] { x = 5; });", "tell();"),
    "exit by a thread": ("if (any()) { tell(); exit(0); }", READ,
                         "struct T { ~T() { x = 5; } }; static T t;"),
    "another lock of the same class": ("a.add(); tell();", "b.add();",
                                       "struct C { std::mutex own; void add() { Guard g(own); x++; } }; static C a, b;"),
    "two objects of one function": ("P* p = make(); p->put();", "P* p = make(); p->put();",
                                    "struct P { std::mutex own; bool held = false; void put() { { Guard g(own); "
                                    "if (held) return; held = true; } x++; Guard g(own); held = false; } }; "
                                    "static P* make() { return new P; }"),
    "the lock is moved away": ("std::unique_lock<std::mutex> l(m), k(std::move(l)); k.unlock(); x++;",
                               "Guard g(m); x++;"),
    "the lock is given back for a while": ("std::unique_lock<std::mutex> l(m); l.unlock(); x++; l.lock();",
                                           "Guard g(m); x++;"),
    "the lock is tried": ("std::unique_lock<std::mutex> l(m, std::try_to_lock); x++;", "Guard g(m); x++;"),
    "the lock is deferred": ("std::unique_lock<std::mutex> l(m, std::defer_lock); x++;", "Guard g(m); x++;"),
    "waits once": (WRITE + "cv.notify_all();",
                   "std::unique_lock<std::mutex> l(m); if (!ready) cv.wait(l); l.unlock(); x++;"),
    "taken with the wrong lock": (WORK, "{ Guard g(m2); if (busy) return; busy = true; } x++; busy = false;"),
    "waits with the wrong lock": (
        WORK, "std::unique_lock<std::mutex> l(m2); while (busy) cv.wait(l); busy = true; x++; busy = false;"),
    "a relaxed flag": ("x = 1; flag.store(true, std::memory_order_relaxed);",
                       "if (flag.load(std::memory_order_acquire)) x++;", "static std::atomic<bool> flag;"),
    "a relaxed look": ("x = 1; flag.store(true, std::memory_order_release);",
                       "if (flag.load(std::memory_order_relaxed)) x++;", "static std::atomic<bool> flag;"),
    "an order that is chosen at run time": (
        "x = 1; flag.store(true, any() ? std::memory_order_release : std::memory_order_relaxed);",
        "if (flag.load()) x++;", "static std::atomic<bool> flag;"),
    "an exchange that fails": ("if (!flag.exchange(true)) { x++; } flag = false;",
                               "if (!flag.exchange(true)) { x++; flag = false; }", "static std::atomic<bool> flag;"),
    "a thread of a thread": ("std::thread t(tell); x = 1; t.join();", READ),
    "a thread that is not waited for": ("std::thread t([] { x = 1; }); t.detach(); tell();", READ),
    "a thread that is moved, and not waited for": (
        "std::thread t([] { x = 1; }), u; u = std::move(t); if (any()) { u.join(); tell(); } else { tell(); u.detach(); }",
        READ),
    "threads of one type": ("std::thread t(f), u(g); t.join(); tell(); u.join();", READ,
                            "static void f() { any(); } static void g() { x = 1; }"),
    "threads of one class": ("S s; std::thread t(&S::f, &s), u(&S::g, &s); t.join(); tell(); u.join();", READ,
                             "struct S { void f() { any(); } void g() { x = 1; } };"),
    "a string in between": ("std::string s = \"a\"; s += \"b\"; tell(); x = (int)s.size();", READ,
                            "#include <string>"),
    "a list gives the flag away": ("l.push_back(&busy); { Guard g(m); *l.front() = false; } " + WORK, WORK,
                                   "#include <list>\nstatic std::list<bool*> l;"),
}
SAFE = {
    "told": (WRITE, READ),
    "waits for it": (WRITE, "while (!told()) { } x++;"),
    "taken and given": (WORK, WORK),
    "waits for the condition": (WRITE + "cv.notify_all();",
                                "std::unique_lock<std::mutex> l(m); while (!ready) cv.wait(l); l.unlock(); x++;"),
    "waits for what a lambda says": (WRITE + "cv.notify_all();",
                                     "{ std::unique_lock<std::mutex> l(m); cv.wait(l, [] { return ready; }); } x++;"),
    "told by the handler": ("try { x = 1; may_throw(); tell(); } catch (int) { tell(); }", READ),
    "told by a clean-up": ("try { Tells t; x = 1; may_throw(); } catch (int) { }", READ,
                           "struct Tells { ~Tells() { tell(); } };"),
    "given by a clean-up": ("if (take()) try { Gives g; x++; may_throw(); } catch (int) { }", WORK,
                            "struct Gives { ~Gives() { give(); } };"),
    "exchanged": ("if (!flag.exchange(true)) { x++; flag = false; }",
                  "if (!flag.exchange(true)) { x++; flag = false; }", "static std::atomic<bool> flag;"),
    "compared and exchanged": (
        "int e = 0; if (n.compare_exchange_strong(e, 1)) { x++; n = 0; }",
        "int e = 0; if (n.compare_exchange_strong(e, 1)) { x++; n = 0; }", "static std::atomic<int> n;"),
    "an object of its own flag": ("b.add();", "b.add();",
                                  "struct C { std::mutex own; bool held = false; void add() { { Guard g(own); "
                                  "if (held) return; held = true; } x++; Guard g(own); held = false; } }; static C b;"),
    "two objects of one function, one of them is used": (
        "p->put();", "p->put();",
        "struct P { std::mutex own; bool held = false; void put() { { Guard g(own); if (held) return; held = true; } "
        "x++; Guard g(own); held = false; } }; static P* make() { return new P; } static P *p = make(), *q = make();"),
    "told, with a destructor behind main": (WRITE, READ, "struct T { int n; ~T() { n = 5; } }; static T t;"),
    "told, with a static local": ("x = value(); tell();", "if (told()) x += value();",
                                  "struct T { int n; T() : n(4) {} }; static int value() { static T t; return t.n; }"),
    "told, with call_once": ("std::call_once(once, [] { y = 4; }); " + WRITE, READ,
                             "static std::once_flag once; static int y;"),
    "told, with virtual functions": (
        "D d; run(&d); tell();", READ,
        "struct B { virtual void f() = 0; virtual ~B() {} }; struct D : B { void f() override { x = 1; } }; "
        "static void run(B* b) { b->f(); }"),
}


def program(one, two, declarations=""):
    return f"""{HEAD}{declarations}
static void first() {{
  {one}
}}
static void second() {{
  {two}
}}
int main() {{
  std::thread a(first), b(second);
  a.join();
  b.join();
  return 0;
}}
"""


def is_safe(heddle, path):
    """Of what std::thread itself does, something may be left."""
    races, why = attacks.suspected(heddle, path)
    left = sum(race["variable"] == "x" for race in races)
    return why or (f"{left} suspected races on x are left" if left else None)


ROWS = {"racy: " + name: (program(*row), attacks.is_racy) for name, row in RACY.items()}
ROWS |= {"safe: " + name: (program(*row), is_safe) for name, row in SAFE.items()}
if __name__ == "__main__":
    sys.exit(attacks.run_all(__doc__, ROWS, ".cpp"))
