import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomPlay } from '../../test/reference/random-play.ts';
import { eventsOfPlay } from '../../test/reference/real.ts';
import type { Candle, FinerCandle, Play } from '../../test/reference/types.ts';
import { type Decimal, decimal, decimalString, ZERO } from '../kernel/index.ts';

/** Invariants of docs/fill-rules.md, for random markets, orders, costs, leverage and margin. */

type RunEvent = Awaited<ReturnType<typeof eventsOfPlay>>[number];
type Event<Type extends RunEvent['type']> = Extract<RunEvent, { type: Type }>;
type Filled = Event<'order_filled'>;

/** Generates random plays: gaps, doji bars, missing bars, all order types and all cost models. */
const play = fc.integer({ min: 0, max: 2 ** 31 }).map(randomPlay);

const runs = async (
  check: (events: readonly RunEvent[], drawn: Play) => void | Promise<void>,
  numRuns = 150,
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(play, async (drawn) => check(await eventsOfPlay(drawn), drawn)),
    { numRuns },
  );

const isFill = (event: RunEvent): event is Filled => event.type === 'order_filled';
const candleOf = ({ candles }: Play, { symbol, bar }: Filled): NonNullable<Candle> => candles[symbol]![bar]!;

/**
 * True for a fill at a price of its bar. False for the closing fills of a delisting, which has no bar, and of
 * an insolvent account, which is closed at its last marks even without trading.
 */
const isTraded = ({ reason }: Filled): boolean => reason !== 'delisting' && reason !== 'insolvent';

describe('a fill', () => {
  it('lies inside its bar before and after slippage, and requires volume', async () => {
    let fills = 0;
    await runs((events, drawn) => {
      for (const event of events.filter(isFill).filter(isTraded)) {
        const [, high, low, , volume] = candleOf(drawn, event);
        for (const price of [event.priceBeforeSlippage, event.price].map(Number)) {
          expect(price).toBeGreaterThanOrEqual(low);
          expect(price).toBeLessThanOrEqual(high);
        }
        expect(volume).toBeGreaterThan(0);
        fills += 1;
      }
    });
    expect(fills).toBeGreaterThan(150);
  });

  it('is never above the limit of a buy or below the limit of a sell', async () => {
    let limited = 0;
    await runs((events) => {
      const limits = new Map<number, number>();
      for (const event of events) {
        if (event.type === 'order_accepted' && event.limitPrice !== undefined)
          limits.set(event.orderId, Number(event.limitPrice));
        if (event.type === 'order_adjusted' && event.limitPrice !== undefined)
          limits.set(event.orderId, Number(event.limitPrice));
        if (!isFill(event) || !limits.has(event.orderId)) continue;
        const limit = limits.get(event.orderId)!;
        if (event.side === 'buy') expect(Number(event.price)).toBeLessThanOrEqual(limit);
        else expect(Number(event.price)).toBeGreaterThanOrEqual(limit);
        limited += 1;
      }
    }, 300);
    expect(limited).toBeGreaterThan(50);
  });

  it('is never better than the fill rule, and slippage is always adverse', async () => {
    await runs((events) => {
      for (const { side, price, priceBeforeSlippage } of events.filter(isFill)) {
        const worse = Number(price) - Number(priceBeforeSlippage);
        expect(side === 'buy' ? worse : -worse).toBeGreaterThanOrEqual(0);
      }
    });
  });

  it("does not exceed, together with others, the participation share of the bar's volume", async () => {
    await runs((events, drawn) => {
      const { participation } = drawn.terms;
      if (participation === undefined) return;
      const taken = new Map<string, number>();
      for (const fill of events.filter(isFill).filter(isTraded)) {
        const key = `${fill.bar} ${fill.symbol}`;
        taken.set(key, (taken.get(key) ?? 0) + Number(fill.quantity));
        expect(taken.get(key)).toBeLessThanOrEqual(candleOf(drawn, fill)[4] * participation);
      }
    }, 300);
  });
});

/**
 * Returns the gain, in the instrument's currency, of the trades that a fill closed.
 *
 * @param following events after the fill; the `trade_closed` events of the fill come first
 */
function gainOf(following: readonly RunEvent[], multiplier: number): Decimal {
  let gained = ZERO;
  for (const event of following) {
    if (event.type !== 'trade_closed') break;
    const gain = decimal(event.exitPrice).minus(event.entryPrice).times(event.quantity).times(multiplier);
    gained = event.side === 'long' ? gained.plus(gain) : gained.minus(gain);
  }
  return gained;
}

