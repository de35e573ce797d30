// Two sections that count the same.
// FLAGS: -fopenmp
int x, y;
int main(void) { 
#pragma omp parallel sections
  {
#pragma omp section
  x++;
#pragma omp section
  x++;
  }
  return x; }
