// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects that one callback of an event loop, or one thread, was given alone; and those that several were given.
#include <gtest/gtest.h>

#include <set>

#include "scan/pairs/rank_reasons.h"
#include "scan/scanned.h"

namespace heddle::scan {
namespace {

const std::string event_h = R"(
void *malloc(unsigned long); typedef struct { int lock; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
struct event { int fd; };
void event_set(struct event *, int, short, void (*)(int, short, void *), void *);
struct reply { int k; struct reply *next; };
struct conn { struct event event; int n; struct reply *reply; struct conn *next; };
struct reply common; int fds; )";

/// The first warning of two functions: `!` likely, `?` unlikely, with `own` or `event` for a doubt of these.
std::string word(const std::string& text, const std::string& variable, const std::string& first,
                 const std::string& second) {
  const Program program = frontend::read_text(event_h + text);
  auto models = api::ApiModels::shipped();
  EXPECT_TRUE(models.has_value() && models->add_profile("libevent").has_value());
  for (const ReportRace& race : scan(program, *models, {}).report.races) {
    const std::set<std::string> functions{race.accesses[0].function, race.accesses[1].function};
    if (race.variable != variable || functions != std::set{first, second}) continue;
    std::string out = race.verdict == RaceVerdict::Unlikely ? "?" : "!";
    for (const std::string& reason : race.reasons) {
      if (reason == reason_of(Doubt::OwnArgument)) out += " own";
      if (reason == reason_of(Doubt::OwnEvent)) out += " event";
    }
    return out;
  }
  return "none";
}

std::string reply(const std::string& text) { return word(text, "c->reply->k", "handle", "handle"); }

const std::string handler =
    "static void handle(int fd, short what, void *arg) { struct conn *c = arg; c->reply->k++; }";

/// main opens connections, each with a reply.
std::string opened(const std::string& reply, const std::string& argument = "c") {
  return handler +
         "static void open_one(struct reply *given) { struct conn *c = malloc(sizeof *c); c->reply = " + reply +
         "; event_set(&c->event, fds, 0, handle, " + argument + "); }" +
         "int main(void) { struct reply *one = malloc(sizeof *one); for (int i = 0; i < 9; i++) open_one(one); }";
}

TEST(ScanGivenObjects, TheObjectOfAnEvent) {
  const std::string text =
      "static void handle(int fd, short what, void *arg) { struct conn *c = arg; c->n++; } static struct conn shared; "
      "int main(void) { for (int i = 0; i < 9; i++) { struct conn *c = malloc(sizeof *c); event_set(&c->event, fds, "
      "0, ";
  EXPECT_EQ(word(text + "handle, c); } }", "c->n", "handle", "handle"), "? own");
  EXPECT_EQ(word(text + "handle, &shared); } }", "c->n", "handle", "handle"), "!") << "all are given one object";
}

TEST(ScanGivenObjects, WhatLiesBehindIt) {
  EXPECT_EQ(reply(opened("malloc(sizeof(struct reply))")), "? event");
  EXPECT_EQ(reply(opened("&common")), "!") << "they have one between them";
  EXPECT_EQ(reply(opened("given")), "!") << "one is made, and all get it";
  EXPECT_EQ(reply(opened("malloc(sizeof(struct reply))", "(void *)&common")), "!") << "they are one object";
}

TEST(ScanGivenObjects, AMemberThatAlsoHoldsOthers) {
  const std::string own = opened("malloc(sizeof(struct reply))");
  EXPECT_EQ(reply(own + "void move(struct conn *a, struct conn *b) { a->reply = b->reply; }"), "? event")
      << "nobody calls it";
  EXPECT_EQ(
      reply(handler + "static void also(int fd, short what, void *arg) { ((struct conn *)arg)->reply = &common; }" +
            own.substr(handler.size()) + "void more(struct conn *c) { event_set(&c->event, 0, 0, also, c); }" +
            "int later(struct conn *c) { more(c); return 0; }"),
      "!")
      << "the callback of another event puts one there that all have";
  EXPECT_EQ(reply(handler + "struct conn first = { .reply = &common };" + own.substr(handler.size())), "!")
      << "initialised";
}

TEST(ScanGivenObjects, TakenOffAQueueByTheOtherSide) {
  const std::string both = R"(
pthread_mutex_t m; struct conn *waiting;
static void handle(int fd, short what, void *arg) { struct conn *c = arg; c->n++; }
static void accept_one(int fd, short what, void *arg) {
  pthread_mutex_lock(&m); struct conn *c = waiting; if (c) waiting = c->next; pthread_mutex_unlock(&m);
  if (c) { c->n = 0; event_set(&c->event, fd, 0, handle, c); }
}
static void look(int fd, short what, void *arg) { struct conn *c = waiting; if (c) c->n = 1; }
int main(void) { struct event *e = malloc(sizeof *e); event_set(e, 0, 0, accept_one, 0);
  event_set(e, 0, 0, look, 0); })";
  EXPECT_EQ(word(both, "c->n", "accept_one", "handle"), "? event");
  EXPECT_EQ(word(both, "c->n", "look", "look"), "!") << "it is in the queue still";
}

const std::string threads = R"(
typedef unsigned long pthread_t; int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
struct job { struct reply *reply; }; struct job jobs[4];
void *work(void *arg) { struct job *j = arg; j->reply->k++; return 0; }
int main(void) { pthread_t t; struct reply *one = malloc(sizeof *one);
  for (int i = 0; i < 4; i++) { jobs[i].reply = )";

TEST(ScanGivenObjects, BehindTheArgumentOfAThread) {
  const std::string start = "; pthread_create(&t, 0, work, &jobs[i]); } return 0; }";
  EXPECT_EQ(word(threads + "malloc(sizeof *one)" + start, "j->reply->k", "work", "work"), "? own");
  EXPECT_EQ(word(threads + "one" + start, "j->reply->k", "work", "work"), "!") << "one is made, and all get it";
}

}  // namespace
}  // namespace heddle::scan