describe('the account', () => {
  it('changes cash exactly by trades and charges, and its equity is cash plus marked positions', async () => {
    await runs((events, drawn) => {
      const units = new Map<string, Decimal>();
      // Signed entry costs of margined positions, in the instrument's currency.
      const costs = new Map<string, Decimal>();
      const own = (symbol: string) => drawn.terms.instruments?.[symbol] ?? {};
      let cash = decimal(drawn.terms.cash);
      for (const [index, event] of events.entries()) {
        if (isFill(event)) {
          const quantity = event.side === 'buy' ? decimal(event.quantity) : decimal(event.quantity).negated();
          units.set(event.symbol, (units.get(event.symbol) ?? ZERO).plus(quantity));
          const { multiplier = 1, margin } = own(event.symbol);
          expect(event.multiplier ?? '1').toBe(String(multiplier));
          const value = quantity.times(event.price).times(multiplier);
          if (margin === undefined) cash = cash.minus(value.times(event.rate ?? 1));
          else {
            const gained = gainOf(events.slice(index + 1), multiplier);
            costs.set(event.symbol, (costs.get(event.symbol) ?? ZERO).plus(value).plus(gained));
            cash = cash.plus(gained.times(event.rate ?? 1));
          }
          cash = cash.minus(event.commission);
          expect(event.cash).toBe(decimalString(cash));
        }
        if (event.type === 'cash_entry') {
          cash = cash.plus(event.amount);
          expect(event.cash).toBe(decimalString(cash));
        }
        if (event.type === 'split') {
          expect(event.quantityBefore).toBe(decimalString(units.get(event.symbol) ?? ZERO));
          units.set(event.symbol, decimal(event.quantityAfter));
        }
        if (event.type !== 'bar') continue;
        let equity = cash;
        for (const [symbol, held] of units)
          equity = equity.plus(
            held
              .times(lastClose(drawn, symbol, event.bar))
              .times(own(symbol).multiplier ?? 1)
              .minus(costs.get(symbol) ?? ZERO)
              .times(rateOf(drawn, symbol, event.bar)),
          );
        expect(event.cash).toBe(decimalString(cash));
        expect(event.equity).toBe(decimalString(equity));
      }
    });
  });

  it('without leverage has no negative cash after any fill', async () => {
    await runs((events, drawn) => {
      if (drawn.terms.leverage !== undefined || drawn.terms.allowShort !== false) return;
      const own = Object.values(drawn.terms.instruments ?? {});
      if (own.some(({ margin, leverage }) => (margin ?? leverage) !== undefined)) return;
      for (const event of events) if (isFill(event)) expect(Number(event.cash)).toBeGreaterThanOrEqual(0);
    }, 400);
  });

  it('has no position that an exit or a close order opened, and no short position if shorts are forbidden', async () => {
    await runs((events, drawn) => {
      const units = new Map<string, number>();
      const leaving = new Set<number>();
      for (const event of events) {
        if (event.type === 'order_accepted' && (event.parentId !== undefined || event.action === 'close'))
          leaving.add(event.orderId);
        if (event.type === 'split') units.set(event.symbol, Number(event.quantityAfter));
        if (!isFill(event)) continue;
        const before = units.get(event.symbol) ?? 0;
        const after = before + Number(event.quantity) * (event.side === 'buy' ? 1 : -1);
        units.set(event.symbol, after);
        if (leaving.has(event.orderId)) {
          expect(Math.abs(after)).toBeLessThan(Math.abs(before));
          expect(after * before).toBeGreaterThanOrEqual(0);
        }
        if (drawn.terms.allowShort === false) expect(after).toBeGreaterThanOrEqual(0);
      }
    }, 300);
  });
});

