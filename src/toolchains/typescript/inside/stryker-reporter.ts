// A reporter of StrykerJS that hands the whole report to the program around it, in the same process.

class WholeReport {
  onMutationTestReportReady(report: unknown): void {
    const take: unknown = Reflect.get(globalThis, Symbol.for("cupel.stryker"));
    if (typeof take === "function") take(report);
  }
}

export const strykerPlugins = [{ kind: "Reporter", name: "cupel", injectableClass: WholeReport }];
