import type { Account } from './account.ts';
import { type Instrument, instrumentOf, type RestingOrder } from './order.ts';
import { larger, Rational, sum, ZERO } from './rational.ts';
import type { Ask, Bar, Play, Side, Terms } from './types.ts';

const MINUTE = 60_000;
const MINUTES_OF_DAY = 1440;
const BEGIN = Date.UTC(2024, 0, 1);

export const instantOf = (play: Play, bar: number): number => BEGIN + bar * play.barMinutes * MINUTE;

export interface BookedFill {
  readonly order: number;
  /** The same on every path. */
  readonly identity: string;
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: Rational;
  readonly price: Rational;
  readonly commission: Rational;
  readonly cash: Rational;
}

/** What does not change in a run. */
export class Given {
  readonly play: Play;
  readonly terms: Terms;
  readonly symbols: readonly string[];
  readonly length: number;
  readonly #bars: Map<string, readonly (Bar | null)[]>;

  constructor(play: Play) {
    this.play = play;
    this.terms = play.terms;
    this.symbols = Object.keys(play.candles).sort();
    this.length = play.candles[this.symbols[0]!]!.length;
    this.#bars = new Map(
      this.symbols.map((symbol) => [symbol, play.candles[symbol]!.map((candle) => candle && barOf(candle))]),
    );
  }

  bar(symbol: string, at: number): Bar | null {
    return this.#bars.get(symbol)?.[at] ?? null;
  }

  /** The bar of a symbol in which its orders can fill. */
  tradedBar(symbol: string, at: number): Bar | null {
    const bar = this.bar(symbol, at);
    return bar === null || bar.volume.isZero() ? null : bar;
  }

  /** Finer bars of a bar, in order. */
  finer(symbol: string, at: number): { readonly minute: number; readonly bar: Bar }[] {
    const all = this.play.detail?.[symbol]?.[at] ?? [];
    return all.map(([minute, candle]) => ({ minute, bar: barOf(candle) }));
  }

  barsUpTo(symbol: string, last: number): Bar[] {
    return (this.#bars.get(symbol) ?? []).slice(0, last + 1).filter((bar) => bar !== null);
  }

  instrument(symbol: string): Instrument {
    return instrumentOf(symbol, this.terms);
  }

  day(bar: number): string {
    return new Date(instantOf(this.play, bar)).toISOString().slice(0, 10);
  }

  /** The session of a bar as a number of days since 1970. A bar after the close belongs to the next session. */
  tradingDay(bar: number): number {
    const minutes = instantOf(this.play, bar) / MINUTE;
    const day = Math.floor(minutes / MINUTES_OF_DAY);
    const { session } = this.play;
    if (session === undefined || this.play.barMinutes >= MINUTES_OF_DAY) return day;
    return minutes - day * MINUTES_OF_DAY < session.closes ? day : day + 1;
  }

  /** True if the opening auction of a session takes place in a bar. Without sessions every bar has one. */
  isOpening(bar: number): boolean {
    const { session, barMinutes } = this.play;
    if (session === undefined || barMinutes >= MINUTES_OF_DAY) return true;
    const { opens, closes } = session;
    const begin = instantOf(this.play, bar) / MINUTE;
    const midnight = (this.tradingDay(bar) - (opens < closes ? 0 : 1)) * MINUTES_OF_DAY;
    return begin <= midnight + opens && midnight + opens < begin + barMinutes;
  }

  /** True if the closing auction of a session takes place in a bar. Without sessions every bar has one. */
  isClosing(bar: number): boolean {
    const { session, barMinutes } = this.play;
    if (session === undefined || barMinutes >= MINUTES_OF_DAY) return true;
    const begin = instantOf(this.play, bar) / MINUTE;
    return this.tradingDay(bar) * MINUTES_OF_DAY + session.closes <= begin + barMinutes;
  }
}

export function barOf(candle: readonly number[]): Bar {
  const [open, high, low, close, volume] = candle.map((value) => Rational.of(value));
  return { open: open!, high: high!, low: low!, close: close!, volume: volume ?? ZERO };
}

/** What an order would claim of the buying power, were it filled as the account stood after the open. */
export interface Wanted {
  readonly id: number;
  readonly symbol: string;
  readonly group: string | undefined;
  readonly amount: Rational;
}

