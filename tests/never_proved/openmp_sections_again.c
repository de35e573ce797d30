// The first section of two constructs without a barrier may go to two threads.
// FLAGS: -fopenmp
int x;
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp sections nowait
    {
#pragma omp section
      x++;
#pragma omp section
      ;
    }
#pragma omp sections nowait
    {
#pragma omp section
      x++;
#pragma omp section
      ;
    }
  }
  return 0;
}
