import { z } from 'zod';
import { type Fault, formatInstant, type Instant } from '../../kernel/index.ts';

/** Roll from one futures contract to the next, at the open of a bar. */
export interface Roll {
  readonly symbol: string;
  /** Time of the first bar of the new contract. */
  readonly time: Instant;
  readonly kind: 'roll';
  readonly oldContract: string;
  readonly newContract: string;
  /** Prices of both contracts at the open of the first bar of the new contract, as decimal texts. */
  readonly oldPrice: string;
  readonly newPrice: string;
}

/** Funding payment between holders of a perpetual contract. Longs pay shorts if the rate is positive. */
export interface FundingRate {
  readonly symbol: string;
  readonly time: Instant;
  readonly kind: 'funding';
  /** Fraction of the position's value, as a decimal text. */
  readonly rate: string;
}

/** Action of a company on its shares, or of an exchange on its contracts. Amounts are decimal texts. */
export type CorporateAction = ShareAction | Roll | FundingRate;

/** Action of a company on its shares. */
export type ShareAction = {
  readonly symbol: string;
  /**
   * First instant at which the action is in force: the ex-date, or for a delisting the first day without
   * trading.
   */
  readonly time: Instant;
} & (
  | {
      readonly kind: 'dividend';
      /** Cash per unit, in the instrument's currency. */
      readonly amount: string;
    }
  | {
      readonly kind: 'split';
      /** Ratio of the split: `to` new units for `from` old units. */
      readonly to: string;
      readonly from: string;
    }
  | {
      readonly kind: 'delisting';
      /** Price paid per unit to holders at the delisting. Default: the last close. */
      readonly price?: string;
    }
);

export function isShareAction(action: CorporateAction): action is ShareAction {
  return action.kind !== 'roll' && action.kind !== 'funding';
}

/** Action with its place for error messages: a line of a file, or the action's symbol, kind and date. */
export interface PlacedAction {
  readonly where: string;
  readonly action: CorporateAction;
}

const empty = z.string().refine((text) => text === '', 'belongs to another kind of action: remove it');
const positive = (name: string): z.ZodString =>
  z.string().regex(/^(?=.*[1-9])\d{1,30}(\.\d{1,80})?$/, `give ${name} above 0`);

/** `3:1`, `3/1` and `3` mean three new units for one old unit. `0.1` means one new unit for ten old units. */
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

/**
 * Schema of a dividend, split or delisting whose values are texts, as in one row of a file. Actions from code
 * are checked with this schema too.
 */
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

/** Returns the faults of an action's kind and amounts. `row` contains its values as texts, by column. */
export function rowFaults(row: Readonly<Record<string, string>>): string[] {
  const { error } = rowSchema.safeParse(row);
  return (error?.issues ?? []).map(({ path, message }) => {
    const column = String(path[0] ?? 'kind');
    const given = row[column] ?? '';
    return `${column} is ${given === '' ? 'empty' : `"${given}"`}: ${message}`;
  });
}

/** Returns the faults of actions given in code. The rules are the same as for actions read from files. */
export function actionFaults(actions: readonly CorporateAction[]): Fault[] {
  const faults = actions.flatMap((action) => {
    const where = placeOf(action);
    const date = Number.isFinite(action.time)
      ? []
      : [`time is ${String(action.time)}, which is not an instant`];
    return [...date, ...faultsOf(action)].map((message): Fault => ({ where, message }));
  });
  if (faults.length > 0) return faults;
  return contradictions(
    [...actions].sort(orderOfActions).map((action) => ({ where: placeOf(action), action })),
  );
}

function faultsOf(action: CorporateAction): string[] {
  if (action.kind === 'funding') return isRate(action.rate) ? [] : [`rate is "${action.rate}": ${RATE_HINT}`];
  if (action.kind !== 'roll') return rowFaults(rowOf(action));
  return (['oldPrice', 'newPrice'] as const).flatMap((name) =>
    isPrice(action[name]) ? [] : [`${name} is "${action[name]}": give a price above 0`],
  );
}

export const RATE_HINT = 'give a fraction between -1 and 1, such as 0.0001 for a hundredth of a per cent';

/** Returns true if a value, as text, is a valid funding rate: a number between -1 and 1, both excluded. */
export function isRate(text: unknown): boolean {
  return (
    /^[+-]?(\d{1,9}(\.\d{0,40})?|\.\d{1,40})(e[+-]?\d{1,2})?$/i.test(String(text)) &&
    Math.abs(Number(text)) < 1
  );
}

/** Returns true if a value, as text, is a price above zero. */
export function isPrice(text: unknown): boolean {
  return /^(?=.*[1-9])\d{1,30}(\.\d{1,80})?$/.test(String(text));
}

function placeOf({ symbol, kind, time }: CorporateAction): string {
  return `${symbol}, ${kind}${Number.isFinite(time) ? ` of ${formatInstant(time)}` : ''}`;
}

function rowOf(action: ShareAction): Record<string, string> {
  // JavaScript code may pass numbers, and fields of another kind of action. Values are therefore converted to
  // text.
  const { kind, amount, to, from, price } = action as Partial<Record<string, unknown>>;
  const textOf = (value: unknown): string => (value === undefined ? '' : String(value));
  const ratioText =
    to === undefined && from === undefined && kind !== 'split' ? '' : `${String(to)}:${String(from)}`;
  return { kind: textOf(kind), amount: textOf(amount), ratio: ratioText, price: textOf(price) };
}

const RANK = { roll: 0, split: 1, dividend: 2, funding: 3, delisting: 4 } as const;

/**
 * Comparator that sorts actions into the order in which they are applied: by time, then symbol, then kind.
 */
export function orderOfActions(a: CorporateAction, b: CorporateAction): number {
  return (
    a.time - b.time || (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : RANK[a.kind] - RANK[b.kind])
  );
}

/**
 * Returns contradictions between actions: any action after its symbol's delisting, and repeated actions.
 *
 * @param found actions sorted by `orderOfActions`
 */
export function contradictions(found: readonly PlacedAction[]): Fault[] {
  const faults: Fault[] = [];
  const delisted = new Map<string, string>();
  const seen = new Map<string, string>();
  for (const { where, action } of found) {
    const { symbol, time, kind } = action;
    const gone = delisted.get(symbol);
    if (gone !== undefined) faults.push({ where, message: `${symbol} was already delisted by ${gone}` });
    if (kind === 'delisting') delisted.set(symbol, where);
    // Two different dividends on one day are valid, for example an ordinary and a special one.
    const key = JSON.stringify(kind === 'dividend' ? action : { symbol, time, kind });
    const same = seen.get(key);
    if (same !== undefined) faults.push({ where, message: `repeats the ${kind} of ${symbol} of ${same}` });
    seen.set(key, where);
  }
  return faults;
}
