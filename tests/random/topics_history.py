# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Topics where no lock is common and the order in which locks are taken decides: acquisition histories.

A use is a random word over two or three locks (mutexes, sometimes a reader-writer lock): taken and given back nested or
not, for a moment, by a try-lock, given up in a condition wait. Half of the words are the pattern that histories are
about: a lock is taken, then another for a moment, then the variable is touched.
"""

from lang import Stmt
from topic import A, K, V, Topic


class LockOrders(Topic):
    def build(self):
        super().build()
        b = self.b
        self.locks = [("mutex", b.lock()), ("mutex", b.lock(new=True))]
        if b.chance(0.4):
            self.locks.append(("rw", A(V(b.new_global("rw", "rwlock")))))
        elif b.chance(0.4):
            self.locks.append(("mutex", b.lock(new=True)))
        self.cond = A(V(b.new_global("cv", "cond"))) if b.chance(0.3) else None

    def take(self, lock):
        kind, where = lock
        if kind == "mutex":
            return Stmt("lock", (where,))
        return Stmt(self.b.rng.choice(["rdlock", "wrlock"]), (where,))

    def give(self, lock):
        return Stmt("unlock" if lock[0] == "mutex" else "rwunlock", (lock[1],))

    def attempt(self, lock, held, steps):
        b = self.b
        s = b.fresh("s")
        op = "trylock" if lock[0] == "mutex" else b.rng.choice(["tryrd", "trywr"])
        inside = self.walk(held + [lock], steps) + [self.give(lock)]
        return [Stmt("decl", (s, "int", K(0))), Stmt(op, (V(s), lock[1])),
                Stmt("if", (("bin", "==", V(s), K(0)),), inside)]

    def walk(self, held, steps):
        """Any steps, then whatever was taken here is given back in any order."""
        b, own, out = self.b, [], []
        for _ in range(steps):
            free = [lock for lock in self.locks if lock not in held + own]
            mutexes = [lock for lock in held + own if lock[0] == "mutex"]
            what = b.rng.choice(["take", "brief", "brief", "give", "touch", "touch", "try", "wait", "if"])
            if what == "take" and free:
                own.append(b.rng.choice(free))
                out.append(self.take(own[-1]))
            elif what == "brief" and free:
                lock = b.rng.choice(free)
                out += [self.take(lock), self.give(lock)]
            elif what == "give" and own:
                out.append(self.give(own.pop(b.rng.randrange(len(own)))))
            elif what == "touch":
                out.append(self.touch(self.x))
            elif what == "try" and free and steps > 1:
                out += self.attempt(b.rng.choice(free), held + own, steps // 2)
            elif what == "wait" and self.cond and mutexes:
                out.append(Stmt("cwait", (self.cond, b.rng.choice(mutexes)[1])))
            elif what == "if" and steps > 2:
                c = b.fresh("c")
                out += [Stmt("decl", (c, "int", K(0))), Stmt("nondet", (V(c),)),
                        Stmt("if", (V(c),), self.walk(held + own, steps // 2))]
        b.rng.shuffle(own)
        return out + [self.give(lock) for lock in own]

    def use(self, thread, index):
        b = self.b
        if b.chance(0.5):
            return self.walk([], b.rng.choice([3, 4, 5, 6]))
        first, second = b.rng.sample(self.locks, 2)
        between = [self.take(second), self.give(second)]
        if b.flaw():
            between = []
        if b.flaw():
            between += [self.give(first), self.take(first)]
        return [self.take(first)] + between + [self.touch(self.x), self.give(first)]


TOPICS = {"orders": (LockOrders, 5)}  # name: (class, weight)
