// A sum over a parallel loop with a reduction: each thread has its own, and adds it under the lock of the reduction.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
int main(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4; i++)
    sum += i;  // NORACE: the thread's own
  return sum == 0;  // NORACE: the region has ended
}
