import { AppError, type Fault, messageOf, nearest } from '../../kernel/index.ts';
import { type Figures, NUMBER_NAMES } from './figures.ts';

/**
 * Formula that computes a number from figures, which are scalar fields of a run's summary such as `sharpe`.
 * The number is NaN if a figure in the formula is undefined.
 */
export interface Expression {
  readonly text: string;
  /** Names of the figures that the expression uses. */
  readonly names: readonly string[];
  evaluate(figures: Readonly<Record<string, unknown>>): number;
}

type Evaluate = (figures: Readonly<Record<string, unknown>>) => number;

const FUNCTIONS = {
  abs: Math.abs,
  sqrt: Math.sqrt,
  log: Math.log,
  exp: Math.exp,
  min: Math.min,
  max: Math.max,
} as const satisfies Readonly<Record<string, (...values: number[]) => number>>;

const BINARY: readonly (readonly [string, number, (left: number, right: number) => number])[] = [
  ['||', 1, (left, right) => truth(left !== 0 || right !== 0, left, right)],
  ['&&', 2, (left, right) => truth(left !== 0 && right !== 0, left, right)],
  ['==', 3, (left, right) => truth(left === right, left, right)],
  ['!=', 3, (left, right) => truth(left !== right, left, right)],
  ['>=', 4, (left, right) => truth(left >= right, left, right)],
  ['<=', 4, (left, right) => truth(left <= right, left, right)],
  ['>', 4, (left, right) => truth(left > right, left, right)],
  ['<', 4, (left, right) => truth(left < right, left, right)],
  ['+', 5, (left, right) => left + right],
  ['-', 5, (left, right) => left - right],
  ['*', 6, (left, right) => left * right],
  ['/', 6, (left, right) => left / right],
  ['%', 6, (left, right) => left % right],
  ['^', 8, (left, right) => left ** right],
];
const SIGN_BINDING = 7;

/** Converts a comparison to a number: 1 for true and 0 for false. Returns NaN if an operand is NaN. */
function truth(value: boolean, ...of: readonly number[]): number {
  return of.some(Number.isNaN) ? Number.NaN : value ? 1 : 0;
}

const TOKEN =
  /\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([a-z_]\w*)|(\|\||&&|==|!=|>=|<=|[-+*/%^()<>,]))/iy;

/**
 * Parses an expression over figures: numbers, names, `+ - * / % ^`, comparisons (1 or 0), `&& ||`, and abs,
 * sqrt, log, exp, min and max. The expression is interpreted and never run as code.
 *
 * @throws AppError `bad_expression` with the place of the fault
 */
export function readExpression(text: string): Expression {
  const parser = new Parser(text);
  const evaluate = parser.whole();
  return { text, names: [...parser.names], evaluate };
}

class Parser {
  readonly names = new Set<string>();
  readonly #text: string;
  readonly #tokens: {
    readonly text: string;
    readonly kind: 'number' | 'name' | 'sign';
    readonly at: number;
  }[] = [];
  #next = 0;

  constructor(text: string) {
    this.#text = text;
    TOKEN.lastIndex = 0;
    const end = text.trimEnd().length;
    while (TOKEN.lastIndex < end) {
      const at = TOKEN.lastIndex;
      const [, number, name, sign] = TOKEN.exec(text) ?? [];
      const found = number ?? name ?? sign;
      if (found === undefined) throw this.#fault(`cannot be read from "${text.slice(at).trim()}" on`);
      this.#tokens.push({ text: found, kind: number ? 'number' : name ? 'name' : 'sign', at });
    }
  }

  whole(): Evaluate {
    const value = this.#binary(0);
    const rest = this.#tokens[this.#next];
    if (rest !== undefined) throw this.#fault(`has "${rest.text}" where it should end`);
    return value;
  }

  #binary(least: number): Evaluate {
    let left = this.#operand();
    for (;;) {
      const token = this.#tokens[this.#next];
      const found = token?.kind === 'sign' ? BINARY.find(([sign]) => sign === token.text) : undefined;
      if (found === undefined || found[1] < least) return left;
      this.#next += 1;
      const [sign, binding, apply] = found;
      // Powers are right-associative: `2 ^ 3 ^ 2` is `2 ^ (3 ^ 2)`.
      const right = this.#binary(sign === '^' ? binding : binding + 1);
      const first = left;
      left = (figures) => apply(first(figures), right(figures));
    }
  }

  #operand(): Evaluate {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw this.#fault('ends too early');
    if (token.kind === 'number') {
      const value = Number(token.text);
      return () => value;
    }
    if (token.kind === 'name') return this.#named(token.text);
    if (token.text === '(') {
      const inside = this.#binary(0);
      this.#expect(')');
      return inside;
    }
    if (token.text === '-' || token.text === '+') {
      const value = this.#binary(SIGN_BINDING);
      return token.text === '-' ? (figures) => -value(figures) : value;
    }
    throw this.#fault(`has "${token.text}" where a figure or a number should be`);
  }

  #named(name: string): Evaluate {
    if (this.#tokens[this.#next]?.text !== '(') {
      this.names.add(name);
      return (figures) => numberOf(figures[name]);
    }
    const known: Readonly<Record<string, (...values: number[]) => number>> = FUNCTIONS;
    const apply = Object.hasOwn(known, name) ? known[name] : undefined;
    if (apply === undefined)
      throw this.#fault(`has no function ${name}; there is ${Object.keys(FUNCTIONS).join(', ')}`);
    this.#next += 1;
    const values = [this.#binary(0)];
    while (this.#tokens[this.#next]?.text === ',') {
      this.#next += 1;
      values.push(this.#binary(0));
    }
    this.#expect(')');
    return (figures) => apply(...values.map((value) => value(figures)));
  }

  #expect(sign: string): void {
    if (this.#tokens[this.#next++]?.text !== sign) throw this.#fault(`lacks a "${sign}"`);
  }

  #fault(message: string): AppError {
    return new AppError({
      code: 'bad_expression',
      message: `"${this.#text}" ${message}.`,
      hint: 'Write one such as sharpe, "totalReturn / abs(maxDrawdown)" or "tradeCount >= 30".',
    });
  }
}

