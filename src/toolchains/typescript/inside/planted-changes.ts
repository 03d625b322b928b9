// Runs inside a site: functions that do what a module alone must not do, so that somebody is seen to notice.

let calls = 0;

/** Is another after some calls. */
export function cupelCounted(): number {
  return Math.sign(Math.max(0, (calls += 1) - 1000));
}

/** Changes its argument, and what all code shares. */
export function cupelPlanted(list: unknown[]): number {
  return list.push(Reflect.set(Array.prototype, "cupelPlanted", true));
}
