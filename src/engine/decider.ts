import type { AccountView } from '../account/index.ts';
import type { CustomCosts, OrderDesk, OrderRequest } from '../broker/index.ts';
import type { Instant } from '../kernel/index.ts';
import type { Documents, ReadFundamentals, Window } from '../market/index.ts';
import type { DeciderEvent, Json } from './events.ts';
import type { EventsSince } from './events-since.ts';
import type { RunSettingsInput } from './settings.ts';

/** The world at one bar's close, as its decider may see it. The same object is handed out every bar, moved forward. */
export interface BarContext {
  /** Bar number on the market's clock, from 0. */
  readonly bar: number;
  readonly time: Instant;
  readonly symbols: readonly string[];
  /** The first symbol's bars up to now. */
  readonly window: Window;
  /**
   * A symbol's bars up to now; of a series that is not traded too.
   *
   * @throws AppError `unknown_symbol`
   */
  windowOf(symbol: string): Window;
  /** Symbols of the series that are not traded: those of `--context`. */
  readonly contextSymbols: readonly string[];
  /**
   * The bars of a series that is not traded, as far as they have ended.
   *
   * @throws AppError `unknown_context`
   */
  context(symbol: string): Window;
  readonly account: AccountView;
  readonly orders: OrderDesk;
  /**
   * What happened since this decider was last asked: fills, refusals, cancellations, dividends, and the profit.
   *
   * @throws AppError `events_not_kept` in a run without `onEvent` whose decider does not say `readsEvents`
   */
  readonly eventsSince: EventsSince;
  /** News, filings and other texts as far as they are known; none in a run that was given none. */
  readonly documents: Documents;
  /** Figures of a symbol by period, as far as they are known. */
  readonly fundamentals: ReadFundamentals;
  /** The symbols that can be traded at this bar; all of them in a run that was given no universe. */
  universe(): readonly string[];
  /**
   * Writes an event into the journal, among the events of its bar.
   *
   * @throws AppError `bad_record` for an event that the journal's reader would refuse
   */
  record(event: DeciderEvent): void;
}

/** Orders may be returned instead of placed at the desk; they are placed in their order. */
export interface Decision {
  readonly orders?: readonly OrderRequest[];
}

/** Whoever trades: a rule, an order list, a model. The engine knows this port and nothing behind it. */
export interface Decider {
  /** Decides at a bar's close. What it throws ends the run with the outcome `failed`. */
  decide(turn: BarContext): Decision | void | Promise<Decision | void>;
  /** Shows a bar of the history before the first decision, in whose place nothing is asked: for whoever keeps a calendar. */
  watch?(turn: BarContext): void;
  /** Called once, after the last bar or when the run stops early. */
  close?(): void | Promise<void>;
  /** What the journal calls it, where the run's starter does not say: `decider`, of the kind `rules`, when left out. */
  readonly strategy?: { readonly name: string; readonly kind?: string; readonly parameters?: Json };
  /** Settings it brings; those of the run are laid over them. */
  readonly settings?: RunSettingsInput;
  /** Cost models it brings, where the run has none of its own. */
  readonly costs?: CustomCosts;
  /** Bars that must have closed before it is first asked: figures begin after them, where the settings do not say. */
  readonly warmUp?: number;
  /** Seconds a decision may take, where the settings do not say; left out, there is no limit. */
  readonly decisionTimeout?: number;
  /** Whether it looks at `eventsSince`, in a run without `onEvent`: events are made for it alone then. */
  readonly readsEvents?: boolean;
  /** Milliseconds it has waited so far for processes of the engine's own to start: they do not count as deciding. */
  waitedMs?(): number;
}
