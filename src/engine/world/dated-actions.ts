import type { Ledger } from '../../broker/account/index.ts';
import { multiplierPart } from '../../broker/index.ts';
import {
  decimalString,
  Exact,
  type Fault,
  faultsError,
  formatInstant,
  type Instant,
} from '../../kernel/index.ts';
import {
  actionFaults,
  BarBounds,
  type BarTimes,
  type CorporateAction,
  type FundingRate,
  isShareAction,
  type Market,
  orderOfActions,
} from '../../market/index.ts';
import type { MarketEvent } from '../events/events-since.ts';
import { type ActionParts, CorporateActions } from './corporate-actions.ts';
import { Rolls } from './rolls.ts';

interface FundingParts {
  readonly market: Market;
  readonly ledger: Ledger;
  readonly barTimes: BarTimes;
  readonly emit: ((event: MarketEvent) => void) | undefined;
}

/**
 * Charges funding payments between holders of perpetual contracts: value of the position at its mark × rate.
 *
 * The instant of a rate determines when the rate is charged:
 *
 * - before the bar begins: on the carried position, at the previous mark
 * - at the start of the bar: at its open, before any fill
 * - inside the bar: at its close, on the position after its fills
 */
class Funding {
  readonly #market: Market;
  readonly #ledger: Ledger;
  readonly #bounds: BarBounds;
  readonly #emit: ((event: MarketEvent) => void) | undefined;
  /** Future rates, the next one last. */
  readonly #waiting: FundingRate[];

  /** Creates the object. Returns `undefined` without any rates, so that the run skips all work for them. */
  static of(
    actions: readonly CorporateAction[],
    { market, ledger, barTimes, emit }: FundingParts,
  ): Funding | undefined {
    const rates = actions.filter(
      (action) => action.kind === 'funding' && market.symbols.includes(action.symbol),
    ) as FundingRate[];
    return rates.length === 0 ? undefined : new Funding(rates, { market, ledger, barTimes, emit });
  }

  /**
   * @throws AppError `bad_funding` for invalid rates, and for two rates at one instant
   */
  private constructor(rates: readonly FundingRate[], { market, ledger, barTimes, emit }: FundingParts) {
    checkRates(rates);
    this.#market = market;
    this.#ledger = ledger;
    this.#emit = emit;
    this.#bounds = new BarBounds(market, barTimes);
    this.#waiting = [...rates].sort(orderOfActions).reverse();
  }

  /**
   * Called before a bar begins. Charges the rates between the end of the last bar and the start of this bar,
   * at the previous marks.
   */
  beforeBar(bar: number): void {
    const start = this.#bounds.startOf(bar);
    this.#charge(bar, (time) => time < start);
  }

  /**
   * Called at the start of a bar, when positions are marked at their opens and no orders have been filled.
   */
  atOpen(bar: number): void {
    const start = this.#bounds.startOf(bar);
    this.#charge(bar, (time) => time <= start);
  }

  /** Called at the end of a bar, when positions are marked at their closes. */
  atClose(bar: number): void {
    const end = this.#bounds.endOf(bar);
    this.#charge(bar, (time) => time < end);
  }

  #charge(bar: number, isDue: (time: Instant) => boolean): void {
    while (this.#waiting.length > 0 && isDue(this.#waiting.at(-1)!.time))
      this.#pay(this.#waiting.pop()!, bar);
  }

  #pay({ symbol: name, time, rate }: FundingRate, bar: number): void {
    const ledger = this.#ledger;
    const symbol = this.#market.symbols.indexOf(name);
    const quantity = ledger.quantity(symbol);
    if (quantity.isZero()) return;
    const value = ledger.exposureOf(symbol);
    const amount = value.times(Exact.of(rate)).negated();
    if (amount.isZero()) return;
    ledger.post('funding', amount);
    this.#emit?.({
      type: 'cash_entry',
      bar,
      kind: 'funding',
      symbol: name,
      amount: amount.toString(),
      cash: decimalString(ledger.cash),
      quantity: quantity.toString(),
      base: value.abs().toString(),
      fundingRate: rate,
      time: formatInstant(time),
      ...(ledger.currencyOf(symbol) === ledger.currency ? {} : { rate: ledger.rateOf(symbol).toString() }),
      ...multiplierPart(ledger.contractOf(symbol).multiplier),
    });
  }
}

function checkRates(rates: readonly FundingRate[]): void {
  const faults: Fault[] = actionFaults(rates);
  if (faults.length === 0) return;
  throw faultsError(
    'bad_funding',
    'The funding rates cannot be used',
    faults,
    'List each rate once, as a fraction of the value of the position.',
  );
}

/** Applies rolls, corporate actions and funding to positions, each at its step within a bar. */
export class DatedActions {
  readonly #rolls: Rolls | undefined;
  readonly #shares: CorporateActions;
  readonly #funding: Funding | undefined;
  readonly #hasBar: (symbol: number) => boolean;
  #time = Number.NaN;

  /**
   * Creates the object. Returns `undefined` without any actions, so that the run skips all work for them.
   *
   * @throws AppError `bad_actions`, `bad_rolls` and `bad_funding` for actions that contradict each other or
   *   the bars
   */
  static of(actions: readonly CorporateAction[], parts: ActionParts): DatedActions | undefined {
    return actions.length === 0 ? undefined : new DatedActions(actions, parts);
  }

  private constructor(actions: readonly CorporateAction[], parts: ActionParts) {
    this.#rolls = Rolls.of(actions, parts);
    this.#shares = new CorporateActions(actions.filter(isShareAction), parts);
    this.#funding = Funding.of(actions, parts);
    this.#hasBar = (symbol) => parts.cursors[symbol]!.window.time.last === this.#time;
  }

  /** Called before a bar begins. No data of the bar are visible. */
  beforeBar(bar: number): void {
    this.#funding?.beforeBar(bar);
  }

  /** Called at the start of a bar. Its opens are the marks, and no orders have been filled. */
  atOpen(bar: number, time: number): void {
    this.#time = time;
    this.#rolls?.apply(bar, time);
    if (this.#shares.isDue(time)) this.#shares.apply(bar, time, this.#hasBar);
    this.#funding?.atOpen(bar);
  }

  /** Called at the end of a bar, after positions are marked. */
  atClose(bar: number): void {
    this.#funding?.atClose(bar);
  }
}
