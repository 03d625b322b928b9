// What an agent can reach when there is no sandbox, as the penetration suite has seen it; doctor and certificates say it.

export interface OpenDoor {
  /** The attack of the penetration suite that gets through. */
  attack: string;
  /** What that means, for people. */
  door: string;
}

const HUB_READ = "the hub can be read by its path, with every branch in it";
const HUB_WRITTEN = "the hub can be written by its path";
const WORKSPACE_READ = "files of other workspaces can be read by their path";
const WORKSPACE_WRITTEN = "files of other workspaces can be written by their path";
const STORE = "the state store and the records of workspaces can be read and written";
const MACHINE_FILES = "files of the user, temporary files and caches can be read and written";
const PROCESSES = "other processes of the user can be looked into and ended";
const SERVICES = "sockets, the loopback and the network can be used";
const MEMORY = "shared memory and the keys of the session can be read";
const STAYING = "a process can go on after its command has ended";
const FORKS = "as root, processes can be started without end";
const KERNEL = "namespaces can be made, and as root the kernel can be changed";

/** Each is one that the suite sees succeed without a sandbox; all others fail there too. */
export const OPEN_WITHOUT_SANDBOX: readonly OpenDoor[] = [
  ...through(HUB_READ, [
    "name the hub as the git directory",
    "clone the hub",
    "fetch every ref of the hub",
    "read the reflog files of the hub",
    "borrow the hub's objects through the alternates file",
    "borrow the hub's objects through the environment",
    "unpack a copied pack of the hub",
  ]),
  ...through(HUB_WRITTEN, [
    "push to the hub",
    "write a ref of the hub by hand",
    "put a hook into the hub",
    "add a setting to the hub",
  ]),
  ...through(WORKSPACE_READ, [
    "read the other workspace's own commits",
    "climb to the other workspace",
    "search everything above",
    "read the other workspace by its path",
    "read the other workspace through a link",
    "give a file of the other workspace a second name",
    "a file that is a second name of a secret",
    "climb from its own working directory",
    "enter the root of any process",
  ]),
  ...through(WORKSPACE_WRITTEN, ["write into the other workspace"]),
  ...through(STORE, ["change its own record", "read the state store", "write into the state store"]),
  ...through(MACHINE_FILES, [
    "write outside",
    "write outside through a link",
    "read a file of the machine's /tmp",
    "write into the machine's /tmp",
    "leave a message in /tmp",
    "leave a message in /var/tmp",
    "read the npm cache",
    "poison the npm cache",
    "read the vitest cache",
    "poison the vitest cache",
    "read the TypeScript build info",
    "poison the TypeScript build info",
    "read another home",
    "add to another home's profile",
  ]),
  ...through(PROCESSES, [
    "enter the working directory of the harness",
    "read the environment of every process",
    "read the open files of the harness",
    "read the memory of a process of the harness",
    "end a process of the harness",
    "watch a process of the harness",
  ]),
  ...through(SERVICES, [
    "call a service on the loopback",
    "call a socket in a directory",
    "call an abstract socket",
    "serve a message on the loopback",
    "look for network interfaces",
    "take a port that no network namespace closes",
  ]),
  ...through(MEMORY, [
    "read shared memory that is a file",
    "read a shared memory segment",
    "read the keyring of the harness",
  ]),
  ...through(STAYING, [
    "write outside after the command ended",
    "change its own files after the command ended",
  ]),
  ...through(FORKS, ["start processes without end"]),
  ...through(KERNEL, [
    "make a user namespace",
    "mount a file system",
    "mount as it is",
    "enter the namespaces of the harness",
    "write a setting of the kernel",
    "write below /sys",
    "read a disk",
    "make a device for the disk",
    "read the kernel's log",
    "read the kernel's memory map",
    "load a program into the kernel",
  ]),
];

function through(door: string, attacks: readonly string[]): OpenDoor[] {
  return attacks.map((attack) => ({ attack, door }));
}
