// Attacks that wait for the harness: files laid out so that it runs them, reads elsewhere or stumbles.
import { existsSync, lstatSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { plants, quote, steals, trips } from "./attack.ts";
import type { Attack, Outcome, Scene } from "./attack.ts";

const COMMIT = "git add -A; git commit -q -m work";
const NESTED = "git init -q part; git -C part -c user.name=a -c user.email=a@b commit -q --allow-empty -m x";
const vitest = join(import.meta.dirname, "../../node_modules/vitest/vitest.mjs");

const HOOKS_AND_CONFIG: readonly Attack[] = [
  hook("pre-commit", COMMIT),
  hook("post-checkout", "git checkout -q -B other"),
  hook("post-index-change", "echo > new; git add new"),
  hook("reference-transaction", "git update-ref refs/heads/new HEAD"),
  setting("core.hooksPath", "git checkout -q -B other", (run) => ({
    files: { "hooks/post-checkout": `#!/bin/sh\n${run}` },
    config: `[core]\nhooksPath = hooks`,
  })),
  setting("core.fsmonitor", "git status", (run) => ({ config: `[core]\nfsmonitor = "${run}; false"` })),
  setting("core.sshCommand", "git fetch -q --all", (run) => ({
    config: `[core]\nsshCommand = "${run}; false"\n[remote "more"]\nurl = ssh://localhost/x`,
  })),
  setting("core.editor", "git commit -q --amend", (run) => ({ config: `[core]\neditor = "${run}; false"` })),
  setting("gpg.program", "git commit -q --allow-empty -m work", (run) => ({
    files: { sign: `#!/bin/sh\n${run}` },
    config: `[commit]\ngpgSign = true\n[user]\nsigningKey = x\n[gpg]\nprogram = ./sign`,
  })),
  setting(
    "credential.helper",
    "printf 'protocol=http\\nhost=localhost\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill",
    (run) => ({
      config: `[credential]\nhelper = "!${run}"`,
    }),
  ),
  setting("include.path", "git status", (run) => ({
    files: { more: `[core]\nfsmonitor = "${run}; false"` },
    config: `[include]\npath = ../more`,
  })),
  setting("a remote that is a command", "git fetch -q --all", (run) => ({
    config: `[protocol "ext"]\nallow = always\n[remote "more"]\nurl = "ext::sh -c ${run.replaceAll(" ", "% ")}"`,
  })),
  setting("submodule.update", "git submodule update --init", (run) => ({
    files: { ".gitmodules": '[submodule "part"]\npath = part\nurl = ./part' },
    config: `[submodule "part"]\nactive = true\nurl = ./part\nupdate = "!${run};"`,
    also: `${NESTED}; git add part .gitmodules 2> /dev/null; ${NESTED}`,
  })),
  plants(
    "hooks and config",
    "a nested repository with settings of its own",
    ({ mark }) => `
      ${NESTED}
      printf '[core]\\nfsmonitor = "%s; false"\\n' ${quote(command(mark))} >> part/.git/config`,
    "git add part; git status",
  ),
  plants(
    "hooks and config",
    "a git directory that leads to the hub",
    ({ hub, id }) => `
      mv .git mine; echo "gitdir: ${hub}" > .git
      echo ${id} > planted.txt`,
    "git branch $(cat planted.txt)",
    { effect: ({ hub, id }) => existsSync(join(hub, "refs/heads", id)) },
  ),
  plants(
    "symlinks",
    "a git directory that is a link to the other workspace's",
    ({ otherTree, id }) => `rm -rf .git; ln -s ${quote(otherTree)}/.git .git; echo ${id} > planted.txt`,
    "git branch $(cat planted.txt)",
    { effect: ({ otherTree, id }) => existsSync(join(otherTree, ".git/refs/heads", id)) },
  ),
  steals(
    "hooks and config",
    "a work tree that lies elsewhere",
    "other-file",
    ({ otherTree }) => `printf '[core]\\nworktree = %s\\n' ${quote(otherTree)} >> .git/config`,
    { sweep: true, careless: () => `${COMMIT}; git log -p -1` },
  ),
  plants(
    "hooks and config",
    "a script in package.json",
    ({ mark }) => write("package.json", JSON.stringify({ scripts: { test: command(mark) } })),
    "npm test",
  ),
  plants(
    "hooks and config",
    "a shell named in .npmrc",
    ({ mark }) => `
      ${write("package.json", JSON.stringify({ scripts: { test: "true" } }))}
      ${write(".npmrc", "script-shell=./shell")}
      ${write("shell", `#!/bin/sh\n${command(mark)}\n`)}; chmod +x shell`,
    "npm test",
  ),
  plants(
    "hooks and config",
    "options for node in .env",
    ({ mark }) =>
      `${write(".env", 'NODE_OPTIONS="--require=./first.cjs"')}; ${write("first.cjs", nodeProgram(mark))}`,
    "set -a; . ./.env; node --version; node -e 0",
  ),
  plants(
    "shared caches",
    "a configuration of vitest",
    ({ mark }) =>
      write(
        "vitest.config.mjs",
        `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(mark)}, "");`,
      ),
    `node ${quote(vitest)} list --root .`,
  ),
];

const FILTERS: readonly Attack[] = [
  filter("filter.clean", "git add -A", (run) => `[filter "x"]\nclean = "${run}; cat"`),
  filter(
    "filter.smudge",
    "git add -A; rm new.txt; git checkout -- new.txt",
    (run) => `[filter "x"]\nsmudge = "${run}; cat"`,
  ),
  filter("filter.process", "git add -A", (run) => `[filter "x"]\nprocess = "${run}; false"`),
  filter(
    "diff.textconv",
    `${COMMIT}; echo more >> new.txt; git diff`,
    (run) => `[diff "x"]\ntextconv = "${run}; cat"`,
  ),
  filter(
    "diff.external",
    `${COMMIT}; echo more >> new.txt; git diff`,
    (run) => `[diff]\nexternal = "${run}; true"`,
  ),
  filter(
    "merge.driver",
    `${COMMIT}; git branch side; echo one > new.txt; git commit -qam one; git checkout -q side; echo two > new.txt; git commit -qam two; git merge -`,
    (run) => `[merge "x"]\ndriver = "${run}; false"`,
  ),
];

const NO_ROOT = { needs: "a harness that is not root, for whom nothing is closed" };

const TAKE_BACK: readonly Attack[] = [
  link(
    "a directory that became a link to the other workspace",
    ({ otherTree }) => `rm -rf src; ln -s ${quote(otherTree)} src`,
  ),
  link(
    "a file that is a link to a secret",
    ({ otherTree }) => `mkdir -p src; ln -s ${quote(otherTree)}/secret.txt src/notes.txt`,
  ),
  link(
    "a file that is a second name of a secret",
    ({ otherTree }) => `mkdir -p src; ln ${quote(otherTree)}/secret.txt src/notes.txt`,
    "hard links",
  ),
  hides("a change that git was told to overlook", () => {
    return "git update-index --assume-unchanged readme.md; echo a change >> readme.md";
  }),
  hides("a file that git was told to ignore", () => {
    return "echo hidden.ts | tee .gitignore > .git/info/exclude; echo a change > hidden.ts";
  }),
  {
    theme: "symlinks",
    name: "a mount point that leads to the other workspace",
    script: ({ otherTree }) => `ln -s ${quote(otherTree)} granted`,
    thenMounted: ({ otherTree }) => `test -e ${quote(otherTree)}/granted.txt && echo REACHED`,
    succeeded: ({ output }) => /^REACHED$/m.test(output),
  },
  trips("a pipe that nobody writes to", () => "mkdir -p src; mkfifo src/pipe.ts", stumbles),
  trips("a device that never ends", () => "mkdir -p src; mknod src/endless.ts c 1 5", stumbles, {
    needs: "the right to make devices",
  }),
  trips("a link to a device that never ends", () => "mkdir -p src; ln -s /dev/zero src/endless.ts", stumbles),
  trips(
    "a socket among the files",
    () =>
      `mkdir -p src; perl -e 'use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0); bind($s, sockaddr_un("src/door.ts"))'`,
    stumbles,
  ),
  trips(
    "a name that speaks to git's importer",
    () => `mkdir -p src; echo x > "$(printf 'src/a.ts\\ndata 0\\nM 100644 inline injected.txt')"`,
    ({ taken }) => taken.includes("injected.txt"),
  ),
  trips(
    "another spelling of .git",
    () => "mkdir -p .GIT/hooks; echo exit > .GIT/hooks/pre-commit",
    takesGitDirectory,
  ),
  trips(
    "a git directory further down",
    () => "mkdir -p src/.git; echo '[core]' > src/.git/config",
    takesGitDirectory,
  ),
  trips("a name that is not text", () => `mkdir -p src; echo x > "$(printf 'src/\\377\\376.ts')"`, stumbles),
  trips(
    "directories deeper than a path can be long",
    () =>
      "perl -e 'for (1 .. 700) { mkdir q(deeper) or die $!; chdir q(deeper) or die $! } open F, q(>), q(bottom.ts)'",
    stumbles,
  ),
  trips(
    "a directory that nobody may enter",
    () => "mkdir -p src/shut; echo x > src/shut/a.ts; chmod 000 src/shut",
    stumbles,
    NO_ROOT,
  ),
  trips(
    "a file that nobody may read",
    () => "mkdir -p src; echo x > src/shut.ts; chmod 000 src/shut.ts",
    stumbles,
    NO_ROOT,
  ),
  trips(
    "a git directory that nobody may enter",
    () =>
      "echo x > new.ts; git add new.ts; git commit -q -m work; chmod 000 .git/objects/* .git/objects .git",
    stumbles,
    { careless: () => "git status", ...NO_ROOT },
  ),
  trips(
    "more files than a harness can deal with one by one",
    () => "mkdir src; perl -e 'for (1 .. 1500) { open F, q(>), qq(src/$_.ts); print F $_ }'",
    stumbles,
    {
      careless: () => "exec find . -name '*.ts' -exec git add {} ';' -exec git status -s {} ';' > /dev/null",
    },
  ),
  trips(
    "a directory that nobody may empty",
    () => "mkdir -p src/stuck; echo x > src/stuck/a.ts; chmod 555 src/stuck",
    stumbles,
    { carelessWalk: "remove", ...NO_ROOT },
  ),
  trips(
    "a file that claims to be endless",
    () => "mkdir -p src; truncate -s 900G src/endless.ts",
    (outcome) => stumbles(outcome) || outcome.largestFile > 1e11,
  ),
  trips(
    "a link to a file whose mode the harness would change",
    ({ preyFile }) => `ln -s ${quote(preyFile)} open-me`,
    marked,
    {
      carelessWalk: "remove",
      effect: ({ preyFile }) => !existsSync(preyFile) || (statSync(preyFile).mode & 0o777) !== 0o644,
    },
  ),
  trips(
    "a link to a directory that the harness would empty",
    ({ preyFile }) => `ln -s ${quote(dirname(preyFile))} empty-me`,
    marked,
    { carelessWalk: "remove", effect: ({ preyFile }) => !existsSync(preyFile) },
  ),
  trips(
    "a commit whose parents do not exist",
    () => `
      for nobody in 1 2 3; do
        printf 'tree %040d\\nparent %040d\\nauthor a <a@b> 0 +0000\\ncommitter a <a@b> 0 +0000\\n\\nx\\n' $nobody $nobody |
          git hash-object -t commit -w --stdin --literally
      done`,
    stumbles,
    { careless: () => "git fsck --full" },
  ),
  trips(
    "objects that are no objects",
    () =>
      "for at in aa bb cc dd; do mkdir -p .git/objects/$at; printf nothing > .git/objects/$at/$(printf %038d 1); done",
    stumbles,
    { careless: () => "git fsck --full" },
  ),
  plants(
    "what the harness takes back",
    "a program that keeps the rights of its owner",
    () => "cp /bin/true tool; chmod 4755 tool",
    'cp -p tool ../../../../"$(basename "$PWD")"-tool',
    { effect: ({ project }) => keepsRights(project) },
  ),
];

export const ATTACKS_ON_THE_HARNESS: readonly Attack[] = [...HOOKS_AND_CONFIG, ...FILTERS, ...TAKE_BACK];

function command(mark: string): string {
  return `touch ${mark}`;
}

function write(file: string, text: string): string {
  return `printf %s ${quote(text)} > ${file}`;
}

function nodeProgram(mark: string): string {
  return `require("node:fs").writeFileSync(${JSON.stringify(mark)}, "");`;
}

function hook(name: string, careless: string): Attack {
  return plants(
    "hooks and config",
    `the hook ${name}`,
    ({ mark }) =>
      `mkdir -p .git/hooks; ${write(`.git/hooks/${name}`, `#!/bin/sh\n${command(mark)}\n`)}; chmod +x .git/hooks/${name}`,
    careless,
  );
}

interface Planting {
  config: string;
  files?: Readonly<Record<string, string>>;
  also?: string;
}

/** The settings are appended at the very end, so that the attacker's own git does not set them off. */
function setting(name: string, careless: string, make: (run: string) => Planting): Attack {
  return plants(
    "hooks and config",
    `the setting ${name}`,
    ({ mark }) => {
      const { config, files = {}, also = "true" } = make(command(mark));
      const planted = Object.entries(files).map(
        ([file, text]) => `mkdir -p "$(dirname ${file})"; ${write(file, text)}; chmod +x ${file}`,
      );
      return [...planted, also, `printf '%s\\n' ${quote(config)} >> .git/config`].join("\n");
    },
    careless,
  );
}

function filter(name: string, careless: string, config: (run: string) => string): Attack {
  return plants(
    "filters and attributes",
    `the setting ${name}`,
    ({ mark }) => `
      echo text > new.txt; ${write(".gitattributes", "*.txt filter=x diff=x merge=x\n")}
      printf '%s\\n' ${quote(config(command(mark)))} >> .git/config`,
    careless,
  );
}

function link(name: string, script: Attack["script"], theme: Attack["theme"] = "symlinks"): Attack {
  return steals(theme, name, "other-file", script, { sweep: true, carelessWalk: "take" });
}

/** Keeps a change from whoever looks at the work through the agent's own repository. */
function hides(name: string, script: Attack["script"]): Attack {
  return {
    theme: "what the harness takes back",
    name,
    script,
    sweep: true,
    careless: () => `${COMMIT}; git log -p -1`,
    succeeded: ({ text }) => !text.includes("a change"),
  };
}

function stumbles({ stalled, crashed, left }: Outcome): boolean {
  return stalled || crashed || left;
}

function marked(outcome: Outcome): boolean {
  return outcome.marked;
}

function takesGitDirectory({ taken }: Outcome): boolean {
  return taken.some((path) => path.toLowerCase().split("/").includes(".git"));
}

/** Looks only where the harness puts things, not into workspaces. */
function keepsRights(project: Scene["project"]): boolean {
  return readdirSync(project).some((name) => (lstatSync(join(project, name)).mode & 0o4000) !== 0);
}
