import { type Decimal, decimal } from '../../kernel/index.ts';
import { buyAndHold, equityColumns } from '../../results/analysis/index.ts';
import { compareRuns, readRun } from '../../results/runs/index.ts';
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

/** Pattern of a figure's name, with an optional name of a run. Default: the last run. */
const FIGURE = '([A-Za-z][A-Za-z -]*?)(?: of "([^"]+)")?';
const BE = '(?:is|are|stays|was|were)';

type Name = string | null;

/**
 * Steps that check the figures of docs/metrics.md. If a figure is undefined, every check of its value fails
 * and states the reason.
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
 * Returns a figure of a run that must be defined.
 *
 * @throws CheckFailed if the figure is unknown, or undefined for this run
 */
function definedFigure(run: CheckedRun, words: string): CheckedFigure & { readonly value: Decimal } {
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

const NAME = '("[^"]+"|[\\w.-]+)';

/**
 * Steps that compare runs. Two compared runs must have the same data, period and trading settings, except in
 * the step that ends with `whatever their terms`.
 */
export const COMPARE_STEPS: readonly Step[] = [
  {
    keyword: 'Then',
    pattern: new RegExp(`^strategy ${NAME} beats ${NAME} in ([A-Za-z][A-Za-z -]*?)$`),
    example: 'strategy "fast" beats buy-and-hold in max drawdown',
    about:
      "Names are those given by `as`, or the strategies' own. Less drawdown, volatility or cost is better. Runs of other data, another period or other costs are not compared.",
    run(desk: Desk, one: string, other: string, words: string) {
      const { better, worse } = pair(desk, one, other);
      checkTerms(better, worse);
      const lead = leadOf(better, worse, words);
      if (!lead.by.gt(0)) throw lead.failure('better');
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^strategy ${NAME} beats ${NAME} in ([A-Za-z][A-Za-z -]*?) by at least ${NUMBER}$`),
    example: 'strategy "fast" beats sma-cross in total return by at least 2%',
    about: 'Of percentages, in percentage points.',
    run(desk: Desk, one: string, other: string, words: string, number: string) {
      const { better, worse } = pair(desk, one, other);
      checkTerms(better, worse);
      const lead = leadOf(better, worse, words);
      const bound = readBound(number, lead.kind, lead.name);
      if (lead.by.lt(bound.value)) throw lead.failure(`better by at least ${bound.text}`);
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^strategy ${NAME} beats ${NAME} in ([A-Za-z][A-Za-z -]*?), whatever their terms$`),
    example: 'strategy "free" beats "dear" in total return, whatever their terms',
    about: 'Also allowed if data, period or costs differ.',
    run(desk: Desk, one: string, other: string, words: string) {
      const { better, worse } = pair(desk, one, other);
      const lead = leadOf(better, worse, words);
      if (!lead.by.gt(0)) throw lead.failure('better');
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^strategy ${NAME} beats ${NAME} beyond chance in (mean return|Sharpe ratio)$`),
    example: 'strategy foresight beats sma-cross beyond chance in mean return',
    about: 'The 95 % interval of the paired bootstrap ([reports.md](reports.md#compare)) is above zero.',
    run(desk: Desk, one: string, other: string, what: string) {
      const { better, worse } = pair(desk, one, other);
      const against = comparison(better, worse).runs[1]?.against;
      checkTerms(better, worse);
      const interval = what === 'mean return' ? against?.meanReturn : against?.sharpe;
      const kind = what === 'mean return' ? 'share' : 'ratio';
      if (interval === undefined)
        throw new CheckFailed(
          `${better.name} and ${worse.name} share too few sessions, or one equity curve is constant. Chance cannot be tested.`,
        );
      if (interval.low > 0) return;
      const [low, high] = [interval.low, interval.high].map((end) => valueText(decimal(end), kind));
      throw new CheckFailed(
        `${better.name} does not beat ${worse.name} in ${what} beyond chance: the difference is between ${low} and ${high} (95 %).${better.place}${worse.place}`,
      );
    },
  },
  {
    keyword: 'Then',
    pattern: new RegExp(`^strategy ${NAME} beats buying and holding$`),
    example: 'strategy "fast" beats buying and holding',
    about: 'In total return; the data in equal parts, bought at the first close, without costs.',
    run(desk: Desk, name: string) {
      const run = desk.run(unquoted(name));
      const value = definedFigure(run, 'total return').value;
      const columns = equityColumns(run.record);
      const held = buyAndHold(run.record, columns);
      if ('reason' in held)
        throw new CheckFailed(
          `${run.name} cannot be compared with buying and holding: ${held.reason}.${run.place}`,
        );
      const benchmark = (held.at(-1) ?? Number.NaN) / columns.initialCash.toNumber() - 1;
      if (value.gt(decimal(benchmark))) return;
      throw new CheckFailed(
        `${run.name} returned ${valueText(value, 'share')}, buying and holding ${valueText(decimal(benchmark), 'share')}.${run.place}`,
      );
    },
  },
];

function pair(
  desk: Desk,
  one: string,
  other: string,
): { readonly better: CheckedRun; readonly worse: CheckedRun } {
  return { better: desk.run(unquoted(one)), worse: desk.run(unquoted(other)) };
}

function unquoted(name: string): string {
  return name.replaceAll('"', '');
}

function comparison(better: CheckedRun, worse: CheckedRun): ReturnType<typeof compareRuns> {
  if (better.folder === undefined || worse.folder === undefined)
    throw new CheckFailed('Only runs that have a folder are compared.');
  return compareRuns([readRun(worse.folder), readRun(better.folder)]);
}

function checkTerms(better: CheckedRun, worse: CheckedRun): void {
  const { warnings } = comparison(better, worse);
  if (warnings.length === 0) return;
  throw new CheckFailed(
    `${better.name} and ${worse.name} were not on the same terms:\n${warnings.map((text) => `  ${text}`).join('\n')}\n` +
      `If this is intended, end the step with: , whatever their terms${better.place}${worse.place}`,
  );
}

/**
 * Returns the amount by which a figure of one run is better than that of another run. Negative if it is
 * worse.
 */
function leadOf(better: CheckedRun, worse: CheckedRun, words: string) {
  const [own, base] = [definedFigure(better, words), definedFigure(worse, words)];
  const { name, kind } = own;
  if (own.better === 0)
    throw new CheckFailed(`The ${name} has no better direction. Check both runs separately.`);
  const by: Decimal = own.value.minus(base.value).times(own.better);
  return {
    name,
    kind,
    by,
    failure: (wanted: string): CheckFailed =>
      new CheckFailed(
        `${better.name} is not ${wanted} than ${worse.name} in ${name}: ${valueText(own.value, kind)} against ${valueText(base.value, kind)}.${better.place}${worse.place}`,
      ),
  };
}
