// What the code of an example is read against, and how a problem in it is placed.

export interface CodeProblem {
  /** In examples.md. */
  line: number;
  message: string;
}

export interface ExampleGround {
  /** The name by which others import the module. */
  module: string;
  /** What an example may import beside it, with all below: packages, and `#modules` where there are dependencies. */
  imports: readonly string[];
  /** The file that callers import, relative to the module. */
  entry: string;
}
