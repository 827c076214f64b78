import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inDepth } from '../../../test/support/depth.ts';
import { type BarContext, type Json, type RunEvent, runBacktest } from '../../engine/index.ts';
import { DAY } from '../../kernel/index.ts';
import { barSeries, type CorporateAction, createMarket } from '../../market/index.ts';
import { RecentEvents } from '../../toolkit/index.ts';
import type { StepView } from './step.ts';
import { TraceIndex } from './trace-index.ts';
import { allViews, stepView } from './trace-reader.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-since-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const BARS = 24;
const FIRST = Date.UTC(2024, 0, 1);

function seriesOf(symbol: string, closes: readonly number[]) {
  return barSeries(
    symbol,
    closes.map((close, bar) => {
      const open = closes[bar - 1] ?? close;
      const [high, low] = [Math.max(open, close) + 2, Math.min(open, close) - 2];
      return { time: FIRST + bar * DAY, open, high, low, close, volume: 400 };
    }),
  );
}

interface Plan {
  readonly closes: readonly number[];
  readonly others: readonly number[];
  readonly acts: readonly number[];
  readonly fillOn: 'open' | 'close';
  readonly evaluateFrom: number;
  readonly participation: number;
  /** With `mcp`, bars without an action record no event: an MCP client moves to the next bar silently. */
  readonly kind: 'rules' | 'mcp';
}

/** Performs the action with a given number. Numbers above 8 do nothing. */
function act({ bar, orders }: BarContext, number: number): void {
  const symbol = bar % 2 === 0 ? 'A' : 'B';
  if (number === 0) orders.submit({ action: 'buy', symbol, quantity: 30 });
  if (number === 1) orders.submit({ action: 'buy', symbol, quantity: 9, stopLoss: '3%', takeProfit: '4%' });
  if (number === 2) orders.submit({ action: 'sell', symbol, quantity: 12, limitPrice: 101, validBars: 2 });
  if (number === 3) orders.submit({ action: 'target', symbol, targetFraction: 0.5 });
  if (number === 4) orders.close({ symbol });
  if (number === 5) orders.submit({ action: 'buy', symbol, equityFraction: 0.9 });
  if (number === 6) orders.submit({ action: 'buy', symbol, quantity: 1_000_000 });
  if (number === 7) for (const { id } of orders.pending()) orders.cancel(id);
  if (number === 8) orders.submit({ action: 'target', symbol, targetFraction: 0 });
}

/**
 * Runs a backtest. Returns the block of recent events that each decision received, by bar, and the index of
 * the journal.
 */
async function walk(plan: Plan) {
  const shown = new Map<number, Json>();
  const events: RunEvent[] = [];
  const since = new RecentEvents();
  const actions: CorporateAction[] = [
    { symbol: 'A', time: FIRST + 7 * DAY, kind: 'dividend', amount: '0.5' },
    { symbol: 'B', time: FIRST + 11 * DAY, kind: 'split', to: '2', from: '1' },
  ];
  const result = await runBacktest({
    market: createMarket([seriesOf('A', plan.closes), seriesOf('B', plan.others)]),
    actions,
    settings: {
      cash: '10000',
      commissionRate: 0.001,
      fillOn: plan.fillOn,
      participation: plan.participation,
      financing: { debitRate: 0.05 },
      leverage: 2,
      ...(plan.evaluateFrom === 0
        ? {}
        : { evaluateFrom: new Date(FIRST + plan.evaluateFrom * DAY).toISOString().slice(0, 10) }),
    },
    decider: {
      readsEvents: true,
      strategy: { name: 'drawn', parameters: {} },
      decide(turn) {
        const number = plan.acts[turn.bar]!;
        if (plan.kind === 'mcp' && number > 9) return since.pass(turn);
        shown.set(turn.bar, since.view(turn));
        since.decided(turn);
        if (number <= 9) turn.record({ type: 'note', bar: turn.bar, text: 'Something is done.' });
        return act(turn, number);
      },
    },
    onEvent: (event) => events.push(event),
  });
  if (result.error !== undefined) throw result.error;
  const file = join(folder, 'journal.jsonl');
  const started = { ...events[0], strategy: { name: 'drawn', kind: plan.kind, parameters: {} } };
  writeFileSync(file, [started, ...events.slice(1)].map((event) => `${JSON.stringify(event)}\n`).join(''));
  return { shown, index: await TraceIndex.open(file) };
}

