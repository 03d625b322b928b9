// Evaluates arithmetic with precedence, brackets and variables.

export class CalculatorError extends Error {
  readonly at: number;

  constructor(message: string, at: number) {
    super(`${message} at ${at}`);
    this.at = at;
  }
}

interface Token {
  text: string;
  at: number;
}

export function evaluate(source: string, variables: Readonly<Record<string, number>> = {}): number {
  const tokens = tokenize(source);
  const places = tokens.map(({ at }) => at);
  let next = 0;
  const value = sum();
  const rest = tokens[next];
  if (rest !== undefined) throw new CalculatorError(`unexpected ${rest.text}`, rest.at);
  return value;

  function sum(): number {
    let left = product();
    for (;;) {
      if (take("+")) left += product();
      else if (take("-")) left -= product();
      else return left;
    }
  }

  function product(): number {
    let left = unary();
    for (;;) {
      const at = places[next] ?? 0;
      if (take("*")) left *= unary();
      else if (take("/")) left = divide(left, unary(), at);
      else if (take("%")) left %= unary();
      else return left;
    }
  }

  function unary(): number {
    if (take("-")) return -unary();
    return power();
  }

  function power(): number {
    const base = primary();
    return take("^") ? base ** unary() : base;
  }

  function primary(): number {
    const token = tokens[next++];
    if (token === undefined) throw new CalculatorError("unexpected end", source.length);
    if (/^[\d.]/.test(token.text)) return Number(token.text);
    if (/^[a-z]/i.test(token.text)) return variable(token);
    if (token.text !== "(") throw new CalculatorError(`unexpected ${token.text}`, token.at);
    const inner = sum();
    if (!take(")")) throw new CalculatorError("a bracket is not closed", token.at);
    return inner;
  }

  function variable({ text, at }: Token): number {
    const found = Object.hasOwn(variables, text) ? variables[text] : undefined;
    if (found === undefined) throw new CalculatorError(`${text} is unknown`, at);
    return found;
  }

  function take(text: string): boolean {
    if (tokens[next]?.text !== text) return false;
    next++;
    return true;
  }
}

function divide(left: number, right: number, at: number): number {
  if (right === 0) throw new CalculatorError("division by zero", at);
  return left / right;
}

export function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d+)?|[a-z]\w*|[-+*/%^()])|(\S))/giy;
  for (let match = pattern.exec(source); match !== null; match = pattern.exec(source)) {
    const text = match[1];
    const at = pattern.lastIndex - (text ?? match[2] ?? "").length;
    if (text === undefined) throw new CalculatorError(`${match[2]} is no part of arithmetic`, at);
    tokens.push({ text, at });
  }
  return tokens;
}
