/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The contract between the library in the explored program (runtime/) and the driver that decides what runs
 * (src/explore/native/). The driver is a shared object that the library loads; both live in one process, so a step
 * costs a switch of stacks and nothing else.
 *
 *   machine->restart();
 *   while (…) machine->run(&(struct heddle_choice){thread, 0}, 1);
 *
 * Each thread of the program stands before an operation that others can feel (its `op`) or has ended. `run` lets the
 * named threads make one such operation each, with what they do up to their next one. `deeds` are what was done.
 *
 * What the driver owns survives a restart: its shared object, its stack, its thread-local storage, what it keeps
 * in memory that `keep` was told of. Everything else is the program's, and is put back.
 */
#ifndef HEDDLE_DRIVER_H
#define HEDDLE_DRIVER_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_DRIVER_VERSION 2u
#define HEDDLE_NOBODY (~(uint32_t)0)
#define HEDDLE_MOST_HELD 64 /* locks, by one thread */

/* Before which operation a thread stands. */
enum heddle_op {
  HEDDLE_OP_NONE, /* it has ended, or was not created yet */
  HEDDLE_OP_START,
  HEDDLE_OP_LOCK,
  HEDDLE_OP_LOCK_SHARED,
  HEDDLE_OP_TRY_LOCK,
  HEDDLE_OP_TRY_LOCK_SHARED,
  HEDDLE_OP_UNLOCK,
  HEDDLE_OP_WAIT, /* releases the lock and begins to wait */
  HEDDLE_OP_WAKE, /* was signalled, or the wait may end otherwise: takes the lock back */
  HEDDLE_OP_SIGNAL,
  HEDDLE_OP_BROADCAST,
  HEDDLE_OP_BARRIER_ARRIVE,
  HEDDLE_OP_BARRIER_LEAVE,
  HEDDLE_OP_SEMAPHORE_WAIT,
  HEDDLE_OP_SEMAPHORE_TRY,
  HEDDLE_OP_SEMAPHORE_POST,
  HEDDLE_OP_ONCE,
  HEDDLE_OP_ONCE_END,
  HEDDLE_OP_SPAWN,
  HEDDLE_OP_JOIN,
  HEDDLE_OP_TRY_JOIN,
  HEDDLE_OP_DETACH,
  HEDDLE_OP_ATOMIC_READ,
  HEDDLE_OP_ATOMIC_WRITE,
  HEDDLE_OP_ATOMIC_UPDATE,
  HEDDLE_OP_READ, /* plain accesses: only if at_accesses */
  HEDDLE_OP_WRITE,
  HEDDLE_OP_SECTION,  /* a whole atomic section */
  HEDDLE_OP_DESCRIPTOR, /* a call that may wait for a file, pipe or socket */
  HEDDLE_OP_LOOK,       /* at what the system keeps, without changing it */
  HEDDLE_OP_CONTINUE, /* nothing that others can feel: it made very many accesses, and others get a turn */
  HEDDLE_OP_EXIT,     /* the program ends */
  HEDDLE_OP_FAILED    /* the thread makes no further step: see the ending */
};

/* A thread that stands before an operation which may have to wait uses the object from then on: who ends it races with
 * that, also if the thread never gets on. */
static inline int heddle_asks(unsigned op) {
  return op == HEDDLE_OP_LOCK || op == HEDDLE_OP_LOCK_SHARED || op == HEDDLE_OP_SEMAPHORE_WAIT || op == HEDDLE_OP_ONCE;
}

enum heddle_deed_kind {
  HEDDLE_DEED_READ,
  HEDDLE_DEED_WRITE,
  HEDDLE_DEED_ATOMIC_READ,
  HEDDLE_DEED_ATOMIC_WRITE,
  HEDDLE_DEED_FREE,
  HEDDLE_DEED_ACQUIRE,
  HEDDLE_DEED_RELEASE,
  HEDDLE_DEED_ACQUIRE_SHARED,
  HEDDLE_DEED_RELEASE_SHARED,
  HEDDLE_DEED_SPAWN,
  HEDDLE_DEED_JOIN,
  HEDDLE_DEED_SECTION_BEGIN,
  HEDDLE_DEED_SECTION_END,
  HEDDLE_DEED_THREAD_END,
  HEDDLE_DEED_RESET, /* a synchronisation object is initialised or destroyed */
  HEDDLE_DEED_FENCE,
  HEDDLE_DEED_USES,
  HEDDLE_DEED_ASKS /* the thread stands before an operation on the object, which may have to wait */
};

enum {
  HEDDLE_IS_LOCK = 1,  /* held between acquire and release */
  HEDDLE_ACQUIRES = 2, /* atomics and fences */
  HEDDLE_RELEASES = 4,
  HEDDLE_IS_CONSUME = 8,
  HEDDLE_REPLACES = 16, /* a store, not an update */
  HEDDLE_IS_WEAK = 32,  /* not sequentially consistent */
  HEDDLE_UNCERTAIN = 64 /* a library call that may touch so much, and need not */
};

struct heddle_deed {
  uint64_t address;
  uint64_t key; /* the AccessId, or ~0 */
  uint32_t size;
  uint32_t thread;
  uint8_t kind;
  uint8_t flags;
  uint8_t unused[6];
};

/* Which way a thread took, for searches that ask what else it could have done. Places and functions are numbers of
 * src/program/names/place_number.h. */
