// Two single regions without a barrier between them: two threads may run one each.
// FLAGS: -fopenmp
int x;
int main(void) { 
#pragma omp parallel num_threads(2)
  {
#pragma omp single nowait
  x++;
#pragma omp single nowait
  x++;
  }
  return x; }
