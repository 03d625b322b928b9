// The SPEC.md that a new project begins with: short questions, whose answers are all that the factory needs.

/** Where people write what they want. */
export const SPEC_FILE = "SPEC.md";

export const SPEC_TEMPLATE = `# Name of the product

<!-- Say what you want in your own words; a page is plenty. Remove what does not apply. -->

## What it is for

Who uses it, and what can they do with it that they cannot do now?

## What it must do

- One thing per line, as you would tell it to a colleague.

## What it must not do

- What is out of scope, so that nobody builds it.

## Limits

- Sizes, times, formats, standards, what it must work together with.

## How you will know that it works

- What you would try first, and what should come of it.
`;

/** Whether nothing was written into it yet. */
export function isTemplate(text: string): boolean {
  return plain(text) === plain(SPEC_TEMPLATE);
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