describe('a run', () => {
  it('does not depend on later bars', async () => {
    await runs(async (events, drawn) => {
      const length = Object.values(drawn.candles)[0]!.length;
      const bar = Math.floor(length / 2);
      for (const other of [tampered(drawn, bar), appended(drawn)]) {
        const last = other === undefined ? -1 : bar;
        if (other !== undefined) expect(bytes(await eventsOfPlay(other), last)).toBe(bytes(events, last));
      }
    }, 120);
  });

  it('does not depend on the order of the symbols', async () => {
    await runs(async (events, drawn) => {
      const candles = Object.fromEntries(Object.entries(drawn.candles).reverse());
      expect(bytes(await eventsOfPlay({ ...drawn, candles }))).toBe(bytes(events));
    }, 120);
  });

  it('numbers its orders consecutively, and no order acts after it has ended', async () => {
    await runs((events) => {
      let next = 1;
      const gone = new Set<number>();
      for (const event of events) {
        if (event.type === 'order_accepted') expect(event.orderId).toBe(next++);
        if (event.type === 'order_filled') expect(gone.has(event.orderId)).toBe(false);
        if (event.type === 'order_cancelled' || event.type === 'order_rejected') {
          if (event.orderId === null) continue;
          expect(gone.has(event.orderId)).toBe(false);
          gone.add(event.orderId);
        }
      }
    });
  });

  it('is the same, byte for byte, in another process', async () => {
    const numbers = Array.from({ length: 25 }, (_, index) => index * 7919 + 3);
    const all = await Promise.all(
      numbers.map(async (number) => bytes(await eventsOfPlay(randomPlay(number)))),
    );
    const support = new URL('../../test/reference/', import.meta.url).href;
    const program = `
      const { randomPlay } = await import('${support}random-play.ts');
      const { eventsOfPlay } = await import('${support}real.ts');
      const { createHash } = await import('node:crypto');
      const lines = [];
      for (const number of ${JSON.stringify(numbers)})
        lines.push((await eventsOfPlay(randomPlay(number))).map((event) => JSON.stringify(event)).join('\\n'));
      process.stdout.write(createHash('sha256').update(lines.join('\\n\\n')).digest('hex'));`;
    const elsewhere = execFileSync(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', program],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
    );
    expect(elsewhere).toBe(createHash('sha256').update(all.join('\n\n')).digest('hex'));
  });
});

function lastClose({ candles }: Play, symbol: string, bar: number): number {
  return candles[symbol]!.slice(0, bar + 1).findLast((candle) => candle !== null)![3];
}

/** Returns units of the account's currency per unit of a symbol's currency, at a bar's close. */
const rateOf = ({ euro, terms }: Play, symbol: string, bar: number): number =>
  terms.instruments?.[symbol]?.currency === 'EUR' ? euro![bar]![1] : 1;

const bytes = (events: readonly RunEvent[], last = Number.POSITIVE_INFINITY): string =>
  events
    .filter((event) => !('bar' in event) || event.bar <= last)
    // The first event contains the total number of bars and the last event contains the result. Both depend
    // on later bars, so the comparison excludes them.
    .filter(
      ({ type }) => last === Number.POSITIVE_INFINITY || (type !== 'run_started' && type !== 'run_finished'),
    )
    .map((event) => JSON.stringify(event))
    .join('\n');

/** Returns the same play with different prices and volumes after a bar. */
function tampered(drawn: Play, after: number): Play {
  const candles = Object.fromEntries(
    Object.entries(drawn.candles).map(([symbol, all]) => [
      symbol,
      all.map((candle, bar): Candle => {
        if (bar <= after || isGone(drawn, symbol, bar)) return candle;
        const [open, high, low, close] = candle ?? [50, 60, 40, 45];
        return [close * 2, (high + close) * 2, low / 2, open / 2 + low / 2, 3 + bar];
      }),
    ]),
  );
  // Finer bars must match the bar that contains them, so they are removed from the changed bars.
  const detail: Record<string, readonly (readonly FinerCandle[])[]> = {};
  for (const [symbol, all] of Object.entries(drawn.detail ?? {})) {
    const kept = all.map((finer, bar) => (bar <= after ? finer : []));
    if (kept.some((finer) => finer.length > 0)) detail[symbol] = kept;
  }
  const { detail: _, ...rest } = drawn;
  return { ...rest, candles, ...(Object.keys(detail).length > 0 ? { detail } : {}) };
}

/** True if a symbol has left the market by a bar. */
const isGone = ({ actions = [] }: Play, symbol: string, bar: number): boolean =>
  actions.some((action) => action.kind === 'delisting' && action.symbol === symbol && action.bar <= bar);

function appended(drawn: Play): Play {
  const more: Candle[] = [
    [10, 400, 1, 300, 5],
    [500, 500, 2, 2, 9],
  ];
  const candles = Object.entries(drawn.candles).map(([symbol, all]) => [
    symbol,
    isGone(drawn, symbol, all.length) ? [...all, null, null] : [...all, ...more],
  ]);
  return { ...drawn, candles: Object.fromEntries(candles) };
}
