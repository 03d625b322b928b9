// Runs a command where the network has one door only: a port of the loopback that leads to a socket outside. Afterwards
// it writes down who knocked anywhere else.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";

const [socket, port, report, command, ...args] = process.argv.slice(2);
let through = 0;
const door = createServer((inside) => {
  through += 1;
  const outside = connect(socket);
  inside.pipe(outside).pipe(inside);
  for (const end of [inside, outside]) end.on("error", () => [inside, outside].map((both) => both.destroy()));
});
door.listen(Number(port), "127.0.0.1", () => {
  const child = spawn(command, args, { stdio: "inherit" });
  child.on("error", () => leave(127));
  child.on("exit", (code) => leave(code ?? 1));
});

function leave(code) {
  const counted = { ...table("/proc/net/snmp"), ...list("/proc/net/snmp6") };
  const { IpOutNoRoutes, Ip6OutNoRoutes, UdpOutDatagrams, Udp6OutDatagrams, TcpActiveOpens } = counted;
  const astray = { IpOutNoRoutes, Ip6OutNoRoutes, UdpOutDatagrams, Udp6OutDatagrams };
  writeFileSync(report, JSON.stringify({ through, opened: TcpActiveOpens, astray }));
  process.exit(code);
}

function table(path) {
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(/:? +/));
  const values = {};
  for (let at = 0; at < lines.length; at += 2)
    lines[at].slice(1).forEach((name, index) => {
      values[lines[at][0] + name] = Number(lines[at + 1][index + 1]);
    });
  return values;
}

function list(path) {
  const lines = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split(/\s+/));
  return Object.fromEntries(lines.map(([name, value]) => [name, Number(value)]));
}
