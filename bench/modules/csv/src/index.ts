// Reads and writes comma-separated values.

export class CsvError extends Error {
  readonly row: number;

  constructor(message: string, row: number) {
    super(`${message} in row ${row}`);
    this.row = row;
  }
}

/** Rows of fields; a field in quotes may hold commas, line ends and doubled quotes. */
export function parseCsv(text: string, separator = ","): string[][] {
  checkSeparator(separator);
  const endsField = new Set([separator, "\n"]);
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let quoted = false;
  let closed = false;
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at);
    if (quoted) {
      if (char !== '"') field += char;
      else if (text.charAt(at + 1) === '"') {
        field += '"';
        at++;
      } else {
        quoted = false;
        closed = true;
      }
    } else if (endsField.has(char)) {
      row.push(field);
      field = "";
      closed = false;
      if (char === "\n") {
        rows.push(row);
        row = [];
      }
    } else if (char === '"' && field === "" && !closed) {
      quoted = true;
    } else if (closed || char === '"') {
      throw misplaced(closed, rows.length + 1);
    } else {
      field += char;
    }
  }
  if (quoted) throw new CsvError("a quote that is never closed", rows.length + 1);
  return isBegun(row, field, closed) ? [...rows, [...row, field]] : rows;
}

/** Without a line end after it, the last row counts when anything stands in it. */
function isBegun(row: readonly string[], field: string, closed: boolean): boolean {
  return field !== "" || row.length > 0 || closed;
}

function checkSeparator(separator: string): void {
  if (separator.length !== 1 || separator === '"') throw new CsvError("no usable separator", 0);
}

function misplaced(closed: boolean, row: number): CsvError {
  return new CsvError(closed ? "text after a closing quote" : "a quote inside a field", row);
}

export function formatCsv(rows: readonly (readonly string[])[], separator = ","): string {
  return rows.map((row) => `${row.map((field) => quote(field, separator)).join(separator)}\n`).join("");
}

/** Rows as records, by the names in the first row. */
export function parseRecords(text: string): Record<string, string>[] {
  const [names, ...rows] = parseCsv(text);
  if (names === undefined) return [];
  return rows.map((row, index) => {
    if (row.length !== names.length)
      throw new CsvError(`${row.length} fields instead of ${names.length}`, index + 2);
    return Object.fromEntries(names.map((name, column) => [name, row[column] ?? ""]));
  });
}

function quote(field: string, separator: string): string {
  const plain = field !== "" && !field.includes(separator) && !field.includes('"') && !field.includes("\n");
  return plain ? field : `"${field.replaceAll('"', '""')}"`;
}