function blockOf(view: StepView | undefined): Json | undefined {
  const found = view?.decision.find(({ title }) => title === 'Since the last decision');
  return found === undefined ? undefined : (JSON.parse(found.texts[0]!.text) as Json);
}

type Fill = Readonly<Record<string, Json>>;
const fillsOf = (block: Json | undefined): readonly Fill[] =>
  ((block ?? {}) as { readonly fills?: readonly Fill[] }).fills ?? [];

/**
 * Removes the remaining quantity of orders whose size is not in units from a block. The journal does not
 * contain such quantities.
 */
function known(shown: Json | undefined, block: Json): Json | undefined {
  const own = fillsOf(block);
  const fills = fillsOf(shown).map((fill, place): Fill => {
    if (own[place]?.still_to_fill !== undefined || fill.still_to_fill === undefined) return fill;
    const { still_to_fill: _, ...rest } = fill;
    return rest.why_less === undefined ? rest : { ...rest, why_less: own[place]?.why_less ?? null };
  });
  return fills.length === 0 ? shown : { ...(shown as Fill), fills };
}

const prices = fc.array(fc.integer({ min: 90, max: 110 }), { minLength: BARS, maxLength: BARS });
const plans: fc.Arbitrary<Plan> = fc.record({
  closes: prices,
  others: prices,
  acts: fc.array(fc.integer({ min: 0, max: 16 }), { minLength: BARS, maxLength: BARS }),
  fillOn: fc.constantFrom('open', 'close'),
  evaluateFrom: fc.constantFrom(0, 5),
  participation: fc.constantFrom(0.05, 1),
  kind: fc.constantFrom('rules', 'mcp'),
});

describe.runIf(inDepth(7))(
  'events since the last decision, reconstructed from a journal without them',
  () => {
    it('is what the decision was shown, whatever happens, read alone or with all bars', async () => {
      let [blocks, fills, rests] = [0, 0, 0];
      await fc.assert(
        fc.asyncProperty(plans, async (plan) => {
          const { shown, index } = await walk(plan);
          for await (const view of allViews(index, {})) {
            const block = blockOf(view);
            expect(blockOf(await stepView(index, view.bar))).toEqual(block);
            if (block === undefined) continue;
            expect(block).toEqual(known(shown.get(view.bar), block));
            blocks += 1;
            rests += fillsOf(block).filter((fill) => fill.still_to_fill !== undefined).length;
            fills += view.market.filter(({ kind }) => kind === 'fill').length;
          }
        }),
        { numRuns: 60 },
      );
      expect(blocks).toBeGreaterThan(100);
      expect(fills).toBeGreaterThan(50);
      expect(rests).toBeGreaterThan(5);
    });

    it('stands on the bar on which a run failed, and the failure after it', async () => {
      const events: RunEvent[] = [];
      await runBacktest({
        market: createMarket([seriesOf('A', [100, 101, 102, 103])]),
        decider: {
          strategy: { name: 'fails', parameters: {} },
          decide({ bar, orders }) {
            if (bar === 1) orders.buy(3);
            if (bar === 2) throw new Error('It broke.');
          },
        },
        onEvent: (event) => events.push(event),
      });
      const file = join(folder, 'journal.jsonl');
      writeFileSync(file, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      const view = await stepView(await TraceIndex.open(file), 2);
      expect(view?.market.map(({ title }) => title)).toEqual(['Fill: buy 3 A at 101']);
      expect(view?.decision.map(({ title }) => title)).toEqual([
        'Since the last decision',
        'The run ended: failed',
      ]);
      expect(blockOf(view)).toEqual({
        bar: 1,
        date: '2024-01-02',
        fills: [{ bar: 2, order_id: 1, symbol: 'A', side: 'buy', quantity: 3, price: 101 }],
      });
    });
  },
);
