import type { Decimal } from '../../kernel/index.ts';
import {
  type Bound,
  type CheckedRun,
  CheckFailed,
  holds,
  NUMBER,
  RELATION,
  type Relation,
  readBound,
  valueText,
} from './checked-run.ts';
import type { Desk } from './desk.ts';
import { type CheckedFigure, figureOf } from './figures.ts';
import type { Step } from './step.ts';

/** Pattern of a figure's name and an optional run name. Default: the last run. */
const FIGURE = '([A-Za-z][A-Za-z -]*?)(?: of "([^"]+)")?';
const BE = '(?:is|are|stays|was|were)';

type Name = string | null;

/**
 * Checks of the figures in docs/metrics.md. An undefined figure fails every check of its value and reports
 * the reason.
 */
export const FIGURE_STEPS: readonly Step[] = [
  {
    keyword: 'Then',
    pattern: new RegExp(`^the ${FIGURE} ${BE} ${RELATION} ${NUMBER}$`),
    example: 'the Sharpe ratio is above 0.5',
    about: 'Or `below`, `at least`, `at most`, `within`, `exactly`. Percentages are written with %.',
    run(desk: Desk, words: string, name: Name, relation: Relation, number: string) {
      const { figure, value, run } = defined(desk, words, name);
      const bound = boundOf(number, figure);
      if (!holds(value, relation, bound.value))
        throw wrong(run, figure, value, `${relation} ${bound.text}`, [bound]);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^the ${FIGURE} ${BE} between ${NUMBER} and ${NUMBER}$`),
    example: 'the number of trades is between 10 and 40',
    about: 'Both ends included.',
    run(desk: Desk, words: string, name: Name, low: string, high: string) {
      const { figure, value, run } = defined(desk, words, name);
      const bounds = [boundOf(low, figure), boundOf(high, figure)] as const;
      if (value.lt(bounds[0].value) || value.gt(bounds[1].value))
        throw wrong(run, figure, value, `between ${bounds[0].text} and ${bounds[1].text}`, bounds);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^the ${FIGURE} is ${NUMBER} to within ${NUMBER}$`),
    example: 'the win rate of "fast" is 35% to within 10%',
    about: 'Within a distance of the second number. For percentages, the distance is in percentage points.',
    run(desk: Desk, words: string, name: Name, number: string, tolerance: string) {
      const { figure, value, run } = defined(desk, words, name);
      const [bound, most] = [boundOf(number, figure), boundOf(tolerance, figure)];
      if (value.minus(bound.value).abs().gt(most.value))
        throw wrong(run, figure, value, `${bound.text} to within ${most.text}`, [bound]);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^the ${FIGURE} is ${NUMBER} to the cent$`),
    example: 'the final equity is 98,765.43 to the cent',
    about: 'Rounded half to even, as banks do.',
    run(desk: Desk, words: string, name: Name, number: string) {
      const { figure, value, run } = defined(desk, words, name);
      const bound = boundOf(number, figure);
      if (!value.toDecimalPlaces(2).eq(bound.value))
        throw wrong(run, figure, value, `${bound.text} to the cent`, [bound]);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(
      `^the (final equity|number of trades|number of open trades|number of fills) is ${NUMBER}$`,
    ),
    example: 'the number of trades is 17',
    about:
      'Exactly, to the last decimal. Also for the final equity, the number of open trades and the number of fills.',
    run(desk: Desk, words: string, number: string) {
      const { figure, value, run } = defined(desk, words, null);
      const bound = boundOf(number, figure);
      if (!value.eq(bound.value)) throw wrong(run, figure, value, bound.text, [bound]);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^the ${FIGURE} is not defined$`),
    example: 'the win rate is not defined',
    about: 'For example, the win rate of a run without a closed trade.',
    run(desk: Desk, words: string, name: Name) {
      const run = desk.run(name);
      const figure = figureOf(run, words);
      if (figure.value !== undefined) throw wrong(run, figure, figure.value, 'undefined', []);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^the equity on (\\d{4}-\\d{2}-\\d{2}(?:T[\\d:]+Z?)?) is ${NUMBER}$`),
    example: 'the equity on 2000-01-03 is 100,000',
    about: 'At the close of that bar, exactly.',
    run(desk: Desk, date: string, number: string) {
      const run = desk.run();
      const bar = run.record.bars.find((one) => one.date === date);
      const { firstBar, lastBar } = run.summary;
      if (bar === undefined)
        throw new CheckFailed(
          `${run.name} has no bar of ${date}; its bars are from ${firstBar} to ${lastBar}.`,
        );
      const bound = readBound(number, 'money', 'equity');
      const figure = { name: `equity on ${date}`, kind: 'money' } as const;
      const value = readBound(bar.equity, 'money', 'equity').value;
      if (!value.eq(bound.value)) throw wrong(run, figure, value, bound.text, [bound]);
    },
  },
];

/**
 * @throws CheckFailed if the run does not have the figure
 */
export function definedFigure(run: CheckedRun, words: string): CheckedFigure & { readonly value: Decimal } {
  const figure = figureOf(run, words);
  const { value } = figure;
  if (value === undefined)
    throw new CheckFailed(`${run.name}: the ${figure.name} is not defined: ${figure.reason}.${run.place}`);
  return { ...figure, value };
}

function defined(desk: Desk, words: string, name: Name) {
  const run = desk.run(name);
  const figure = definedFigure(run, words);
  return { run, figure, value: figure.value };
}

function boundOf(text: string, figure: CheckedFigure): Bound {
  const bound = readBound(text, figure.kind, figure.name);
  if (figure.name === 'max drawdown' && bound.value.isNegative())
    throw new CheckFailed(
      `A drawdown is compared by its depth. Write ${text.replace('-', '')} instead of ${text}.`,
    );
  return bound;
}

function wrong(
  run: CheckedRun,
  figure: Pick<CheckedFigure, 'name' | 'kind'>,
  value: Decimal,
  wanted: string,
  bounds: readonly Bound[],
): CheckFailed {
  const shown = valueText(value, figure.kind, bounds);
  return new CheckFailed(`${run.name}: the ${figure.name} is ${shown}, not ${wanted}.${run.place}`);
}