enum heddle_passage_kind {
  HEDDLE_PASSAGE_BRANCH, /* `way`: the value that decided; of a call through a pointer, whom it calls */
  HEDDLE_PASSAGE_MEET,   /* came to a place where sides meet, or back from a call through a pointer */
  HEDDLE_PASSAGE_LEAVE,  /* the function `place` returns */
  HEDDLE_PASSAGE_LAND,   /* in function `place` an exception is caught, or (`way`) a long jump arrives */
  HEDDLE_PASSAGE_ASK,    /* calls a function of a library */
  HEDDLE_PASSAGE_ANSWER  /* and comes back from it */
};

struct heddle_passage {
  uint64_t place;
  uint64_t way;
  uint64_t frame; /* the function's: frames of calls have lower ones */
  uint32_t deed;  /* so many deeds of the run came before */
  uint8_t kind;
  uint8_t unused[3];
};

struct heddle_choice {
  uint32_t thread;
  uint32_t outcome; /* of the operation's choice, if it has one */
};

enum heddle_ending {
  HEDDLE_RUNNING,
  HEDDLE_ASSERTION_FAILED,
  HEDDLE_ABORTED,
  HEDDLE_CRASHED,
  HEDDLE_INFEASIBLE,
  HEDDLE_LIMIT,
  HEDDLE_UNSUPPORTED
};

/* One thread, as the driver may look at it. */
struct heddle_view {
  uint64_t object;   /* of its next operation */
  uint64_t lock;     /* a second object: the lock of a wait */
  uint64_t key;      /* where that is */
  uint64_t mark;     /* it may end there if the thread is cancelled, which shows by this object; 0: it does not */
  uint64_t progress; /* operations and accesses that it has made */
  uint64_t argument; /* that its creator gave it */
  uint32_t size;         /* of memory */
  uint32_t object_size;  /* of a synchronisation object; 0: nobody says */
  uint32_t creator;
  uint32_t ordinal; /* so many its creator had created before */
  uint32_t held_count; /* locks that it holds */
  uint8_t op;
  uint8_t ending; /* with HEDDLE_OP_FAILED: enum heddle_ending */
  uint8_t is_timed;
  uint8_t was_signalled;
  uint8_t woke_alone; /* its latest wait ended without a signal and not by time */
  uint8_t is_uncertain; /* a library call may make the access, or part of it */
};

struct heddle_machine {
  uint32_t version;
  /* Set by the driver, before it runs anything. */
  uint8_t at_accesses;
  uint8_t spurious_wakeups;
  uint8_t weak_tries;
  uint8_t records; /* deeds are wanted */
  uint8_t tells_ways; /* and passages, too */
  uint64_t input_value;
  /* Null: an operation's choice is its outcome in the script, and inputs are input_value. Else it is asked, with
     `count` answers from 0 (0: any value of so many bits). */
  uint64_t (*answer)(void* user, uint32_t thread, uint32_t count, uint32_t bits);
  void* user;
  uint8_t asks;  /* choices of operations are asked for, too */
  uint8_t acts_outside; /* set by the program for good: it changes files or talks to others */
  uint8_t turns; /* a thread that sleeps or yields lets others have a turn: HEDDLE_OP_CONTINUE */

  /* Of the latest run. */
  const struct heddle_deed* deeds;
  size_t deed_count;
  const struct heddle_passage* passages;
  size_t passage_count;
  uint8_t lost_passages;  /* there were too many */
  uint32_t choices;       /* outcomes that the latest operation had */
  uint8_t had_several;    /* … and it had more than one choice, or an input */
  uint8_t gave_input;
  uint8_t left_traces;    /* it changed what no hook tells of: memory was allocated, a file written */
  uint64_t run_number;
  uint32_t thread_count;  /* numbers below it may be in use */
  const char* gap;        /* a lock was misused; null: none */
  const char* open_end;   /* why one run does not stand for every run of the same schedule; null: nothing */
  const char* ending_text;

  /* How many of the script's choices were carried out: fewer than asked when a thread could not go on. */
  size_t (*run)(const struct heddle_choice* script, size_t count);
  void (*restart)(void);
  const struct heddle_view* views; /* of thread 0; of each further one so many bytes behind */
  size_t view_distance;
  int (*is_enabled)(uint32_t thread);
  /* Those that are, ascending; `threads` has room for all. */
  size_t (*enabled)(uint32_t* threads);
  /* Locks that it holds; a shared one has its lowest bit set. */
  size_t (*held)(uint32_t thread, uint64_t* locks, size_t room);
  /* Of registers and stack: equal words mean that it stands in the same place and knows the same. False: too much. */
  int (*local_state)(uint32_t thread, uint64_t words[2]);
  /* No thread can go on: waits until the outside lets one, so long at most. */
  int (*wait_outside)(int milliseconds);
  /* Return addresses of a thread that stands, innermost first. */
  size_t (*stack)(uint32_t thread, uint64_t* addresses, size_t room);
  /* The driver's own memory. */
  void* (*reserve)(size_t bytes);
  void (*write_result)(const void* bytes, size_t count);
  /* From whoever started the program; false: it has gone. */
  int (*read_job)(void* bytes, size_t count);
  const char* (*setting)(const char* name);
  /* Set by the driver: of plain accesses, only these are operations where at_accesses says that they are. */
  uint64_t only_at[2];
  uint8_t has_only_at;
};

/* What the driver exports. The result is the worker's exit status. */
#define HEDDLE_DRIVE "heddle_drive2"
typedef int (*heddle_drive)(struct heddle_machine* machine);

#ifdef __cplusplus
}
#endif
#endif
