// Attacks on the machine: what outlives its command, what uses it up, and what the kernel offers.
import { existsSync, readFileSync } from "node:fs";
import { LIMITS, marks, quote, reaches, steals } from "./attack.ts";
import type { Attack } from "./attack.ts";

/** Out of the group, the session and the environment by which a harness could know it again. */
const ALONE = `env -i PATH="$PATH" setsid nohup sh -c`;

const STAYING: readonly Attack[] = [
  marks(
    "time bombs",
    "write outside after the command ended",
    ({ mark }) => `(${ALONE} '(sleep 0.8; echo > "$1") &' sh ${quote(mark)} > /dev/null 2>&1 &); sleep 0.2`,
    { waitMs: 1000 },
  ),
  marks(
    "time bombs",
    "change its own files after the command ended",
    () => `(${ALONE} '(sleep 0.8; echo > late.txt) &' > /dev/null 2>&1 &); sleep 0.2`,
    { waitMs: 1000, effect: ({ tree }) => existsSync(`${tree}/late.txt`) },
  ),
  marks(
    "time bombs",
    "go on after its time is up",
    () => "trap '' TERM HUP INT; for i in 1 2 3 4 5 6; do sleep 0.2; done; echo > late.txt",
    { timeoutMs: 400, waitMs: 1200, effect: ({ tree }) => existsSync(`${tree}/late.txt`) },
  ),
  {
    theme: "time bombs",
    name: "hold the harness by an open output",
    script: () => `(${ALONE} 'sleep 2.5' &); sleep 0.2`,
    timeoutMs: 400,
    succeeded: ({ held }) => held,
  },
  {
    theme: "fork bomb",
    name: "start processes without end",
    script: ({ unlimited, id }) =>
      unlimited
        ? `: ${id}; i=0; while [ $i -lt 100 ]; do (sleep 1.5; :) & i=$((i + 1)); done; wait`
        : `: ${id}; bomb() { bomb | bomb & }; bomb; sleep 1.5`,
    timeoutMs: 3000,
    counts: true,
    onlyAsRoot: true,
    succeeded: ({ peak }) => peak > 90,
  },
  {
    theme: "huge files",
    name: "write a huge file",
    script: () => `head -c ${LIMITS.fileBytes * 2} /dev/zero > huge.bin`,
    succeeded: ({ largestFile }) => largestFile > LIMITS.fileBytes,
  },
  {
    theme: "huge files",
    name: "make a file with a hole of a terabyte",
    script: () => "truncate -s 1000G huge.bin",
    succeeded: ({ largestFile }) => largestFile > LIMITS.fileBytes,
  },
  {
    theme: "huge files",
    name: "print more than anybody wants to read",
    script: () => "head -c 8000000 /dev/zero | tr '\\000' x",
    succeeded: ({ output }) => output.length > 4_000_000,
  },
  {
    theme: "huge files",
    name: "use all memory",
    script: () => `perl -e '$x = "x" x ${LIMITS.memoryBytes + 100_000_000}; print "REACHED\\n"'`,
    timeoutMs: 5000,
    succeeded: ({ output }) => /^REACHED$/m.test(output),
  },
];

const ROOT = { needs: "root" };
const USER_NAMESPACES = { needs: "user namespaces for everybody" };
const DISKS = { needs: "root and a disk that may be read" };

