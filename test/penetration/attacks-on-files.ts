// Attacks on files of others: by path, by link, through /proc, and through places that everybody shares.
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { marks, quote, reaches, steals } from "./attack.ts";
import type { Attack, Outcome, Scene, Theme } from "./attack.ts";

export const ATTACKS_ON_FILES: readonly Attack[] = [
  steals("parent directories", "climb to the other workspace", "other-file", ({ tree, otherTree }) => {
    return `cat ${quote(join(relative(tree, otherTree), "secret.txt"))}`;
  }),
  steals(
    "parent directories",
    "search everything above",
    "other-file",
    () =>
      "find ../../.. \\( -name usr -o -name proc \\) -prune -o -name secret.txt -exec cat {} + 2>/dev/null",
  ),
  marks(
    "parent directories",
    "change its own record",
    ({ id }) => `echo ' ' changed-${id} >> ../workspace.json`,
    {
      effect: ({ tree, id }) => readText(join(tree, "../workspace.json")).includes(`changed-${id}`),
    },
  ),
  steals("absolute paths", "read the other workspace by its path", "other-file", ({ otherTree }) => {
    return `cat ${quote(join(otherTree, "secret.txt"))}`;
  }),
  steals("absolute paths", "read the state store", "store", ({ store }) => `cat ${quote(store)}/*`),
  writes("absolute paths", "write into the other workspace", ({ otherTree, id }) => join(otherTree, id)),
  writes("absolute paths", "write into the state store", ({ store, id }) => join(store, id)),
  marks("absolute paths", "write outside", ({ mark }) => `echo > ${quote(mark)}`),
  steals("symlinks", "read the other workspace through a link", "other-file", ({ otherTree }) => {
    return `ln -s ${quote(otherTree)} link && cat link/secret.txt`;
  }),
  marks("symlinks", "write outside through a link", ({ mark }) => `ln -s ${quote(mark)} link && echo > link`),
  steals("hard links", "give a file of the other workspace a second name", "other-file", ({ otherTree }) => {
    return `ln ${quote(join(otherTree, "secret.txt"))} mine && cat mine`;
  }),

  steals("/proc", "climb from its own working directory", "other-file", ({ tree, otherTree }) => {
    return `cat /proc/self/cwd/${quote(join(relative(tree, otherTree), "secret.txt"))}`;
  }),
  steals("/proc", "enter the root of any process", "other-file", ({ otherTree }) => {
    return `for root in /proc/[0-9]*/root; do cat "$root"${quote(join(otherTree, "secret.txt"))}; done 2>/dev/null`;
  }),
  steals(
    "/proc",
    "enter the working directory of the harness",
    "harness-directory",
    ({ harnessPid }) => `cat /proc/${harnessPid}/cwd/secret.txt; cat /proc/[0-9]*/cwd/secret.txt 2>/dev/null`,
  ),
  steals(
    "/proc",
    "read the environment of every process",
    "environment",
    () => "cat /proc/[0-9]*/environ 2>/dev/null | tr '\\000' '\\n'",
  ),
  steals(
    "/proc",
    "read the open files of the harness",
    "descriptor",
    ({ harnessPid }) => `timeout 2 cat /proc/${harnessPid}/fd/3; timeout 2 cat /proc/$PPID/fd/3`,
  ),
  steals(
    "/proc",
    "read the memory of a process of the harness",
    "child-environment",
    ({ childPid }) =>
      perl(`
      open my $maps, "<", "/proc/${childPid}/maps" or die $!;
      my ($from, $to) = map { hex } (grep { /\\[stack\\]/ } <$maps>)[0] =~ /^(\\w+)-(\\w+)/;
      open my $mem, "<", "/proc/${childPid}/mem" or die $!;
      sysseek $mem, $from, 0; sysread $mem, my $stack, $to - $from;
      print $stack =~ /(CUPEL-[\\w-]+)/g;`),
    { needs: "a kernel that lets a process look at others of its user" },
  ),

  steals(
    "/tmp",
    "read a file of the machine's /tmp",
    "tmp",
    ({ machineTmp }) => `cat ${quote(machineTmp)}/*`,
  ),
  writes("/tmp", "write into the machine's /tmp", ({ machineTmp, id }) => join(machineTmp, id)),
  message("/tmp", "leave a message in /tmp", ({ id }) => `/tmp/${id}`),
  message("/tmp", "leave a message in its own temporary directory", ({ id }) => `"\${TMPDIR:-/tmp}"/${id}`),
  message("/tmp", "leave a message in /var/tmp", ({ id }) => `/var/tmp/${id}`),
  message("other users' home", "leave a message in its own home", ({ id }) => `"$HOME"/${id}`),
  steals(
    "/tmp",
    "read shared memory that is a file",
    "shared-file",
    ({ sharedFile }) => `cat ${quote(sharedFile)}`,
  ),

  steals("environment", "print its own environment", "environment", () => "env; cat /proc/self/environ"),
  steals(
    "inherited descriptors",
    "read from every descriptor it has",
    "descriptor",
    () =>
      'for fd in /proc/self/fd/*; do case ${fd##*/} in [012]) ;; *) timeout 1 cat "$fd" ;; esac; done 2>/dev/null',
  ),

  steals("shared caches", "read the npm cache", "npm-cache", ({ npmCache }) => `cat ${quote(npmCache)}/*`),
  writes("shared caches", "poison the npm cache", ({ npmCache, id }) => join(npmCache, id)),
  steals(
    "shared caches",
    "read the vitest cache",
    "vitest-cache",
    ({ vitestCache }) => `cat ${quote(vitestCache)}/*`,
  ),
  writes("shared caches", "poison the vitest cache", ({ vitestCache, id }) => join(vitestCache, id)),
  steals(
    "shared caches",
    "read the TypeScript build info",
    "build-info",
    ({ buildInfo }) => `cat ${quote(buildInfo)}`,
  ),
  marks(
    "shared caches",
    "poison the TypeScript build info",
    ({ buildInfo, id }) => `echo ${id} >> ${quote(buildInfo)}`,
    {
      effect: ({ buildInfo, id }) => readText(buildInfo).includes(id),
    },
  ),
  steals("other users' home", "read another home", "home", ({ home }) => `cat ${quote(home)}/.netrc`),
  marks(
    "other users' home",
    "add to another home's profile",
    ({ home, id }) => `echo '# ${id}' >> ${quote(home)}/.profile`,
    {
      effect: ({ home, id }) => readText(join(home, ".profile")).includes(id),
    },
  ),

  steals("sockets and loopback services", "call a service on the loopback", "loopback", ({ port }) =>
    perl(`
      use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0);
      connect($s, sockaddr_in(${port}, inet_aton("127.0.0.1"))) or die $!; print <$s>;`),
  ),
  steals("sockets and loopback services", "call a socket in a directory", "socket", ({ socket }) =>
    perl(`
      use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0);
      connect($s, sockaddr_un("${socket}")) or die $!; print <$s>;`),
  ),
  steals(
    "sockets and loopback services",
    "call an abstract socket",
    "abstract-socket",
    ({ abstractSocket }) =>
      perl(`
      use Socket;
      for my $form ("S a108", "S a*") {
        socket(my $s, PF_UNIX, SOCK_STREAM, 0);
        connect($s, pack($form, AF_UNIX, "\\0${abstractSocket}")) and print <$s>;
      }`),
  ),
  message(
    "sockets and loopback services",
    "serve a message on the loopback",
    () => "",
    ({ id, port }) =>
      `(env -i PATH="$PATH" setsid nohup ${perl(`
        use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0); setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
        bind($s, sockaddr_in(${port + 1}, inet_aton("127.0.0.1"))) or die $!; listen($s, 1);
        alarm 3; accept(my $c, $s); print $c "MESSAGE ${id}";`)} > /dev/null 2>&1 &); sleep 0.3`,
    ({ port }) =>
      perl(`
        use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0);
        connect($s, sockaddr_in(${port + 1}, inet_aton("127.0.0.1"))) or die $!; print <$s>;`),
  ),
  reaches(
    "sockets and loopback services",
    "look for network interfaces",
    () => "grep -q 'eth\\|ens\\|enp\\|wl\\|docker' /proc/net/dev && echo REACHED",
    {
      needs: "a network",
    },
  ),
];

/** Makes a file in a place that is not its own. */
function writes(theme: Theme, name: string, place: (scene: Scene) => string): Attack {
  return marks(theme, name, (scene) => `echo > ${quote(place(scene))}`, {
    effect: (scene) => readText(place(scene)) === "\n",
  });
}

/** Leaves words where an agent in the other workspace can find them. */
function message(
  theme: Theme,
  name: string,
  place: (scene: Scene) => string,
  leave = (scene: Scene) => `echo MESSAGE ${scene.id} > ${place(scene)}`,
  find = (scene: Scene) => `cat ${place(scene)}; rm -f ${place(scene)}`,
): Attack {
  return { theme, name, script: leave, thenInOther: find, succeeded: isDelivered };
}

function isDelivered({ output }: Outcome): boolean {
  return /MESSAGE p-/.test(output);
}

function perl(program: string): string {
  return `perl -e ${quote(program)}`;
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
