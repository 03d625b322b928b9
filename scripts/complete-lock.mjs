// Completes package-lock.json with optional packages for other platforms. npm leaves them out when the registry at hand
// does not hold them, and then refuses its own lock file in `npm ci`. Run it after every change of dependencies.
import { readFileSync, writeFileSync } from "node:fs";

const OS = [
  "darwin",
  "linux",
  "win32",
  "android",
  "freebsd",
  "netbsd",
  "openbsd",
  "sunos",
  "aix",
  "openharmony",
];
const CPU = ["arm64", "arm", "x64", "ia32", "ppc64", "riscv64", "s390x", "loong64", "mips64el", "wasm32"];

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const added = [];

for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const place = `node_modules/${name}`;
    if (lock.packages[place] !== undefined) continue;
    lock.packages[place] = {
      version,
      ...platformOf(name),
      ...(parent.dev ? { dev: true } : {}),
      optional: true,
    };
    added.push(name);
  }
}

const addresses = Object.values(lock.packages).filter((entry) => entry.resolved !== undefined);
if (addresses.length > 0) throw new Error(`package-lock.json holds ${addresses.length} download addresses`);

lock.packages = Object.fromEntries(Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
console.log(`lock file: ${added.length} packages for other platforms added`);

function platformOf(name) {
  const words = name.split(/[/-]/);
  const os = OS.find((word) => words.includes(word));
  const cpu = CPU.find((word) => words.includes(word)) ?? (words.includes("ppc64le") ? "ppc64" : undefined);
  if (os === undefined && cpu === undefined) throw new Error(`cannot tell the platform of ${name}`);
  const libc = words.includes("musl")
    ? "musl"
    : words.some((word) => word.startsWith("gnu"))
      ? "glibc"
      : undefined;
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === "linux" && libc !== undefined ? { libc: [libc] } : {}),
    ...(os === undefined ? {} : { os: [os] }),
  };
}
