// Where the harness finds what a site sees mounted: bundling happens outside of the sandbox and reads nothing else.

export interface Ground {
  /** The directory that commands in the site see as node_modules. */
  packages: string;
  /** Built packages of other modules, which commands see at `modules/<name>`. */
  dependencies?: readonly { name: string; directory: string }[];
}
