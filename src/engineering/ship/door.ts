// The door of the factory for one module: everything that the harness sees of it and does with it, as a protocol is given it.
import { Differs, Tested } from "../../protocols/seen.ts";
import type { EngineeringPorts, OpenDoor } from "../port.ts";
import { certifyThread } from "./certify.ts";
import { contents } from "./contents.ts";
import { differ } from "./differ.ts";
import { examine } from "./examine.ts";
import type { ShipPorts } from "./port.ts";
import { ship } from "./ship.ts";
import { symbolsOf } from "./symbols.ts";
import { testCandidate } from "./test-candidate.ts";

/** Each may be asked again after a crash: looking changes nothing, and a ship is repeated as the same ship. */
export function doorWith(ports: ShipPorts & Pick<EngineeringPorts, "sandbox">): OpenDoor {
  return (making) => {
    const { assignment, protocol, provisions } = making;
    const certify = () => certifyThread(ports, making);
    const order = (signal: AbortSignal) => ({ assignment, protocol, certify, signal });
    // What ships stands on what has shipped; whoever only looks may stand on drafts.
    const built = provisions === undefined ? {} : { provisions };
    const looking = (signal: AbortSignal) => ({ ...order(signal), ...built });
    return {
      // What a run has shown is not run again only because the process died after it.
      test: (context, work) =>
        context.once(`test:${work.commit}`, Tested, () =>
          testCandidate(ports, looking(context.signal), work),
        ),
      differ: (context, work) =>
        context.once(`differ:${work.left}:${work.right}`, Differs, () =>
          differ(ports, looking(context.signal), work),
        ),
      examine: ({ signal }, candidate, look) => examine(ports, looking(signal), candidate, look),
      symbols: (_, work) => symbolsOf(ports, { assignment, ...built }, work),
      contents: (_, work) => contents(ports, { assignment, ...built }, work),
      certify,
      ship: ({ signal }, candidate) => ship(ports, order(signal), candidate),
    };
  };
}
