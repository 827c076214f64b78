import { Exact, type Fault, faultsError, formatInstant, type Instant } from '../../kernel/index.ts';
import { actionFaults, type CorporateAction, type Roll } from '../../market/index.ts';
import type { ActionParts } from './corporate-actions.ts';

/**
 * Maximum relative difference at which a bar's open counts as equal to the new contract's price in a roll.
 * Allows for float64 errors.
 */
const NEAR = 1e-9;

/** A roll with its symbol and the time of the bar at which it is applied. */
interface DueRoll {
  readonly roll: Roll;
  readonly symbol: number;
  readonly time: Instant;
}

/**
 * Applies rolls to the next futures contract, before all other steps of the new contract's first bar.
 * Converts visible earlier prices to the new contract's price level and shifts resting orders by the price
 * gap. Closes the position in the old contract and opens it in the new contract. Rolls are not visible
 * earlier.
 */
export class Rolls {
  readonly #parts: ActionParts;
  /** Future rolls, the next one last. */
  readonly #waiting: DueRoll[];

  /**
   * Creates the object. Returns `undefined` without any rolls.
   *
   * @throws AppError `bad_rolls` for invalid prices, and for rolls that do not match the bars
   */
  static of(actions: readonly CorporateAction[], parts: ActionParts): Rolls | undefined {
    const rolls = actions.filter(
      (action) => action.kind === 'roll' && parts.market.symbols.includes(action.symbol),
    ) as Roll[];
    return rolls.length === 0 ? undefined : new Rolls(rolls, parts);
  }

  private constructor(rolls: readonly Roll[], parts: ActionParts) {
    const faults = actionFaults(rolls);
    if (faults.length > 0) throw failed(faults);
    this.#parts = parts;
    this.#waiting = rolls
      .flatMap((roll) => this.#dueOf(roll, faults))
      .sort((a, b) => a.time - b.time || a.symbol - b.symbol)
      .reverse();
    if (faults.length > 0) throw failed(faults);
  }

  /**
   * Returns a roll with its bar. Empty for a roll before the symbol's first bar or after its last bar, which
   * has no effect.
   */
  #dueOf(roll: Roll, faults: Fault[]): DueRoll[] {
    const { market } = this.#parts;
    const symbol = market.symbols.indexOf(roll.symbol);
    const { time, open } = market.series[symbol]!;
    const bar = time.findIndex((instant) => instant >= roll.time);
    if (bar <= 0) return [];
    const [price, given] = [open[bar]!, Number(roll.newPrice)];
    if (Math.abs(price - given) > NEAR * price)
      faults.push({
        where: `${roll.symbol}, roll of ${formatInstant(roll.time)}`,
        message: `${roll.newContract} is at ${roll.newPrice}, but the bar of ${formatInstant(time[bar]!)} opens at ${price}`,
      });
    return [{ roll, symbol, time: time[bar]! }];
  }

  /** Applies the rolls of a bar at its start. */
  apply(bar: number, time: Instant): void {
    while (this.#waiting.at(-1)?.time === time) this.#roll(this.#waiting.pop()!, bar);
  }

  #roll({ roll, symbol, time }: DueRoll, bar: number): void {
    const { ledger, broker, cursors, emit } = this.#parts;
    const at = { old: Exact.of(roll.oldPrice), new: Exact.of(roll.newPrice) };
    const gap = at.new.minus(at.old);
    cursors[symbol]!.rebase({ price: 1, volume: 1, shift: gap.toNumber() });
    broker.startActions(bar, time);
    emit?.({
      type: 'rolled',
      bar,
      symbol: roll.symbol,
      from: roll.oldContract,
      to: roll.newContract,
      fromPrice: roll.oldPrice,
      toPrice: roll.newPrice,
      gap: gap.toString(),
      quantity: ledger.quantity(symbol).toString(),
    });
    broker.roll(symbol, at);
  }
}

function failed(faults: readonly Fault[]): Error {
  return faultsError(
    'bad_rolls',
    'The rolls do not fit the data',
    faults,
    'Use unadjusted bars with their rolls, both from the same sandtable data continuous --adjust none.',
  );
}
