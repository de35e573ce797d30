// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Critical sections and reductions. Locks of omp.h need no code.

void __kmpc_critical(void *place, int thread, void *name) { __heddle_lock(name); }
void __kmpc_critical_with_hint(void *place, int thread, void *name, int hint) { __heddle_lock(name); }
void __kmpc_end_critical(void *place, int thread, void *name) { __heddle_unlock(name); }

/// All reductions are done under their lock; the runtime may also use atomic accesses, or a tree, in which several
/// pairs of threads combine at the same time. What they do to their copies is ordered then as well, but nothing else:
/// a combiner that does more is called without the lock too. No run goes through that.
#define COMBINE_BESIDE_OTHERS(combine, list) \
  if (__heddle_any()) {                      \
    __heddle_unknown();                      \
    combine(list, list);                     \
  }

//@ template early_reduction
extern void combine_early_$k(void *, void *) __asm__("$entry") __attribute__((nothrow));
int early_reduction_$k(void *place, int thread, int count, word bytes, void *list, void *combine, void *name)
    __asm__("$symbol");
int early_reduction_$k(void *place, int thread, int count, word bytes, void *list, void *combine, void *name) {
#if $does_more
  COMBINE_BESIDE_OTHERS(combine_early_$k, list)
#endif
  __heddle_lock(name);
  return 1;
}
//@ end
void __kmpc_end_reduce_nowait(void *place, int thread, void *name) { __heddle_unlock(name); }

//@ template reduction
extern void combine_$k(void *, void *) __asm__("$entry") __attribute__((nothrow));
int reduction_$k(void *place, int thread, int count, word bytes, void *list, void *combine, void *name)
    __asm__("$symbol");
int reduction_$k(void *place, int thread, int count, word bytes, void *list, void *combine, void *name) {
#if $does_more
  COMBINE_BESIDE_OTHERS(combine_$k, list)
#endif
  __heddle_lock(name);
  return 1;
}
//@ end
void __kmpc_end_reduce(void *place, int thread, void *name) {
  __heddle_unlock(name);
  __kmpc_barrier(place, thread);
}
