import { z } from 'zod';
import type { Json } from '../../engine/index.ts';
import type { FeatureShape, Interval, KnownNews } from '../../market/index.ts';

/**
 * Methods that place orders or read the account. The strategy waits for the engine's answer to each request.
 */
const DESK = ['submit', 'buy', 'sell', 'close', 'cancel', 'replace', 'rebalance', 'pending'] as const;
const ACCOUNT = ['position', 'units', 'cashByKind'] as const;
/**
 * Methods that read data other than bars, such as documents. These data stay in the engine, and the strategy
 * requests them with each call.
 */
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
  /** Error code of Sandtable. Empty for any other error. */
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
};

/**
 * Messages that the process of a sealed strategy may send. The process is not trusted, so the engine ends it
 * after a message of any other form.
 */
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
    /**
     * Number of bars of the warm-up. `null` if the strategy returned something other than a number. Absent if
     * not declared.
     */
    warmUpBars: z.number().min(0).nullable().optional(),
  }),
  /**
   * `threw`: the strategy threw an error. `uncaught`: a rejection was not handled. `fault`: the decision was
   * invalid. `input`: the user's input was invalid.
   */
  z.strictObject({
    type: z.literal('failed'),
    how: z.enum(['threw', 'uncaught', 'fault', 'input']),
    ...fault,
    /** Stack trace of an error of the strategy, with positions in the bundle. */
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
  z.strictObject({
    type: z.literal('decided'),
    orders: z.array(z.unknown()),
    /** Names of tools whose answers the decision did not read. Absent if all were read. */
    unread: z.array(z.string()).optional(),
  }),
  /** The strategy's decision can never end: it awaits a promise, but no request to the engine is pending. */
  z.strictObject({ type: z.literal('stuck') }),
  /** The run is over, and no request of the strategy is pending. */
  z.strictObject({ type: z.literal('ended') }),
]);

export type ChildMessage = z.infer<typeof childMessageSchema>;

/** Copy of a position for the strategy. `view` is encoded by `pack` in `codec.ts`. */
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
      /** Time from a bar's timestamp to its end. `null` if unknown. */
      readonly barLength: Interval | null;
      /**
       * Series that the strategy can read but not trade. Series are numbered: first the symbols from 0, then
       * these series. Absent without such series.
       */
      readonly contexts?: readonly { readonly symbol: string; readonly barLength: Interval | null }[];
      /**
       * For each series, 1 if its bars are stamped with their end, otherwise 0, in milliseconds (see
       * `Sessions.early`). `null` for a series without sessions. Absent if no series has sessions.
       */
      readonly sessions?: readonly (number | null)[];
      /** Names, types and symbols of the features (time series other than bars). Absent without features. */
      readonly features?: FeatureShape;
    }
  | {
      readonly type: 'bar';
      readonly bar: number;
      readonly time: number;
      /**
       * Rows since the last message. Each row begins with the number of its series. One of three kinds of
       * data follows. Bar: time, open, high, low, close, volume. Adjustment of earlier bars: factors for
       * prices and volumes, and an optional amount that is added to prices. Session that begins with the next
       * bar: the fields of a `SessionRow`.
       */
      readonly bars: readonly (readonly number[])[];
      /** Features that became visible since the last message. Absent if the run has no features. */
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
  /**
   * Sent after the last bar. The strategy's process then waits for requests that the strategy did not await.
   */
  | { readonly type: 'end' };
