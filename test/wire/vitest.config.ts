// Real provider packages and real agents against mocks on loopback; `npm ci` here first, the packages are large.
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["**/*.test.ts"],
    exclude: ["node_modules/**"],
    setupFiles: ["loopback-only.ts"],
    passWithNoTests: false,
    allowOnly: false,
    testTimeout: 60_000,
    // Each of them starts programs or servers; side by side they would take each other's time.
    fileParallelism: false,
  },
});
