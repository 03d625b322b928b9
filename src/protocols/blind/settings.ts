// How many testers and implementers a thread has, and which paths belong to whom.
import { TestFlavour } from "../../domain/agent/blind-roles.ts";
import { type BlindSettings, DEFAULT_BLIND } from "../../domain/blind/settings.ts";
import type { ProtocolPorts } from "../port.ts";

export function settingsOf({ assignment }: Pick<ProtocolPorts, "assignment">): BlindSettings {
  return assignment.blind ?? DEFAULT_BLIND;
}

export function flavoursOf(ports: Pick<ProtocolPorts, "assignment">): TestFlavour[] {
  return TestFlavour.options.slice(0, settingsOf(ports).testers);
}

/** What code may be written in; everything else of a module belongs to others. */
export const CODE_PATHS = ["src/", "examples.md"];

/** The first tester has all of `test/` but what the others have by their names. */
export function testPaths(flavour: TestFlavour, flavours: readonly TestFlavour[]): string[] {
  return flavour === flavours[0] ? ["test/"] : [`test/${flavour}.test.ts`, `test/${flavour}/`];
}

export function strayTests(
  flavour: TestFlavour,
  flavours: readonly TestFlavour[],
  changed: readonly string[],
): string[] {
  const others = flavours.slice(1).filter((other) => other !== flavour);
  return changed.filter(
    (path) =>
      !isBelow(path, testPaths(flavour, flavours)) ||
      others.some((other) => isBelow(path, testPaths(other, flavours))),
  );
}

export function strayCode(changed: readonly string[]): string[] {
  return changed.filter((path) => !isBelow(path, CODE_PATHS));
}

function isBelow(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith("/") ? path.startsWith(place) : path === place));
}
