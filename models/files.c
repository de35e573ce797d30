// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions of POSIX that call the program for each file, or hand it memory that they allocate: as code, since the
// number of calls and of pieces is what matters. Functions whose names begin with __heddle_ have models in files.toml.
// What files there are no run knows: each run ends at __heddle_outside.

typedef unsigned long word;  // as wide as a pointer

long __heddle_outside(void);
void *__heddle_buffer(void);
void __heddle_fill(void *);
void __heddle_string(const char *);
void __heddle_entry(const void *);
void __heddle_lookup(const char *, const char *);
void free(void *);

enum {
  most_information = 256,  // struct stat of every machine
  asks_what_next = 16      // FTW_ACTIONRETVAL: what the visitor returns need not end the walk
};

/// What the library tells about one file: a path in memory of its own that it writes anew for each, and numbers.
struct visited {
  char *path;
  _Alignas(16) char information[most_information];
  int place[2];  // struct FTW
};

static void visit_next(struct visited *file) {
  __heddle_fill(file->path);
  __heddle_fill(file->information);
  __heddle_fill(file->place);
}

typedef int visitor(const char *, const void *, int);
typedef int placed_visitor(const char *, const void *, int, void *);

static int walk(const char *directory, visitor *visit, placed_visitor *visit_placed, int flags) {
  struct visited file;
  int result = 0;
  __heddle_string(directory);
  file.path = __heddle_buffer();
  while ((result == 0 || flags & asks_what_next) && __heddle_outside()) {
    visit_next(&file);
    const int kind = (int)__heddle_outside();
    result = visit ? visit(file.path, file.information, kind)
                   : visit_placed(file.path, file.information, kind, file.place);
  }
  free(file.path);
  if (flags & asks_what_next) return (int)__heddle_outside();
  if (result == 0 && __heddle_outside()) return -1;
  return result;
}

int ftw(const char *directory, visitor *visit, int descriptors) { return walk(directory, visit, 0, 0); }
int ftw64(const char *directory, visitor *visit, int descriptors) { return walk(directory, visit, 0, 0); }
int nftw(const char *directory, placed_visitor *visit, int descriptors, int flags) {
  return walk(directory, 0, visit, flags);
}
int nftw64(const char *directory, placed_visitor *visit, int descriptors, int flags) {
  return walk(directory, 0, visit, flags);
}

typedef int chooser(const void *);
typedef int comparison(const void **, const void **);

/// Names are compared by the locale; where they lie in an entry is the library's business.
static int compare_names(const void **one, const void **other) {
  __heddle_entry(*one);
  __heddle_entry(*other);
  return (int)__heddle_outside();
}

int alphasort(const void **one, const void **other) { return compare_names(one, other); }
int alphasort64(const void **one, const void **other) { return compare_names(one, other); }
int versionsort(const void **one, const void **other) { return compare_names(one, other); }
int versionsort64(const void **one, const void **other) { return compare_names(one, other); }

/// Sorted by comparing and exchanging, whichever and how often.
static void sort(void **names, comparison *compare) {
  while (__heddle_outside()) {
    void **one = names + __heddle_outside();
    void **other = names + __heddle_outside();
    if (compare((const void **)one, (const void **)other) <= 0) continue;
    void *const kept = *one;
    *one = *other;
    *other = kept;
  }
}

static int list(const char *directory, void ***out, chooser *choose, comparison *compare) {
  void **names = __heddle_buffer();
  int count = 0;
  __heddle_string(directory);
  while (__heddle_outside()) {
    void *entry = __heddle_buffer();
    __heddle_fill(entry);
    if (choose && !choose(entry))
      free(entry);
    else
      names[count++] = entry;
  }
  if (__heddle_outside()) {
    for (int k = 0; k < count; k++) free(names[k]);
    free(names);
    return -1;
  }
  if (compare) sort(names, compare);
  *out = names;
  return count;
}

int scandir(const char *directory, void ***out, chooser *choose, comparison *compare) {
  return list(directory, out, choose, compare);
}
int scandir64(const char *directory, void ***out, chooser *choose, comparison *compare) {
  return list(directory, out, choose, compare);
}

struct address {
  int flags, family, type, protocol;
  unsigned length;
  void *bytes;
  char *name;
  struct address *next;
};

static struct address *one_more(struct address *next) {
  struct address *const out = __heddle_buffer();
  out->flags = (int)__heddle_outside();
  out->family = (int)__heddle_outside();
  out->type = (int)__heddle_outside();
  out->protocol = (int)__heddle_outside();
  out->length = (unsigned)__heddle_outside();
  out->bytes = __heddle_buffer();
  __heddle_fill(out->bytes);
  out->name = 0;
  if (__heddle_outside()) {
    out->name = __heddle_buffer();
    __heddle_fill(out->name);
  }
  out->next = next;
  return out;
}

int getaddrinfo(const char *host, const char *service, const struct address *hints, struct address **out) {
  __heddle_lookup(host, service);
  const int error = (int)__heddle_outside();
  if (hints && (hints->flags | hints->family | hints->type | hints->protocol) && error) return error;
  struct address *first = 0;
  while (__heddle_outside()) first = one_more(first);
  if (!first) return error ? error : 1;
  *out = first;
  return 0;
}

void freeaddrinfo(struct address *first) {
  while (first) {
    struct address *const next = first->next;
    free(first->bytes);
    free(first->name);
    free(first);
    first = next;
  }
}
