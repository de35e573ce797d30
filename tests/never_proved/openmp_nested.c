// The team of a region inside a region, which only the master of the outer one starts.
// FLAGS: -fopenmp
int c;
int main(void) { 
#pragma omp parallel num_threads(2)
#pragma omp master
#pragma omp parallel num_threads(2)
 c++;
  return c; }
