// Tests live beside the code they test; end-to-end tests live under test/.
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    globalSetup: "test/build.ts",
    include: ["src/**/*.test.ts", "test/**/*.test.ts"],
    // Needs hundreds of megabytes of other people's agents: `npm run test:wire`.
    exclude: ["test/wire/**"],
    // An empty run must never look like a green one.
    passWithNoTests: false,
    allowOnly: false,
    testTimeout: 20_000,
    // What a test leaves behind can be thousands of files, which a busy disk takes its time to remove.
    hookTimeout: 60_000,
    // Tests wait for processes, disks and git more than they compute, so two cores serve three files at a time.
    maxWorkers: Math.max(3, availableParallelism() - 1),
  },
});
