import { z } from 'zod';
import { type Fault, formatInstant, type Instant } from '../kernel/index.ts';

/** Something a company does to its shares. Amounts are decimal texts. */
export type CorporateAction = {
  readonly symbol: string;
  /** The first instant it is in force: the ex-date, or the first day without the symbol. */
  readonly time: Instant;
} & (
  | {
      readonly kind: 'dividend';
      /** Cash for one unit, in the instrument's currency. */
      readonly amount: string;
    }
  | {
      readonly kind: 'split';
      /** `to` new units for `from` old ones. */
      readonly to: string;
      readonly from: string;
    }
  | {
      readonly kind: 'delisting';
      /** Paid for one unit; the last close where left out. */
      readonly price?: string;
    }
);

/** An action, and where it was found. */
export interface PlacedAction {
  readonly where: string;
  readonly action: CorporateAction;
}

const empty = z.string().refine((text) => text === '', 'belongs to another kind, leave it out');
const positive = (name: string): z.ZodString =>
  z.string().regex(/^(?=.*[1-9])\d{1,30}(\.\d{1,80})?$/, `give ${name} above 0`);

/** `3:1` and `3/1` are three new for one old; `3` is the same, `0.1` is one for ten. */
const ratio = z
  .string()
  .refine((text) => {
    const [to = '', from = '1', ...more] = text.split(/[:/]/).map((part) => part.trim());
    const isNumber = (part: string): boolean => /^\d{1,9}(\.\d{1,9})?$/.test(part) && Number(part) > 0;
    return isNumber(to) && isNumber(from) && more.length === 0;
  }, 'give a ratio such as 3:1')
  .refine((text) => {
    const [to, from = '1'] = text.split(/[:/]/);
    return Number(to) !== Number(from);
  }, 'it changes nothing');

/** An action as a row of a file says it: the one rule for all of them, wherever they come from. */
export const rowSchema = z.discriminatedUnion(
  'kind',
  [
    z.object({ kind: z.literal('dividend'), amount: positive('an amount'), ratio: empty, price: empty }),
    z.object({ kind: z.literal('split'), amount: empty, ratio, price: empty }),
    z.object({
      kind: z.literal('delisting'),
      amount: empty,
      ratio: empty,
      price: z.string().regex(/^(\d{1,30}(\.\d{1,80})?)?$/, 'give a price of at least 0'),
    }),
  ],
  { error: 'use dividend, split or delisting' },
);

/** What is wrong with a row's kind and amounts. */
export function rowFaults(row: Readonly<Record<string, string>>): string[] {
  const { error } = rowSchema.safeParse(row);
  return (error?.issues ?? []).map(({ path, message }) => {
    const column = String(path[0] ?? 'kind');
    const given = row[column] ?? '';
    return `${column} is ${given === '' ? 'empty' : `"${given}"`}: ${message}`;
  });
}

/** Faults of actions given in code, by the rules of a file's. */
export function actionFaults(actions: readonly CorporateAction[]): Fault[] {
  const faults = actions.flatMap((action) => {
    const where = placeOf(action);
    const date = Number.isFinite(action.time) ? [] : [`time is ${String(action.time)}, no instant`];
    return [...date, ...rowFaults(rowOf(action))].map((message): Fault => ({ where, message }));
  });
  if (faults.length > 0) return faults;
  return contradictions(
    [...actions].sort(orderOfActions).map((action) => ({ where: placeOf(action), action })),
  );
}

function placeOf({ symbol, kind, time }: CorporateAction): string {
  return `${symbol}, ${kind}${Number.isFinite(time) ? ` of ${formatInstant(time)}` : ''}`;
}

function rowOf(action: CorporateAction): Record<string, string> {
  // JavaScript may give numbers for texts, and what belongs to another kind.
  const { kind, amount, to, from, price } = action as Partial<Record<string, unknown>>;
  const textOf = (value: unknown): string => (value === undefined ? '' : String(value));
  const ratioText =
    to === undefined && from === undefined && kind !== 'split' ? '' : `${String(to)}:${String(from)}`;
  return { kind: textOf(kind), amount: textOf(amount), ratio: ratioText, price: textOf(price) };
}

const RANK = { split: 0, dividend: 1, delisting: 2 } as const;

/** The order actions are applied in. */
export function orderOfActions(a: CorporateAction, b: CorporateAction): number {
  return (
    a.time - b.time || (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : RANK[a.kind] - RANK[b.kind])
  );
}

/** What actions say against one another, in the order they are applied in. */
export function contradictions(found: readonly PlacedAction[]): Fault[] {
  const faults: Fault[] = [];
  const delisted = new Map<string, string>();
  const seen = new Map<string, string>();
  for (const { where, action } of found) {
    const { symbol, time, kind } = action;
    const gone = delisted.get(symbol);
    if (gone !== undefined) faults.push({ where, message: `${symbol} was delisted before, by ${gone}` });
    if (kind === 'delisting') delisted.set(symbol, where);
    // Two dividends of one day may be right when they differ: an ordinary and a special one.
    const key = JSON.stringify(kind === 'dividend' ? action : { symbol, time, kind });
    const same = seen.get(key);
    if (same !== undefined) faults.push({ where, message: `repeats the ${kind} of ${symbol} of ${same}` });
    seen.set(key, where);
  }
  return faults;
}