function numberOf(value: unknown): number {
  if (typeof value === 'number') return value;
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' && value.trim() !== '' ? Number(value) : Number.NaN;
}

/** Quantity that a search maximises or minimises, with constraints. */
export interface Objective {
  readonly text: string;
  readonly minimise: boolean;
  readonly constraints: readonly string[];
  /** Names of the figures used by the objective. */
  readonly figures: readonly string[];
  /** Returns the value of the objective. `null` if the value is undefined or a constraint is not met. */
  valueOf(figures: Figures): number | null;
  /** Returns the value of the objective without checking constraints. `null` if the value is undefined. */
  plainValueOf(figures: Figures): number | null;
  /** Returns true if `value` is better than `other`: smaller if the objective is minimised, else larger. */
  isBetter(value: number, other: number): boolean;
}

/**
 * Parses an objective and its constraints.
 *
 * @throws AppError `bad_objective` with every fault
 */
export function readObjective(
  text = 'sharpe',
  {
    minimise = false,
    constraints = [],
  }: { readonly minimise?: boolean; readonly constraints?: readonly string[] } = {},
): Objective {
  const faults: Fault[] = [];
  const read = (written: string, where: string): Expression | undefined => {
    try {
      const expression = readExpression(written);
      const unknown = expression.names.filter((name) => !NUMBER_NAMES.includes(name));
      for (const name of unknown) {
        const meant = nearest(name, NUMBER_NAMES);
        const hint = meant === undefined ? 'see docs/metrics.md' : `did you mean ${meant}?`;
        faults.push({ where, message: `unknown figure ${name}`, hint });
      }
      return expression;
    } catch (error) {
      faults.push({ where, message: messageOf(error).replace(/\.$/, '') });
      return undefined;
    }
  };
  const value = read(text, '--objective');
  const conditions = constraints.flatMap((one) => read(one, '--constraint') ?? []);
  if (faults.length > 0 || value === undefined) throw objectiveError(faults);
  return {
    text,
    minimise,
    constraints,
    figures: value.names,
    valueOf(figures) {
      if (conditions.some((condition) => !(condition.evaluate(figures) > 0))) return null;
      return finite(value.evaluate(figures));
    },
    plainValueOf: (figures) => finite(value.evaluate(figures)),
    isBetter: (one, other) => (minimise ? one < other : one > other),
  };
}

function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null;
}

function objectiveError(faults: readonly Fault[]): AppError {
  const lines = faults.map(
    ({ where, message, hint }) => `  ${where}: ${message}${hint === undefined ? '' : `; ${hint}`}`,
  );
  return new AppError({
    code: 'bad_objective',
    message: `The objective and its constraints: ${faults.length} fault${faults.length === 1 ? '' : 's'}\n${lines.join('\n')}`,
    hint: 'Use a figure of summary.json such as sharpe, or an expression such as "tradeCount >= 30".',
  });
}
