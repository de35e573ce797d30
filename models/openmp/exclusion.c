// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Critical sections and reductions. Locks of omp.h need no code.

void __kmpc_critical(void *place, int thread, void *name) { __heddle_lock(name); }
void __kmpc_critical_with_hint(void *place, int thread, void *name, int hint) { __heddle_lock(name); }
void __kmpc_end_critical(void *place, int thread, void *name) { __heddle_unlock(name); }

/// All reductions are done under their lock; the runtime may also use atomic accesses, or a tree.
int __kmpc_reduce_nowait(void *place, int thread, int count, word bytes, void *list, void *combine, void *name) {
  __heddle_lock(name);
  return 1;
}
void __kmpc_end_reduce_nowait(void *place, int thread, void *name) { __heddle_unlock(name); }
int __kmpc_reduce(void *place, int thread, int count, word bytes, void *list, void *combine, void *name) {
  __heddle_lock(name);
  return 1;
}
void __kmpc_end_reduce(void *place, int thread, void *name) {
  __heddle_unlock(name);
  __kmpc_barrier(place, thread);
}
