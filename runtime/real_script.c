/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The schedule that threads of the system follow: the lines of src/race/schedule.h that say who runs and what is
 * answered. What each step is goes into marks, as src/explore/evidence/mark.h makes them; a mark that differs ends the
 * replay.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "real.h"

struct slice {
  uint32_t thread;
  uint64_t steps;
  uint64_t mark; /* 0: none */
};
struct value {
  uint32_t thread;
  uint64_t value;
};

static struct {
  struct slice* slices;
  size_t slice_count;
  struct value* values;
  size_t value_count;
  struct heddle_real_end end;
  size_t at;      /* slice */
  uint64_t made;  /* steps of it */
  uint64_t step;  /* in all */
  uint64_t mark;  /* of its steps so far */
} script;

static const uint64_t first_mark = 0xcbf29ce484222325u;

static uint64_t folded(uint64_t mark, uint64_t key) {
  mark = (mark ^ key) * 0x9e3779b97f4a7c15u;
  return mark ^ mark >> 32;
}

/* All of the file, with a zero behind it. */
static char* read_all(const char* file, size_t* length) {
  const int descriptor = open(file, O_RDONLY | O_CLOEXEC);
  const off_t size = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END);
  if (size < 0) heddle_real_fail("the schedule cannot be read", 0);
  char* const text = heddle_map((size_t)size + 1);
  lseek(descriptor, 0, SEEK_SET);
  for (*length = 0; *length < (size_t)size;) {
    const ssize_t got = read(descriptor, text + *length, (size_t)size - *length);
    if (got <= 0) break;
    *length += (size_t)got;
  }
  close(descriptor);
  return text;
}

static int begins(const char* line, const char* word) { return strncmp(line, word, strlen(word)) == 0; }

static void read_end(const char* line, const char* word, int is_unordered) {
  char* rest;
  script.end.first = (uint32_t)strtoul(line + strlen(word), &rest, 10);
  script.end.second = (uint32_t)strtoul(rest, &rest, 10);
  script.end.mark = strtoull(rest, NULL, 16);
  script.end.is_unordered = is_unordered;
  script.end.is_known = 1;
}

static void read_line(const char* line) {
  char* rest;
  if (begins(line, "run ")) {
    struct slice* const slice = &script.slices[script.slice_count++];
    slice->thread = (uint32_t)strtoul(line + 4, &rest, 10);
    slice->steps = strtoull(rest, &rest, 10);
    slice->mark = *rest == ' ' ? strtoull(rest, NULL, 16) : 0;
  } else if (begins(line, "value ")) {
    struct value* const value = &script.values[script.value_count++];
    value->thread = (uint32_t)strtoul(line + 6, &rest, 10);
    value->value = strtoull(rest, NULL, 10);
  } else if (begins(line, "race ")) {
    read_end(line, "race ", 0);
  } else if (begins(line, "unordered ")) {
    read_end(line, "unordered ", 1);
  }
}

void heddle_read_script(const char* file) {
  size_t length = 0, lines = 1;
  char* const text = read_all(file, &length);
  for (size_t i = 0; i < length; ++i) lines += text[i] == '\n';
  script.slices = heddle_map(lines * sizeof *script.slices);
  script.values = heddle_map(lines * sizeof *script.values);
  for (char* line = text; *line != 0;) {
    char* const end = strchr(line, '\n');
    if (end != NULL) *end = 0;
    read_line(line);
    if (end == NULL) break;
    line = end + 1;
  }
  script.mark = first_mark;
  if (!script.end.is_known) heddle_real_fail("the schedule does not end in a race", 0);
}

const struct heddle_real_end* heddle_script_end(void) { return &script.end; }
uint64_t heddle_script_step(void) { return script.step; }

uint32_t heddle_script_next(void) {
  while (script.at < script.slice_count && script.made == script.slices[script.at].steps) {
    ++script.at;
    script.made = 0;
    script.mark = first_mark;
  }
  return script.at == script.slice_count ? HEDDLE_NOBODY : script.slices[script.at].thread;
}

int heddle_script_is_last(void) {
  return script.at + 1 == script.slice_count && script.made + 1 == script.slices[script.at].steps;
}

void heddle_script_take(uint64_t key) {
  const struct slice* const slice = &script.slices[script.at];
  script.mark = folded(script.mark, key);
  ++script.step;
  if (++script.made == slice->steps && slice->mark != 0 && slice->mark != (script.mark | 1))
    heddle_real_fail("the program went another way than when the schedule was made, up to step", script.step - 1);
}

void heddle_script_check_end(uint64_t first_key, uint64_t second_key) {
  if (script.end.mark != 0 && script.end.mark != (folded(folded(first_mark, first_key), second_key) | 1))
    heddle_real_fail("the two threads stand before other accesses than before, behind step", script.step - 1);
}

/* As explore::RecordedInputs: each thread's in order, 0 when there are no more. */
uint64_t heddle_script_answer(void* user, uint32_t thread, uint32_t count, uint32_t bits) {
  (void)user, (void)bits;
  uint64_t answer = 0;
  for (size_t i = 0; i < script.value_count; ++i)
    if (script.values[i].thread == thread) {
      answer = script.values[i].value;
      script.values[i].thread = HEDDLE_NOBODY; /* given */
      break;
    }
  return count == 0 ? answer : answer % count;
}
