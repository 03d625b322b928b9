// A filter for calls into the kernel that reach past a sandbox's walls and that no build or test needs.
import { constants } from "node:os";

interface Architecture {
  /** As the kernel's audit names it. */
  id: number;
  socket: number;
  calls: Readonly<Record<string, number>>;
}

/** Calls that are newer than the architectures' own tables have the same number everywhere. */
const NEWER = { io_uring_setup: 425, io_uring_enter: 426, io_uring_register: 427 };

const ARCHITECTURES: Readonly<Record<string, Architecture>> = {
  x64: {
    id: 0xc000003e,
    socket: 41,
    // The keys of a session are inherited like open files, but through no namespace.
    calls: {
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      bpf: 321,
      userfaultfd: 323,
      perf_event_open: 298,
      ...NEWER,
    },
  },
  arm64: {
    id: 0xc00000b7,
    socket: 198,
    calls: {
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      bpf: 280,
      userfaultfd: 282,
      perf_event_open: 241,
      ...NEWER,
    },
  },
};

/** Unix, IPv4, IPv6 and netlink; others, such as the sockets of virtual machines, know no network namespace. */
const FAMILIES = [1, 2, 10, 16];

/** From here on numbers mean calls of another kind of program on the same processor. */
const OTHER_KIND = 0x40000000;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
/** As if the kernel did not have the call, for which programs are prepared. */
const REFUSE = 0x00050000 | constants.errno.ENOSYS;

/** In the form that bubblewrap hands to the kernel; undefined on processors whose numbers are not known here. */
export function callFilter(processor: string = process.arch): Buffer | undefined {
  const architecture = ARCHITECTURES[processor];
  if (architecture === undefined) return undefined;
  const calls = Object.values(architecture.calls);
  const toRefuse = calls.length + FAMILIES.length;
  // Jumps count from the next instruction; the last two refuse and allow.
  return Buffer.concat([
    instruction(LOAD, PROCESSOR),
    instruction(IF_EQUAL, architecture.id, 0, toRefuse + 4),
    instruction(LOAD, CALL),
    instruction(IF_AT_LEAST, OTHER_KIND, toRefuse + 2),
    ...calls.map((call, index) => instruction(IF_EQUAL, call, toRefuse + 1 - index)),
    instruction(IF_EQUAL, architecture.socket, 0, FAMILIES.length + 2),
    instruction(LOAD, FIRST_ARGUMENT),
    ...FAMILIES.map((family, index) => instruction(IF_EQUAL, family, FAMILIES.length - index)),
    instruction(RETURN, REFUSE),
    instruction(RETURN, ALLOW),
  ]);
}

/** Where the kernel puts what it tells the filter. */
const CALL = 0;
const PROCESSOR = 4;
const FIRST_ARGUMENT = 16;

function instruction(code: number, value: number, whenTrue = 0, whenFalse = 0): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(whenTrue, 2);
  bytes.writeUInt8(whenFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
