// A sum over a parallel loop, without a reduction.
// FLAGS: -fopenmp
// NOT-RUNNABLE: needs the runtime of OpenMP
// CONFIRMED: a team of two shows it
int main(void) {
  long sum = 0;
#pragma omp parallel for
  for (int i = 0; i < 4; i++)
    sum += i;  // RACE! s1: every thread of the team adds
  return sum == 0;
}
