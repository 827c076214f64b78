import { isResult } from '../engine/index.ts';
import type { RunRecord } from '../journal/index.ts';
import { type Alarm, counted } from './alarm.ts';
import { isFixedCode } from './call-alarms.ts';

/** Share of rejected orders above which a run does not test its strategy. */
const MOST_REFUSED = 0.5;

/** Codes of orders whose fields are wrong, for example a quantity that is NaN. */
const INVALID: ReadonlySet<string> = new Set([
  'bad_quantity',
  'bad_weights',
  'bad_price',
  'bad_order',
  'unknown_symbol',
]);

/** Remedies of rejected orders that name a flag. For other codes the broker's own remedy is used. */
const NEXT_STEPS: Readonly<Record<string, string>> = {
  below_lot: 'Allow parts of a unit with `--lot 0.01`, or start with more money: `--cash`.',
  not_a_lot_multiple: 'Round quantities to the lot, or allow smaller steps with `--lot 0.01`.',
  buying_power: 'Order less, for example with equityFraction, or change `--cash` or `--leverage`.',
  short_not_allowed: 'Sell at most what is held, or allow short positions: leave `--no-short` out.',
  not_in_universe: 'Order only symbols of turn.universe(), or correct the file of `--universe`.',
  risk_max_position: 'Order less, or change the limit `--max-position`.',
  risk_gross_exposure: 'Order less, or change the limit `--max-gross`.',
  risk_net_exposure: 'Order less, or change the limit `--max-net`.',
  risk_open_positions: 'Close a position first, or change the limit `--max-open-positions`.',
  risk_order_notional: 'Order less at a time, or change the limit `--max-order-notional`.',
  risk_daily_loss: 'Trade smaller positions, or change the limit `--max-daily-loss`.',
  risk_drawdown: 'Trade smaller positions, or change the limit `--max-drawdown`.',
  risk_cooldown: 'Wait after a losing exit, or change the limit `--cooldown-bars`.',
};

type Rejections = RunRecord['rejections'];

/** Alarms about missing orders, and about rejected orders. */
export function orderAlarms(record: RunRecord): Alarm[] {
  const placed = new Set(
    record.orders.filter(({ role }) => role === undefined).map(({ orderId }) => orderId),
  );
  // Some orders are rejected before they get a number, others only when they would fill.
  const refused = record.rejections.filter(({ orderId }) => orderId === null || placed.has(orderId));
  const requested = placed.size + refused.filter(({ orderId }) => orderId === null).length;
  if (requested === 0) {
    const isIdle = isResult(record.outcome) && record.bars.length > 0 && record.fills.length === 0;
    return isIdle && record.trades.length === 0 ? [noOrders(record)] : [];
  }
  const invalid = isFixedCode(record) ? refused.filter(({ code }) => INVALID.has(code)) : [];
  const isMostly = invalid.length * 2 > refused.length;
  return [
    ...(invalid.length === 0 ? [] : [invalidOrders(record, invalid, requested)]),
    ...(isMostly || refused.length <= requested * MOST_REFUSED ? [] : [refusals(refused, requested)]),
  ];
}

function noOrders({ bars }: RunRecord): Alarm {
  return {
    kind: 'no_orders',
    count: bars.length,
    problem: `No orders were placed in ${counted(bars.length, 'bar')}.`,
    meaning: 'The result is that of an account that was never invested.',
    nextStep:
      'Check that the condition for an order can become true. `npx sandtable trace RUN` shows every decision.',
  };
}

function invalidOrders({ bars }: RunRecord, invalid: Rejections, requested: number): Alarm {
  const { bar, message } = invalid[0]!;
  const date = bars.find((one) => one.bar === bar)?.date ?? `bar ${bar}`;
  return {
    kind: 'invalid_orders',
    count: invalid.length,
    problem: `${shareOf(invalid.length, requested)} had invalid values. First on ${date}: ${message}`,
    meaning: 'The broker refused these orders. The figures are of the remaining orders.',
    nextStep:
      'Check the calculation: NaN and missing values often come from an indicator that needs more bars, from a failed call, or from a parameter that is a text.',
  };
}

function refusals(refused: Rejections, requested: number): Alarm {
  const codes = new Map<string, number>();
  for (const { code } of refused) codes.set(code, (codes.get(code) ?? 0) + 1);
  const [[code, times]] = [...codes].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)) as [
    [string, number],
  ];
  return {
    kind: 'refusals',
    count: refused.length,
    problem: `${shareOf(refused.length, requested)} were refused, most often with ${code} (${times.toLocaleString('en-US')} times).`,
    meaning: 'The figures are of the remaining orders.',
    nextStep: NEXT_STEPS[code] ?? refused.find((one) => one.code === code)!.remedy,
  };
}

function shareOf(some: number, all: number): string {
  return some === all && all > 1
    ? `All ${all.toLocaleString('en-US')} orders`
    : `${some.toLocaleString('en-US')} of ${counted(all, 'order')}`;
}
