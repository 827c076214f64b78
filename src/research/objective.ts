import { AppError, type Fault, messageOf, nearest } from '../kernel/index.ts';
import { type Expression, readExpression } from './expression.ts';
import { type Figures, NUMBER_NAMES } from './figures.ts';

/** Quantity that a search optimises. */
export interface Objective {
  readonly text: string;
  readonly minimise: boolean;
  readonly constraints: readonly string[];
  /** Names of the figures used by the objective. */
  readonly figures: readonly string[];
  /** Returns the objective. `null` if it is undefined or a constraint is not met. */
  valueOf(figures: Figures): number | null;
  /** Returns the objective and ignores constraints. `null` if it is undefined. */
  plainValueOf(figures: Figures): number | null;
  /** Returns true if `value` is better than `other`. */
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
        faults.push({ where, message: `there is no figure ${name}`, hint });
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
    hint: 'Name a figure of summary.json such as sharpe, or write an expression of some, such as "tradeCount >= 30".',
  });
}
