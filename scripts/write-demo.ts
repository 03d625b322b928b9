// Writes the script of the demo from the files in demo/ and from what its agents say.
import { writeFileSync } from "node:fs";
import { DEMO_SCRIPT, demoScript } from "./demo-script.ts";

writeFileSync(DEMO_SCRIPT, demoScript());
