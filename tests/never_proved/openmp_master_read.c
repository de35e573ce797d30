// All threads read what the master writes; a master region has no barrier.
// FLAGS: -fopenmp
int x, y;
int main(void) { 
#pragma omp parallel
  {
#pragma omp master
  x++;
#pragma omp critical
  y += x;
  }
  return x; }