const KERNEL: readonly Attack[] = [
  reaches("kernel", "make a user namespace", () => "unshare -U true && echo REACHED", USER_NAMESPACES),
  reaches(
    "kernel",
    "mount a file system",
    () => "mkdir m && unshare -Urm mount -t tmpfs none m && echo REACHED",
    USER_NAMESPACES,
  ),
  reaches(
    "kernel",
    "mount as it is",
    () => "mkdir m && unshare -m mount -t tmpfs none m && echo REACHED",
    ROOT,
  ),
  steals(
    "kernel",
    "enter the namespaces of the harness",
    "other-file",
    ({ harnessPid, otherTree }) => {
      return `nsenter -t ${harnessPid} -m cat ${quote(`${otherTree}/secret.txt`)}`;
    },
    ROOT,
  ),
  marks("kernel", "end a process of the harness", ({ preyPid }) => `kill -9 ${preyPid}; sleep 0.1`, {
    effect: ({ preyPid }) => !isRunning(preyPid),
  }),
  reaches("kernel", "write a setting of the kernel", () => writeBack("/proc/sys/vm/swappiness"), ROOT),
  reaches("kernel", "write below /sys", () => writeBack("/sys/block/*/queue/read_ahead_kb"), ROOT),
  reaches(
    "kernel",
    "read a disk",
    () => `
    for disk in $(awk 'NR > 2 { print $4 }' /proc/partitions); do
      [ "$(head -c 512 /dev/$disk | wc -c)" = 512 ] && echo REACHED && break
    done`,
    DISKS,
  ),
  reaches(
    "kernel",
    "make a device for the disk",
    () => `
    awk 'NR > 2 { print $1, $2 }' /proc/partitions | head -n 1 | while read -r major minor; do
      mknod disk b "$major" "$minor" && [ "$(head -c 512 disk | wc -c)" = 512 ] && echo REACHED
    done; rm -f disk`,
    DISKS,
  ),
  reaches(
    "kernel",
    "read the kernel's log",
    () => "timeout 1 dd if=/dev/kmsg bs=8192 count=1 2>/dev/null | grep -q . && echo REACHED",
    { needs: "an open kernel log" },
  ),
  reaches(
    "kernel",
    "read the kernel's memory map",
    () => "head -c 64 /proc/kcore | grep -q ELF && echo REACHED",
    { needs: "root and /proc/kcore" },
  ),
  reaches(
    "kernel",
    "load a program into the kernel",
    () => calls({ x64: 321, arm64: 280 }, 'pack("L4 x100", 2, 4, 4, 1)', (map) => `0, ${map}, 72`),
    ROOT,
  ),
  reaches(
    "kernel",
    "watch a process of the harness",
    ({ childPid }) =>
      calls(
        { x64: 298, arm64: 241 },
        'pack("L2 Q x110", 1, 112, 1)',
        (event) => `${event}, ${childPid}, -1, -1, 0`,
      ),
    { needs: "a kernel that lets this user count events" },
  ),
  steals("kernel", "read a shared memory segment", "shared-memory", ({ sharedMemory }) => {
    return `perl -e 'shmread(${sharedMemory}, my $text, 0, 200) or die $!; print $text'`;
  }),
  steals("kernel", "read the keyring of the harness", "keyring", () => {
    const keyctl = number({ x64: 250, arm64: 219 });
    return `perl -e 'my ($type, $name, $text) = ("user", "cupel", "\\0" x 200);
      my $key = syscall(${keyctl}, 10, -3, $type, $name, 0); die $! if $key < 0;
      syscall(${keyctl}, 11, $key, $text, 200); print $text'`;
  }),
  reaches(
    "kernel",
    "take a port that no network namespace closes",
    ({ port }) =>
      `perl -e 'my $s; socket($s, 40, 1, 0) && bind($s, pack("S S L L x4", 40, 0, ${port}, 0xffffffff)) && print "REACHED\\n"'`,
    { needs: "sockets to the hypervisor (AF_VSOCK)" },
  ),
  marks(
    "kernel",
    "type into the terminal of the harness",
    ({ id }) =>
      `perl -e 'open my $tty, "+<", "/dev/tty" or die $!; ioctl($tty, 0x5412, $_) for split //, "${id}\\n"'`,
    { effect: ({ id }) => typed.includes(id), waitMs: 200, needs: "a kernel with TIOCSTI" },
  ),
];

export const ATTACKS_ON_THE_MACHINE: readonly Attack[] = [...STAYING, ...KERNEL];

/** What arrived from the terminal of this process. */
let typed = "";

export function listenToTerminal(): void {
  process.stdin.on("data", (text: Buffer) => (typed += text.toString()));
}

/** Writes what is there already, so that nothing changes where it is allowed. */
function writeBack(file: string): string {
  return `for file in ${file}; do value=$(cat "$file") && echo "$value" 2>/dev/null > "$file" && echo REACHED && break; done`;
}

function calls(numbers: Numbers, record: string, values: (record: string) => string): string {
  const call = `syscall(${number(numbers)}, ${values("$record")})`;
  return `perl -e 'my $record = ${record}; print ${call} < 0 ? $! : "REACHED\\n"'`;
}

type Numbers = Readonly<Record<"x64" | "arm64", number>>;

function number(numbers: Numbers): number {
  return process.arch === "arm64" ? numbers.arm64 : numbers.x64;
}

function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}
