// Places in a source, as the instrumenter counts them: lines and columns from 0.

export interface Position {
  line: number;
  column: number;
}

export interface Place {
  start: Position;
  end: Position;
}

export function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.column < other.column);
}

export function isWithin({ start, end }: Place, around: Place): boolean {
  return !isBefore(start, around.start) && !isBefore(around.end, end);
}
