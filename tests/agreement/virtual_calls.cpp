// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Virtual functions, several and virtual bases, dynamic_cast, typeid, pure virtuals, destructors.
#include <cstdio>
#include <typeinfo>
struct Shape {
  virtual double area() const = 0;
  virtual const char* name() const { return "shape"; }
  virtual ~Shape() { std::printf("~S "); }
};
struct Square : Shape {
  double s;
  Square(double v) : s(v) {}
  double area() const override { return s * s; }
  const char* name() const override { return "square"; }
  ~Square() override { std::printf("~Q "); }
};
struct Disc : Shape {
  double area() const override { return 3; }
};
struct Top {
  int t = 1;
  virtual ~Top() = default;
  virtual int f() { return t; }
};
struct L : virtual Top {
  int l = 2;
};
struct R : virtual Top {
  int r = 3;
  int f() override { return r; }
};
struct Bottom : L, R {
  int f() override { return l + r + t; }
};
struct Other {
  virtual ~Other() = default;
};
int main() {
  Shape* v[] = {new Square(3), new Disc};
  for (Shape* s : v) {
    std::printf("%s %g %d %d\n", s->name(), s->area(), dynamic_cast<Square*>(s) != nullptr, typeid(*s) == typeid(Disc));
    delete s;
  }
  std::printf("\n");
  Bottom b;
  L* l = &b;
  Top* t = &b;
  R* r = dynamic_cast<R*>(l);
  std::printf("%d %d %d %d %d\n", t->f(), r->r, r->f(), dynamic_cast<Bottom*>(t) == &b,
              dynamic_cast<Other*>(t) == nullptr);
  try {
    (void)dynamic_cast<Other&>(*t);
  } catch (const std::bad_cast&) {
    std::printf("bad cast\n");
  }
  return 0;
}
