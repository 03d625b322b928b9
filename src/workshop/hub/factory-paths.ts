// Which paths belong to the factory itself: `.cupel`, in every spelling that some file system takes for it.

/** `path` is relative to the top of a checkout. Nothing that agents made may ever be written there. */
export function isOfTheFactory(path: string): boolean {
  // Windows takes a backslash for a slash.
  const names = path.split(/[/\\]/).map(withoutDisguise);
  return /^(?:\.cupel|cupel~\d+)$/.test(names.find((name) => name !== "") ?? "");
}

/**
 * Compatible letters and letter case (macOS, Windows), code points that show nothing (HFS+ skips them), and on NTFS
 * the name of a stream and dots and blanks at the end. A name of nothing but dots is the folder itself.
 */
function withoutDisguise(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/:.*$/s, "")
    .replace(/[ .]+$/, "")
    .toLowerCase();
}