/** The account after the fills at an open, and what has become of it in the bar; replaced, never changed. */
export interface Inside {
  /** Buying power then. */
  readonly power: Rational;
  /** Equity then, and the account's when the symbol under way began: symbols are decided each by itself. */
  readonly equity: Rational;
  readonly begun: Rational;
  /** What booked symbols and the path itself have claimed, and the youngest order of the path that has. */
  readonly claimed: Rational;
  readonly lastClaim: number;
  /** Orders of symbols that are still to be decided. */
  readonly others: readonly Wanted[];
  /** Units of the other symbols: what exits gave back stays in use. */
  readonly units: ReadonlyMap<string, Rational>;
}

/** Everything that a path changes: copied before each step that one path takes and another does not. */
export class State {
  readonly given: Given;
  readonly account: Account;
  bar = -1;
  orders: RestingOrder[] = [];
  nextId = 1;
  /** Notional traded in the run so far. */
  traded = ZERO;
  budget = new Map<string, Rational>();
  /** The bar of each symbol's last losing exit. */
  lossBar = new Map<string, number>();
  delisted = new Set<string>();
  /** Limits in force that stop all opening. */
  halts = new Set<'risk_drawdown' | 'risk_daily_loss'>();
  /** Inside a bar, where its account after the open counts. */
  inside: Inside | undefined;
  /** Of this bar. */
  fills: BookedFill[] = [];
  refusals: string[] = [];
  cancels: string[] = [];

  constructor(given: Given, account: Account) {
    this.given = given;
    this.account = account;
  }

  copy(): State {
    const twin = new State(this.given, this.account.copy());
    twin.bar = this.bar;
    twin.orders = this.orders.map((order) => ({ ...order }));
    twin.nextId = this.nextId;
    twin.traded = this.traded;
    twin.budget = new Map(this.budget);
    twin.lossBar = new Map(this.lossBar);
    twin.delisted = new Set(this.delisted);
    twin.halts = new Set(this.halts);
    twin.inside = this.inside;
    twin.fills = [...this.fills];
    twin.refusals = [...this.refusals];
    twin.cancels = [...this.cancels];
    return twin;
  }

  /** Equity that sizes are shares of: inside a bar, that after its open and what the path has made of it. */
  sizingEquity(): Rational {
    const { inside, account } = this;
    return inside === undefined ? account.equity() : inside.equity.plus(account.equity()).minus(inside.begun);
  }

  /** Buying power that is left for an order inside a bar. */
  powerFor(id: number): Rational | undefined {
    const { inside } = this;
    if (inside === undefined) return undefined;
    const older = inside.others.filter((one) => one.id < Math.max(id, inside.lastClaim));
    const alone = older.filter(({ group }) => group === undefined).map(({ amount }) => amount);
    const groups = [...new Set(older.flatMap(({ group }) => group ?? []))];
    const together = groups.map((group) =>
      older.filter((one) => one.group === group).reduce((most, { amount }) => larger(most, amount), ZERO),
    );
    return inside.power.minus(inside.claimed).minus(sum([...alone, ...together]));
  }

  /** Units of a symbol as risk limits see them. */
  heldOf(symbol: string, own: string): Rational {
    return (symbol === own ? undefined : this.inside?.units.get(symbol)) ?? this.account.position(symbol);
  }

  order(id: number): RestingOrder | undefined {
    return this.orders.find((order) => order.id === id);
  }

  newOrder(ask: Ask, symbol: string): RestingOrder {
    const id = this.nextId++;
    const nothing = { filled: ZERO, billed: ZERO, value: ZERO, charged: ZERO };
    return { id, entry: id, ask, symbol, placedBar: this.bar, bars: 0, ...nothing, triggered: false };
  }

  remove(order: RestingOrder): void {
    this.orders = this.orders.filter((one) => one !== order);
  }

  cancel(order: RestingOrder): void {
    this.remove(order);
    this.cancels.push(`${this.bar} ${order.id}`);
  }

  refuse(order: RestingOrder, code: string): void {
    this.remove(order);
    this.refusals.push(`${this.bar} ${code}`);
  }

  refuseNew(code: string): void {
    this.refusals.push(`${this.bar} ${code}`);
  }
}
