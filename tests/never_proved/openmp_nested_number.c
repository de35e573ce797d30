// Threads of two inner teams have the same numbers.
// FLAGS: -fopenmp
int omp_get_thread_num(void);
int a[8];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  a[omp_get_thread_num()]++;
  return 0;
}
