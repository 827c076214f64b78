import type { Ledger } from '../account/index.ts';
import { multiplierPart } from '../broker/index.ts';
import {
  decimalString,
  Exact,
  type Fault,
  faultsError,
  formatInstant,
  type Instant,
} from '../kernel/index.ts';
import {
  actionFaults,
  BarBounds,
  type BarTimes,
  type CorporateAction,
  type FundingRate,
  type Market,
  orderOfActions,
} from '../market/index.ts';
import type { MarketEvent } from './events-since.ts';

interface FundingParts {
  readonly market: Market;
  readonly ledger: Ledger;
  readonly barTimes: BarTimes;
  readonly emit: ((event: MarketEvent) => void) | undefined;
}

/**
 * What the holders of perpetual contracts pay one another: the value of the position at its mark × the rate.
 *
 * A bar is walked from its beginning over its fills to its end, and a rate is charged where its instant lies: before a bar
 * begins, on what was carried there, at the mark of before; as it begins, at its open, before anything fills; inside it, at
 * its close, on what its fills have left.
 */
export class Funding {
  readonly #market: Market;
  readonly #ledger: Ledger;
  readonly #bounds: BarBounds;
  readonly #emit: ((event: MarketEvent) => void) | undefined;
  /** Still to come, the next one last. */
  readonly #waiting: FundingRate[];

  /** Undefined where there is no rate: such a run does no work for it. */
  static of(
    actions: readonly CorporateAction[],
    { market, ledger, barTimes, emit }: FundingParts,
  ): Funding | undefined {
    const rates = actions.filter(
      (action) => action.kind === 'funding' && market.symbols.includes(action.symbol),
    ) as FundingRate[];
    return rates.length === 0 ? undefined : new Funding(rates, { market, ledger, barTimes, emit });
  }

  /** @throws AppError `bad_funding` for rates that are none, and for two of one instant */
  private constructor(rates: readonly FundingRate[], { market, ledger, barTimes, emit }: FundingParts) {
    checkRates(rates);
    this.#market = market;
    this.#ledger = ledger;
    this.#emit = emit;
    this.#bounds = new BarBounds(market, barTimes);
    this.#waiting = [...rates].sort(orderOfActions).reverse();
  }

  /** A bar is about to begin: what fell due since the last one ended, at the marks of before. */
  beforeBar(bar: number): void {
    const start = this.#bounds.startOf(bar);
    this.#charge(bar, (time) => time < start);
  }

  /** A bar begins: positions are marked at their opens, and nothing has filled. */
  atOpen(bar: number): void {
    const start = this.#bounds.startOf(bar);
    this.#charge(bar, (time) => time <= start);
  }

  /** A bar has ended: positions are marked at their closes. */
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
    'Give each rate once, as a fraction of the value of the position.',
  );
}
