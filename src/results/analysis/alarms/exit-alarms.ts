import type { RunRecord } from '../../../journal/index.ts';
import { type Alarm, counted } from './alarm.ts';

/** Share of the entry's price. Prices of exits below this share are fractions or percentages that were given as prices. */
const LEAST_SHARE = 0.01;

/** Alarm for stop losses and take profits whose prices are so low that the market practically never reaches them. */
export function unreachableExits({ orders, fills, bars }: RunRecord): Alarm[] {
  // The exits of an entry are created with its first fill.
  const entries = new Map<number, number>();
  for (const { orderId, price } of fills) if (!entries.has(orderId)) entries.set(orderId, Number(price));
  const exits = orders.flatMap(({ role, parentId, stopPrice, limitPrice, bar }) => {
    const isExit = role === 'stop-loss' || role === 'take-profit';
    const entry = parentId === undefined ? undefined : entries.get(parentId);
    const price = role === 'stop-loss' ? stopPrice : limitPrice;
    return isExit && entry !== undefined && price !== undefined ? [{ bar, role, price, entry }] : [];
  });
  const low = exits.filter(({ price, entry }) => Number(price) < entry * LEAST_SHARE);
  const [first] = low;
  if (first === undefined) return [];
  const date = bars.find(({ bar }) => bar === first.bar)?.date ?? `bar ${first.bar}`;
  const [name, member, order] =
    first.role === 'stop-loss'
      ? ['stop loss', 'stop_loss', 'stopLoss']
      : ['take profit', 'take_profit', 'takeProfit'];
  const fraction = Number(first.price) < 1 ? Number(first.price) : 0.05;
  return [
    {
      kind: 'unreachable_exits',
      count: low.length,
      problem: `${low.length.toLocaleString('en-US')} of ${counted(exits.length, 'stop loss or take profit', 'stop losses and take profits')} had a price below 1 % of the entry’s price. The first: a ${name} at ${first.price} for an entry at ${first.entry}, on ${date}.`,
      meaning: 'The market practically never reaches such a price, so the positions had no such exit.',
      nextStep: `A number is a price. For a fraction of the entry’s price write \`{"fraction": ${fraction}}\`: \`${member}={"fraction": ${fraction}}\` in Python, \`${order}: { fraction: ${fraction} }\` in TypeScript.`,
    },
  ];
}
