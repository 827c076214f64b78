import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { sampled } from '../../test/support/depth.ts';
import type { RunSettingsInput } from '../engine/index.ts';
import { readJournal } from '../journal/index.ts';
import { createMarket, type Market, mapColumns, simulateMarket } from '../market/index.ts';
import { SILENT } from './context.ts';
import type { RunOptions } from './inputs/options.ts';
import { runStrategy } from './run-strategy.ts';
import { evaluateTrial, openTrialWorld } from './trial/trial-world.ts';

const out = mkdtempSync(join(tmpdir(), 'sandtable-trial-figures-'));
afterAll(() => rmSync(out, { recursive: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(out, name), text);
  return join(out, name);
};

const daily = simulateMarket({ seed: 3, bars: 700, symbols: ['AAA'], start: '2015-01-01' });
const hourly = simulateMarket({ seed: 5, bars: 900, symbols: ['AAA'], start: '2015-01-01', interval: '1h' });
const three = simulateMarket({ seed: 7, bars: 400, symbols: ['AAA', 'BBB', 'CCC'], start: '2015-01-01' });
// Each series lacks different bars, so the index of a bar in its series differs from its index on the
// market's clock.
const uneven = createMarket([
  three.series[0]!,
  ...three.series
    .slice(1)
    .map((series, index) =>
      mapColumns(series, (column) => column.filter((_, bar) => bar % (index + 5) !== 2)),
    ),
]);
const costs: RunSettingsInput = { commissionRate: 0.001, slippageBps: 5 };
const dear: RunSettingsInput = {
  ...costs,
  financing: { borrowRate: 0.03, creditRate: 0.01, debitRate: 0.05 },
};

const busy = file(
  'busy.ts',
  `import { defineStrategy, z } from 'sandtable';
export default defineStrategy({
  name: 'busy',
  summary: 'Long and short with stops and targets, on every symbol, every few bars.',
  parameters: z.object({ every: z.coerce.number().default(3), size: z.coerce.number().default(0.2) }),
  onBar({ bar, symbols, orders, windowOf }, { parameters }) {
    if (bar % parameters.every !== 0) return;
    const symbol = symbols[(bar / parameters.every) % symbols.length];
    const { close } = windowOf(symbol);
    if (!(close.last > 0)) return;
    const up = Math.floor(bar / parameters.every) % 3 !== 0;
    orders.close({ symbol });
    orders.submit({
      symbol,
      action: up ? 'buy' : 'sell',
      equityFraction: parameters.size,
      stopLoss: close.last * (up ? 0.995 : 1.005),
      takeProfit: close.last * (up ? 1.005 : 0.995),
    });
  },
});`,
);
const actions = file(
  'actions.csv',
  `date,symbol,kind,ratio,amount
${dateOf(three, 100)},AAA,split,2:1,
${dateOf(three, 150)},BBB,dividend,,0.5
`,
);

function dateOf({ clock }: Market, bar: number): string {
  return new Date(clock[bar]!).toISOString().slice(0, 10);
}

interface Case {
  readonly strategy: string;
  readonly market: Market;
  readonly options?: RunOptions;
  readonly settings?: RunSettingsInput;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

const cases: Readonly<Record<string, Case>> = {
  'many trades with stops and targets, long and short': { strategy: busy, market: daily, settings: costs },
  'bars within days': { strategy: busy, market: hourly, settings: costs, parameters: { every: 2 } },
  'several symbols': { strategy: busy, market: uneven, settings: dear },
  'splits and dividends': { strategy: busy, market: three, options: { actions }, settings: costs },
  'a date that figures begin at': {
    strategy: busy,
    market: three,
    settings: { ...costs, evaluateFrom: dateOf(three, 77) },
  },
  'the better answer of every bar': { strategy: busy, market: daily, settings: { resolve: 'best' } },
  'fills at the close': { strategy: busy, market: daily, settings: { ...costs, fillOn: 'close' } },
  'marks at the open': { strategy: busy, market: daily, settings: { ...costs, mark: 'open' } },
  'times that are the ends of bars': { strategy: busy, market: hourly, settings: { barTimes: 'end' } },
  'an account that loses everything': {
    strategy: busy,
    market: daily,
    settings: { commissionRate: 0.05 },
    parameters: { every: 1, size: 3 },
  },
  'a symbol as benchmark': { strategy: busy, market: uneven, options: { benchmark: 'BBB' } },
  'no trade at all': { strategy: busy, market: daily, parameters: { every: 10_000_000 } },
};

describe('the metrics of a trial', () => {
  it.each(sampled(Object.entries(cases), 3))(
    'equal those of the run, to the last bit: %s',
    async (_, given) => {
      const { strategy, market, options = {}, settings = {}, parameters = {} } = given;
      const listen = () => ({ signal: new AbortController().signal, release: () => undefined });
      const world = await openTrialWorld(
        { strategy, options, settings, market },
        { environment: {}, observer: SILENT, listen },
      );
      // Earlier trials must not affect the result.
      await evaluateTrial(world, { parameters: { every: 5 } }).then(({ summary }) => summary);
      const trial = await evaluateTrial(world, { parameters });
      await world.close();
      const run = await runStrategy({ strategy, ...options, data: market, settings, parameters, out });

      // `spine` is the comparison table with the benchmark. It is not part of a trial's summary, but can be
      // computed on demand.
      const { verdict, attribution, reasons, spine, ...scalars } = { ...run.summary, runId: '' };
      expect(trial.metrics.benchmarkTable()).toEqual(spine);
      expect(trial.scalars).toMatchObject(JSON.parse(JSON.stringify(scalars)) as object);
      expect(trial.summary).toEqual({ ...scalars, verdict, attribution, reasons });
      const record = await readJournal(join(run.folder, 'journal.jsonl'));
      expect(JSON.parse(JSON.stringify(trial.record.bars))).toEqual(record.bars);
      expect(trial.record.fills).toEqual(record.fills);
      expect(trial.record.trades).toEqual(record.trades);
    },
  );
});
