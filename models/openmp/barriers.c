// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Barriers and memory fences.

void __kmpc_barrier(void *place, int thread) {
  wait_for_children();
  if (here.team) __heddle_barrier_wait(&here.team->barrier);
}
int __kmpc_cancel_barrier(void *place, int thread) {
  __kmpc_barrier(place, thread);
  return 0;
}
void __kmpc_flush(void *place) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
