import { type Decimal, decimal } from '../../kernel/index.ts';
import { buyAndHold, equityColumns } from '../../results/analysis/index.ts';
import { compareRuns, readRun } from '../../results/runs/index.ts';
import { type CheckedRun, CheckFailed, NUMBER, readBound, valueText } from './checked-run.ts';
import type { Desk } from './desk.ts';
import { definedFigure } from './figure-steps.ts';
import type { Step } from './step.ts';

const NAME = '("[^"]+"|[\\w.-]+)';

/** Steps that compare runs. Only runs with the same data, period and terms can be compared. */
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

/** Returns by how much a figure of one run is better than that of another. Negative if it is worse. */
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
