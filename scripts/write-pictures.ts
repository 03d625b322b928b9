// Writes the page with the pictures of all protocols.
import { writeFileSync } from "node:fs";
import { PROTOCOL_PAGE, protocolPage } from "./protocol-page.ts";

writeFileSync(PROTOCOL_PAGE, `${protocolPage()}\n`);
