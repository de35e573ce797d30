// A task beside the thread that made it, which does not wait for it.
// FLAGS: -fopenmp
int x;
int main(void) { 
#pragma omp parallel
#pragma omp single
  {
#pragma omp task
  x++;
  x++;
  }
  return x; }
