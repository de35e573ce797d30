// The tasks of a taskloop.
// FLAGS: -fopenmp
int c;
int main(void) { 
#pragma omp parallel
#pragma omp single
#pragma omp taskloop
 for (int i = 0; i < 10; i++)
   c++;
  return c; }
