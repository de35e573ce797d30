#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Captures Debian source packages and tabulates what that costs, beside clang on the same commands.

usage: capture_packages.py HEDDLE FOLDER [PACKAGE…] [--sample N] [--again]

Works in FOLDER; what is there (sources, configuration, recorded commands, a package's results) is not done again, so an
interrupted run goes on where it was; --again measures anew. Sources come from `apt-get source`, which needs deb-src
entries, and the packages' build dependencies must be installed; APT_CONFIG may name another configuration.
heddle_captured_project_bench has to stand beside HEDDLE. Prints Markdown tables, and writes
FOLDER/capture_packages.json.

Whole project: captured with two jobs, then with nothing changed (the best of three). A sample of its commands (all, if
there are no more than --sample; seed fixed): captured with one job and with two, into a folder of their own, and
compiled by `clang -O0 -g -c`, one after another, by the very commands heddle's clang is given. Kernel code cannot be
compiled at -O0 (constants for inline assembly are found by optimising); clang gets it there all the same, and goes
through all of it. Ratios are of CPU time (user and system, of all processes), for the machine may be shared; "two jobs"
is the wall time of one job over that of two, so it suffers from company.
"""
import argparse
import json
import os
import pathlib
import random
import shlex
import shutil
import subprocess
import sys
import time

SEED = "capture packages"
MD = """BLK_DEV_MD MD_LINEAR MD_RAID0 MD_RAID1 MD_RAID10 MD_RAID456 MD_MULTIPATH MD_FAULTY BCACHE BLK_DEV_DM DM_DEBUG DM_UNSTRIPED DM_CRYPT
DM_SNAPSHOT DM_THIN_PROVISIONING DM_CACHE DM_CACHE_SMQ DM_WRITECACHE DM_EBS DM_ERA DM_CLONE DM_MIRROR DM_LOG_USERSPACE DM_RAID DM_ZERO
DM_MULTIPATH DM_MULTIPATH_QL DM_MULTIPATH_ST DM_MULTIPATH_HST DM_MULTIPATH_IOA DM_DELAY DM_DUST DM_INIT DM_UEVENT DM_FLAKEY DM_VERITY
DM_SWITCH DM_LOG_WRITES DM_INTEGRITY DM_ZONED"""
NET = """BRIDGE VLAN_8021Q TIPC IP_SCTP RDS OPENVSWITCH MPLS MPLS_ROUTING BATMAN_ADV NFC 6LOWPAN IEEE802154 MAC802154 L2TP VSOCKETS
XDP_SOCKETS ATM LLC2 X25 PHONET CAN AF_RXRPC NET_9P CEPH_LIB NET_DSA DCB HSR MPTCP AF_KCM TLS XFRM_USER NET_KEY BT BT_RFCOMM BT_BNEP
BT_HIDP NETFILTER_ADVANCED NF_TABLES NFT_CT NFT_NAT NFT_MASQ NFT_LOG NF_TABLES_INET IP_VS IP_SET IP_DCCP NET_SCH_HTB NET_SCH_FQ
NET_SCH_FQ_CODEL NET_SCH_CAKE NET_CLS_FLOWER NET_ACT_POLICE NET_ACT_MIRRED NET_PKTGEN SMC INFINIBAND"""


class Package:
    def __init__(self, name, configure, build, folder=None, source=None, record=False, kernel=False, part=""):
        self.name, self.configure, self.build = name, configure, build
        self.folder = folder or name + "-[0-9]*"  # a pattern: the version is Debian's affair
        self.source = source or name
        self.record, self.kernel = record, kernel
        self.part = part  # units outside it are the build's own helpers


def kernel_part(name, part):
    options = " ".join("-e " + option for option in (MD + " " + NET).split())
    configure = (f"make LLVM=-19 defconfig && scripts/config -e PROVE_LOCKING {options} && make LLVM=-19 olddefconfig && "
                 "make LLVM=-19 prepare modules_prepare")
    build = f"HEDDLE_CC=clang-19 make LLVM=-19 -k CC='heddle cc' {part}"
    return Package(name, configure, build, folder=name, source="linux-source-6.1", kernel=True, part=part)


PACKAGES = [
    Package("memcached", "./configure", "make"),
    Package("redis", "true", "make MALLOC=libc"),
    Package("sqlite3", "./configure", "make"),
    Package("knot", "./configure --disable-documentation --disable-fastparser", "make"),
    Package("lighttpd", "./configure --without-pcre2 --without-pcre --without-zlib --without-bzip2 --without-brotli --without-libxml --without-lua",
            "make"),
    Package("nginx", "./configure --with-threads --with-file-aio --without-http_rewrite_module", "make"),
    Package("pbzip2", "true", "make"),
    Package("lbzip2", "./configure CPPFLAGS='-D_IO_ftrylockfile -D_IO_ERR_SEEN=0x20'", "make"),
    Package("ffmpeg", "./configure --disable-autodetect --disable-x86asm --disable-doc", "make -k", record=True),
    kernel_part("linux-md", "drivers/md/"),
    kernel_part("linux-net", "net/"),
]


class Cost:
    """CPU and wall seconds, and the largest process."""

    def __init__(self, cpu=0.0, wall=0.0, peak_mb=0.0, status=0):
        self.cpu, self.wall, self.peak_mb, self.status = cpu, wall, peak_mb, status


def run(words, folder, log, environment=None):
    began = time.monotonic()
    with open(log, "ab") as out:
        process = subprocess.Popen(words, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=out, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Cost(usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss / 1024, process.returncode)


class Skipped(Exception):
    """Why a package has no results. The others go on."""


def must(cost, what, log):
    if cost.status != 0:
        raise Skipped(f"{what} failed (exit status {cost.status}); see {log}. Remove the folder to begin anew")


class Bench:
    def __init__(self, heddle, work, sample):
        self.heddle, self.work, self.sample = heddle.resolve(), work.resolve(), sample
        self.counter = self.heddle.parent / "heddle_captured_project_bench"
        if not self.counter.exists():
            sys.exit(f"{self.counter} is missing: build it first (ninja heddle_captured_project_bench)")
        self.work.mkdir(parents=True, exist_ok=True)
        self.environment = dict(os.environ, PATH=f"{self.heddle.parent}:{os.environ['PATH']}")

    def results(self):
        """Of all packages that have any; one file each, so that several runs can share the folder."""
        files = {package.name: self.work / (package.name + ".result.json") for package in PACKAGES}
        found = {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}
        return {name: row for name, row in found.items() if "clang_cpu" in row}

    def log(self, package):
        return self.work / (package.name + ".log")

    # Sources

    def source_folder(self, package):
        found = sorted(p for p in self.work.glob(package.folder) if p.is_dir())
        return found[0] if found else None

    def fetch(self, package):
        if self.source_folder(package):
            return
        words = ["apt-get", "download", package.source] if package.kernel else ["apt-get", "source", "--only-source",
                                                                                package.source]
        for pause in (10, 30, 60, 120, 240, 0):
            asked = subprocess.run(words, cwd=self.work, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                   check=False)
            with open(self.log(package), "a") as log:
                log.write(asked.stdout + asked.stderr)
            if asked.returncode == 0 or "too many requests" not in asked.stderr.lower():
                break
            time.sleep(pause)
        if package.kernel:
            self.unpack_kernel(package)
        if not self.source_folder(package):
            raise Skipped(f"{package.source} cannot be fetched; is deb-src enabled? See {self.log(package)}")

    def unpack_kernel(self, package):
        archive = next(iter(sorted(self.work.glob(package.source + "_*.deb"))), None)
        if archive is None:
            return
        parts = self.work / "kernel"
        must(run(["dpkg-deb", "-x", archive, parts], self.work, self.log(package)), "dpkg-deb", self.log(package))
        tree = self.work / (package.folder + ".part")
        tree.mkdir(exist_ok=True)
        tar = parts / "usr" / "src" / (package.source + ".tar.xz")
        must(run(["tar", "-xf", tar, "-C", tree, "--strip-components=1"], self.work, self.log(package)), "tar",
             self.log(package))
        tree.rename(self.work / package.folder)

    def configure(self, package, folder):
        done = folder / ".configured-for-bench"
        if not done.exists():
            must(run(["sh", "-c", package.configure], folder, self.log(package), self.environment), "configure",
                 self.log(package))
            done.touch()

    def record(self, package, folder):
        """The commands of the build; packages that need not be built for it are not."""
        commands = self.work / (package.name + ".commands.json")
        if not commands.exists():
            words = [self.heddle, "capture", "--commands-only", "--database",
                     commands] + (["--record"] if package.record else [])
            cost = run([*words, "--", "sh", "-c", package.build], folder, self.log(package), self.environment)
            if cost.status != 0 and not (package.record or package.kernel):  # links of empty objects fail
                commands.unlink(missing_ok=True)
                must(cost, "build", self.log(package))
            commands.write_text(json.dumps([c for c in json.loads(commands.read_text())
                                            if c["file"].startswith(package.part)], indent=1))
        return json.loads(commands.read_text())

    # Measures

    def capture(self, package, folder, commands, jobs):
        return run([self.heddle, "capture", "-p", commands, "-j", str(jobs)], folder, self.log(package))

    def whole(self, package, folder, commands, row):
        for name in ("units", "bitcode"):
            shutil.rmtree(folder / ".heddle" / name, ignore_errors=True)
        database = self.work / (package.name + ".commands.json")
        first = self.capture(package, folder, database, 2)
        if first.status not in (0, 3):  # 3: some units failed
            must(first, "capture", self.log(package))
        again = min((self.capture(package, folder, database, 2) for _ in range(3)), key=lambda cost: cost.cpu)
        project = json.loads((folder / ".heddle" / "project.json").read_text())
        sources = {os.path.normpath(os.path.join(c["directory"], c["file"])) for c in commands}
        row.update(units=len(project["units"]), failed=[f["message"] for f in project["failed"]],
                   lines=sum(open(s, "rb").read().count(b"\n") for s in sources if os.path.exists(s)),
                   cpu=first.cpu, wall=first.wall, peak_mb=first.peak_mb, again_cpu=again.cpu, again_wall=again.wall,
                   packed_bytes=sum(f.stat().st_size for f in (folder / ".heddle" / "bitcode").iterdir()))
        counted = subprocess.run([self.counter, folder / ".heddle"], capture_output=True, text=True, check=True)
        row["linked"] = json.loads(counted.stdout)

    def sampled(self, package, _, commands, row):
        picked = commands if len(commands) <= self.sample else random.Random(SEED).sample(commands, self.sample)
        scratch = self.work / (package.name + ".sample")
        for jobs in (1, 2):
            shutil.rmtree(scratch, ignore_errors=True)
            scratch.mkdir()
            (scratch / "commands.json").write_text(json.dumps(picked))
            cost = self.capture(package, scratch, scratch / "commands.json", jobs)
            row[f"sample_cpu{jobs}"], row[f"sample_wall{jobs}"] = cost.cpu, cost.wall
        project = json.loads((scratch / ".heddle" / "project.json").read_text())
        row.update(sample=len(project["units"]), clang_cpu=self.clang(package, scratch, row))
        shutil.rmtree(scratch)

    def clang(self, package, scratch, row):
        """CPU seconds of `clang -O0 -g -c` on the commands of the sample, and how many of them it refuses."""
        shown = subprocess.run([self.heddle, "capture", "-p", scratch / "commands.json", "--commands-only",
                                "--print-clang"], cwd=scratch,
                               capture_output=True, text=True, check=True).stdout
        spent, row["clang_refused"] = 0.0, 0
        for line in set(line for line in shown.splitlines() if line.startswith("cd ")):
            _, folder, _, *words = shlex.split(line)
            cost = run(clang_words(words, scratch / "out.o"), folder, self.log(package))
            spent += cost.cpu
            row["clang_refused"] += cost.status != 0
        return spent

    def measure(self, package, again):
        kept = self.work / (package.name + ".result.json")
        row = json.loads(kept.read_text()) if kept.exists() and not again else {}
        steps = [step for step, last in ((self.whole, "linked"), (self.sampled, "clang_cpu")) if last not in row]
        if not steps:
            return
        print(f"{package.name} …", file=sys.stderr, flush=True)
        self.fetch(package)
        folder = self.source_folder(package)
        self.configure(package, folder)
        commands = self.record(package, folder)
        for step in steps:
            step(package, folder, commands, row)
            kept.write_text(json.dumps(row, indent=1) + "\n")


def clang_words(words, output):
    """The command of heddle's clang as an ordinary compilation: LLVM's passes for -O0 run, code is generated."""
    out, skip = [], False
    for word, following in zip(words, [*words[1:], ""]):
        if skip:
            skip = False
        elif word == "-Xclang" and following in ("-disable-O0-optnone", "-disable-llvm-passes"):
            skip = True
        elif word in ("-O1", "-O2", "-O3", "-Os"):  # code that refuses -O0: so far as it can be compiled there
            out += ["-O0", "-D__OPTIMIZE__", "-ferror-limit=0"]
        elif word == "--":
            out += ["-o", str(output), "--"]
        elif word != "-fstandalone-debug":
            out.append(word)
    return out


# heading, cell of a row `r` with its linked Program `l`
HELD = [
    ("units", lambda r, l: r["units"]),
    ("different", lambda r, l: l["units"]),
    ("failed", lambda r, l: len(r["failed"])),
    ("lines", lambda r, l: r["lines"]),
    ("functions", lambda r, l: l["functions"]),
    ("instructions", lambda r, l: l["instructions"]),
    ("unit files MB", lambda r, l: f"{l['unit_bytes'] / 1e6:.1f}"),
    ("bitcode MB", lambda r, l: f"{l['bitcode_bytes'] / 1e6:.1f}"),
    ("unit files / bitcode", lambda r, l: f"{100 * l['unit_bytes'] / max(1, l['bitcode_bytes']):.1f} %"),
    ("kept bitcode MB", lambda r, l: f"{r['packed_bytes'] / 1e6:.1f}"),
    ("linked, bytes an instruction", lambda r, l: f"{l['heap_bytes'] / max(1, l['instructions']):.0f}"),
    ("parsing bitcode / reading and linking", lambda r, l: f"{l['parse_ms'] / (l['read_ms'] + l['link_ms']):.1f}"),
]
COST = [
    ("CPU s", lambda r, l: f"{r['cpu']:.1f}"),
    ("wall s, two jobs", lambda r, l: f"{r['wall']:.0f}"),
    ("peak MB", lambda r, l: f"{r['peak_mb']:.0f}"),
    ("unchanged, CPU s", lambda r, l: f"{r['again_cpu']:.2f}"),
    ("first / unchanged", lambda r, l: f"{r['cpu'] / r['again_cpu']:.0f}"),
    ("sample", lambda r, l: "all" if r["sample"] >= r["units"] else f"{r['sample']} units"),
    ("one job, CPU s", lambda r, l: f"{r['sample_cpu1']:.1f}"),
    ("clang, CPU s", lambda r, l: f"{r['clang_cpu']:.1f}"),
    ("one job / clang", lambda r, l: f"{r['sample_cpu1'] / r['clang_cpu']:.2f}"),
    ("two jobs / one, CPU", lambda r, l: f"{r['sample_cpu2'] / r['sample_cpu1']:.2f}"),
    ("one job / two, wall", lambda r, l: f"{r['sample_wall1'] / r['sample_wall2']:.2f}"),
]


def table(results, columns):
    print("| package | " + " | ".join(heading for heading, _ in columns) + " |\n| --- |" + " ---: |" * len(columns))
    for name, row in results.items():
        print(f"| {name} | " + " | ".join(str(cell(row, row["linked"])) for _, cell in columns) + " |")
    print()


def remarks(results):
    for name, row in results.items():
        for message in row["failed"]:
            print(f"{name}: failed: {message}")
        if row["clang_refused"]:
            print(f"{name}: {row['clang_refused']} of the {row['sample']} sampled units cannot be compiled at -O0")


def main():
    p = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    p.add_argument("heddle", type=pathlib.Path)
    p.add_argument("folder", type=pathlib.Path)
    p.add_argument("packages", nargs="*", help="default: all of " + " ".join(package.name for package in PACKAGES))
    p.add_argument("--sample", type=int, default=150, help="most units to compare with clang (default 150)")
    p.add_argument("--again", action="store_true", help="measure packages that have results, too")
    args = p.parse_args()
    unknown = set(args.packages) - {package.name for package in PACKAGES}
    if unknown:
        p.error("unknown packages: " + " ".join(sorted(unknown)))
    bench = Bench(args.heddle, args.folder, args.sample)
    for package in PACKAGES:
        if not args.packages or package.name in args.packages:
            try:
                bench.measure(package, args.again)
            except Skipped as reason:
                print(f"{package.name}: {reason}", file=sys.stderr, flush=True)
    results = bench.results()
    (bench.work / "capture_packages.json").write_text(json.dumps(results, indent=1) + "\n")
    table(results, HELD)
    table(results, COST)
    remarks(results)


main()
