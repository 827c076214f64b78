import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import type { FeatureShape, Interval, KnownNews } from '../../market/index.ts';

/** What the engine may be asked at the desk and of the account, and is answered before the strategy goes on. */
const DESK = ['submit', 'buy', 'sell', 'close', 'cancel', 'replace', 'rebalance', 'pending'] as const;
const ACCOUNT = ['position', 'units', 'cashByKind'] as const;
/** What is known beside the bars stays with the engine: it is asked for. */
const BESIDE = [
  'documentCount',
  'documentSearch',
  'documentRead',
  'documentTail',
  'fundamentals',
  'universe',
  'eventsSince',
] as const;

const fault = {
  /** The name of the error's class, or a code of ours. */
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
};

/** What a sealed strategy may say. It is untrusted: whatever is not one of these ends it. */
export const childMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('loaded'),
    name: z.string().min(1),
    summary: z.string(),
    parameters: z.record(z.string(), z.unknown()),
    tools: z.array(z.string()),
    budgets: z.record(z.string(), z.number()).optional(),
    repl: z.string().optional(),
    settings: z.unknown(),
    hasCosts: z.boolean(),
    /** Null for what is no number; left out where the strategy does not say. */
    warmUpBars: z.number().min(0).nullable().optional(),
  }),
  /** `threw`: the strategy did; `uncaught`: it left a rejection to nobody; `fault`: ours, with its code. */
  z.strictObject({
    type: z.literal('failed'),
    how: z.enum(['threw', 'uncaught', 'fault', 'input']),
    ...fault,
    /** Of an error of the strategy's, by the lines of the bundle. */
    stack: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('ask'),
    what: z.enum([...DESK, ...ACCOUNT, ...BESIDE]),
    given: z.array(z.unknown()).max(4),
  }),
  z.strictObject({ type: z.literal('call'), id: z.number().int(), tool: z.string(), given: z.unknown() }),
  z.strictObject({
    type: z.literal('note'),
    note: z.looseObject({ type: z.literal('note'), bar: z.number(), text: z.string() }),
  }),
  z.strictObject({ type: z.literal('print'), text: z.string() }),
  z.strictObject({ type: z.literal('decided'), orders: z.array(z.unknown()) }),
  /** The decision waits, and nothing it asked for is under way. */
  z.strictObject({ type: z.literal('stuck') }),
  /** The run is over, and nothing the strategy asked for is under way. */
  z.strictObject({ type: z.literal('ended') }),
]);

export type ChildMessage = z.infer<typeof childMessageSchema>;

/** A position, or an account, as it is mirrored: exact numbers as texts. */
interface MirroredPosition {
  readonly view: unknown;
  readonly units: number;
}

export type HostMessage =
  | { readonly type: 'load'; readonly given: Readonly<Record<string, string>> }
  | {
      readonly type: 'begin';
      readonly symbols: readonly string[];
      readonly currency: string;
      readonly lookback: number | null;
      readonly fillsAtClose: boolean;
      /** How long after its timestamp a bar ends; null where that is unknown. */
      readonly barLength: Interval | null;
      /** Series that are not traded: their bars are numbered after those of the symbols; left out without any. */
      readonly contexts?: readonly { readonly symbol: string; readonly barLength: Interval | null }[];
      /** Of each series, how early a bar of it counts in its session; null where it has none. Left out where none has. */
      readonly sessions?: readonly (number | null)[];
      /** Features beside the bars: their names and types, and whose rows there are; left out without any. */
      readonly features?: FeatureShape;
    }
  | {
      readonly type: 'bar';
      readonly bar: number;
      readonly time: number;
      /** Since the last message: number of the symbol, time, open, high, low, close, volume; or what its earlier bars
       * are multiplied by, prices and volumes, and what is added to prices; or the session that begins with the next, as `SessionRow` has it. */
      readonly bars: readonly (readonly number[])[];
      /** Since the last message, what became known beside the bars; left out without features. */
      readonly known?: KnownNews;
      readonly account: {
        readonly cash: string;
        readonly equity: string;
        readonly realisedPnl: string;
        readonly commissionPaid: string;
        readonly positions: readonly MirroredPosition[];
      };
    }
  | { readonly type: 'answer'; readonly value: unknown }
  | { readonly type: 'refused'; readonly code: string; readonly message: string; readonly remedy: string }
  | { readonly type: 'result'; readonly id: number; readonly value: Json }
  | {
      readonly type: 'unresolved';
      readonly id: number;
      readonly code: string;
      readonly message: string;
      readonly remedy: string;
    }
  /** After the last bar: what the strategy did not wait for is waited for now. */
  | { readonly type: 'end' };
