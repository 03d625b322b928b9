// Which declared test a test that ran comes from; titles may have holes that are filled when tests run.

/** Whether a test that ran is one of those that `declared` stands for. */
export function comesFrom(name: string, declared: string): boolean {
  const [first = "", ...others] = declared.split(HOLES);
  const last = others.pop();
  if (last === undefined) return name === declared;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let from = first.length;
  for (const part of others) {
    const at = name.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= end;
}

/** `%s` and the like, `$key` and `${…}`. */
const HOLES = /%[sdifjoOc#$]|\$\{[^}]*\}|\$[\w.]+/;
