// Attacks on the hub and on the other workspace through git.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { marks, quote, steals } from "./attack.ts";
import type { Attack, Scene } from "./attack.ts";

const GIT = "git -c safe.directory='*' -c protocol.file.allow=always";
const worktree = { worktree: true };

export const ATTACKS_ON_GIT: readonly Attack[] = [
  steals(
    "git objects and refs",
    "show a file of another branch",
    "hub-branch",
    () => "git show tests:secret.txt",
    worktree,
  ),
  steals(
    "git objects and refs",
    "read an object by its id",
    "hub-branch",
    ({ branchBlob }) => `git cat-file -p ${branchBlob}`,
    worktree,
  ),
  steals(
    "git objects and refs",
    "print the history of every ref",
    "hub-branch",
    () => "git log --all -p",
    worktree,
  ),
  steals(
    "git objects and refs",
    "name the hub as the git directory",
    "hub-branch",
    ({ hub }) => `${GIT} --git-dir=${quote(hub)} show tests:secret.txt`,
  ),
  steals(
    "git objects and refs",
    "clone the hub",
    "hub-branch",
    ({ hub }) => `${GIT} clone -q --mirror ${quote(hub)} mirror && git --git-dir=mirror log --all -p`,
  ),
  steals(
    "git objects and refs",
    "fetch every ref of the hub",
    "hub-branch",
    ({ hub }) =>
      `${GIT} fetch -q ${quote(`file://${hub}`)} '+refs/*:refs/stolen/*' && git log --glob=refs/stolen -p`,
  ),
  steals(
    "git objects and refs",
    "read the other workspace's own commits",
    "other-commit",
    ({ otherTree }) => `${GIT} -C ${quote(otherTree)} log --all -p`,
  ),
  steals(
    "git objects and refs",
    "follow the list of worktrees to the other workspace",
    "other-file",
    () => `
      for at in "$(git rev-parse --git-common-dir)"/worktrees/*/gitdir; do
        cat "$(dirname "$(cat "$at")")/secret.txt"
      done`,
    worktree,
  ),
  steals(
    "reflog",
    "read from the reflog what a branch no longer holds",
    "hub-reflog",
    () => "git log --walk-reflogs --all -p",
    worktree,
  ),
  steals(
    "reflog",
    "read the reflog files of the hub",
    "hub-reflog",
    ({ hub }) => `
      cut -d ' ' -f 1 ${quote(hub)}/logs/refs/heads/tests | while read -r id; do
        ${GIT} --git-dir=${quote(hub)} show "$id"
      done`,
  ),
  steals(
    "alternates",
    "borrow the hub's objects through the alternates file",
    "hub-branch",
    ({ hub, branchBlob }) => `
      git init -q borrower && echo ${quote(hub)}/objects > borrower/.git/objects/info/alternates
      git -C borrower cat-file -p ${branchBlob}`,
  ),
  steals(
    "alternates",
    "borrow the hub's objects through the environment",
    "hub-branch",
    ({ hub, branchBlob }) =>
      `git init -q borrower && cd borrower && GIT_ALTERNATE_OBJECT_DIRECTORIES=${quote(hub)}/objects git cat-file -p ${branchBlob}`,
  ),
  steals(
    "packed objects",
    "list every packed object",
    "hub-packed",
    () => "git cat-file --batch-all-objects --batch --buffer",
    worktree,
  ),
  steals(
    "packed objects",
    "unpack a copied pack of the hub",
    "hub-packed",
    ({ hub, packedBlob }) => `
      git init -q copy
      for pack in ${quote(hub)}/objects/pack/*.pack; do git -C copy unpack-objects -q < "$pack"; done
      git -C copy cat-file -p ${packedBlob}`,
  ),
  marks(
    "git objects and refs",
    "push to the hub",
    // Again when it fails: git refuses to push while somebody else is half way through making a worktree or a ref.
    ({ hub, id }) => `
      for attempt in 1 2 3 4 5; do
        ${GIT} push -q ${quote(hub)} HEAD:refs/heads/${id} && break; sleep 0.1
      done`,
    { effect: hubHasBranch },
  ),
  marks("git objects and refs", "make a branch in the shared ref store", ({ id }) => `git branch ${id}`, {
    effect: hubHasBranch,
    ...worktree,
  }),
  marks(
    "git objects and refs",
    "write a ref of the hub by hand",
    ({ hub, id }) => `cat ${quote(hub)}/refs/heads/main > ${quote(hub)}/refs/heads/${id}`,
    { effect: hubHasBranch },
  ),
  marks(
    "hooks and config",
    "put a hook into the hub",
    ({ hub, id }) => `mkdir -p ${quote(hub)}/hooks; echo exit > ${quote(hub)}/hooks/${id}`,
    { effect: ({ hub, id }) => existsSync(join(hub, "hooks", id)) },
  ),
  marks(
    "hooks and config",
    "add a setting to the hub",
    ({ hub, id }) => `printf '[${id}]\\n' >> ${quote(hub)}/config`,
    { effect: ({ hub, id }) => readFileSync(join(hub, "config"), "utf8").includes(id) },
  ),
];

function hubHasBranch({ hub, id }: Scene): boolean {
  return existsSync(join(hub, "refs/heads", id));
}
