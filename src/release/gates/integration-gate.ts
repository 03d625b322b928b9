// What an integration gate is: it looks at a release, and it knows how to spoil one so that it must refuse it.
import type { IntegrationGate, Violation } from "../../domain/people/integration-verdict.ts";
import type { PicturedModule, ReleasePicture } from "../picture.ts";

export interface Look {
  looked: number;
  summary: string;
  violations: Violation[];
}

export interface Plant {
  what: string;
  picture: ReleasePicture;
}

export interface PictureGate {
  name: IntegrationGate;
  look(picture: ReleasePicture): Look;
  /** Each of them must be refused; none where there is nothing to spoil. */
  plants(picture: ReleasePicture): Plant[];
}

/** The same release with another first module. */
export function withFirst(
  picture: ReleasePicture,
  change: (module: PicturedModule) => PicturedModule,
): ReleasePicture {
  const [first, ...rest] = picture.modules;
  return first === undefined ? picture : { ...picture, modules: [change(first), ...rest] };
}

/** A module that nobody has made. */
export const PLANTED = "MM-planted@1.0.0";
