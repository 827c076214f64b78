import type { AccountView } from '../broker/account/index.ts';
import type { CustomCosts, OrderDesk, OrderRequest } from '../broker/index.ts';
import type { Instant } from '../kernel/index.ts';
import type { Documents, ReadFundamentals, Window } from '../market/index.ts';
import type { DeciderEvent, Json } from './events/events.ts';
import type { EventsSince } from './events/events-since.ts';
import type { RunSettingsInput } from './settings/settings.ts';

/**
 * The decider's view of market and account at one bar's close. The engine updates one object and passes it at
 * every bar.
 */
export interface BarContext {
  /** Bar number on the market's clock, from 0. */
  readonly bar: number;
  readonly time: Instant;
  readonly symbols: readonly string[];
  /** Bars of the first symbol, up to the current bar. */
  readonly window: Window;
  /**
   * Returns the bars of a symbol up to now. The symbol may be one of `contextSymbols`, which are not traded.
   *
   * @throws AppError `unknown_symbol`
   */
  windowOf(symbol: string): Window;
  /** Symbols of the series that are not traded (`--context`). */
  readonly contextSymbols: readonly string[];
  /**
   * Returns the ended bars of a series that is not traded.
   *
   * @throws AppError `unknown_context`
   */
  context(symbol: string): Window;
  readonly account: AccountView;
  readonly orders: OrderDesk;
  /**
   * Fills, rejections, cancellations, dividends and similar events since this decider's last decision. Also
   * contains the change of the account's equity since then.
   *
   * @throws AppError `events_not_kept` in a run without `onEvent` whose decider does not set `readsEvents`
   */
  readonly eventsSince: EventsSince;
  /** Published documents such as news and filings. Empty without documents. */
  readonly documents: Documents;
  /** Published fundamentals of a symbol, such as revenue, by reporting period. */
  readonly fundamentals: ReadFundamentals;
  /** Returns the symbols that can be traded at this bar. All symbols if the run has no universe. */
  universe(): readonly string[];
  /**
   * Records an event in the journal, among the events of its bar.
   *
   * @throws AppError `bad_record` for an event that the journal's reader would reject
   */
  record(event: DeciderEvent): void;
}

/**
 * Result of a decision: orders that the engine places in the given sequence. Orders that the decider has
 * already placed with `orders` of the context must not be repeated here.
 */
export interface Decision {
  readonly orders?: readonly OrderRequest[];
}

/** Trading logic of a run: a rule, an order list or a model. The engine depends only on this interface. */
export interface Decider {
  /** Decides at a bar's close. If it throws, the run ends with the outcome `failed`. */
  decide(turn: BarContext): Decision | void | Promise<Decision | void>;
  /**
   * Called instead of `decide` for bars without a decision, such as the bars before the first decision. Used
   * by deciders that need to see every bar.
   */
  watch?(turn: BarContext): void;
  /** Called once, after the last bar or when the run stops early. */
  close?(): void | Promise<void>;
  /**
   * Name, kind and parameters of the decider. The journal records them unless the caller of the run records
   * other ones. Default: name `decider`, kind `rules`.
   */
  readonly strategy?: { readonly name: string; readonly kind?: string; readonly parameters?: Json };
  /** Default settings. The settings of the run take precedence. */
  readonly settings?: RunSettingsInput;
  /** Default cost models. The models of the run take precedence. */
  readonly costs?: CustomCosts;
  /**
   * Number of bars that must have closed before the first decision. The evaluation of the run begins after
   * these bars, unless the settings state a date (`evaluateFrom`).
   */
  readonly warmUp?: number;
  /** Time limit of a decision in seconds. The setting `decisionTimeout` replaces it. Default: no limit. */
  readonly decisionTimeout?: number;
  /**
   * True if the decider reads `eventsSince`. In a run without `onEvent`, events are then created for the
   * decider only.
   */
  readonly readsEvents?: boolean;
  /**
   * Returns the milliseconds that the decider has waited so far until processes of the engine started. This
   * time does not count against the time limit of a decision.
   */
  waitedMs?(): number;
}
