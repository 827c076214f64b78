import { amountFault, fillFault, projectedUnits, prospectFault, sideNow } from './acceptance.ts';
import { Account } from './account.ts';
import { commissionOf, slipped } from './costs.ts';
import { averageTrueRange, exitPrice, instrumentOf, type RestingOrder, typeOf } from './order.ts';
import {
  priceAfterBirth,
  priceAtOpen,
  priceInside,
  type RulePrice,
  touchesStop,
  trailFrom,
} from './prices.ts';
import { Rational, smaller, ZERO } from './rational.ts';
import { type Prospect, sizeOf } from './sizing.ts';
import type { Ask, Bar, Fill, Outcome, Play, Step } from './types.ts';

const MINUTE = 60_000;
const BEGIN = Date.UTC(2024, 0, 1);
const LARGE = 999;

export const instantOf = (play: Play, bar: number): number => BEGIN + bar * play.barMinutes * MINUTE;

/** The slow exchange: keeps a list of orders, and goes through all of it for every question. */
export class ReferenceExchange {
  readonly #play: Play;
  readonly #symbols: readonly string[];
  readonly #bars: Map<string, (Bar | null)[]>;
  readonly #account: Account;
  #orders: RestingOrder[] = [];
  #nextId = 1;
  #bar = -1;
  #traded = ZERO;
  #budget = new Map<string, Rational>();
  readonly #numbers = new Map<string, number>();
  readonly #fills: Fill[] = [];
  readonly #refusals: string[] = [];
  readonly #cancels: string[] = [];
  readonly #equity: string[] = [];

  constructor(play: Play) {
    this.#play = play;
    this.#symbols = Object.keys(play.candles).sort();
    this.#account = new Account(Rational.of(play.terms.cash));
    this.#bars = new Map(
      this.#symbols.map((symbol) => [
        symbol,
        play.candles[symbol]!.map((candle) => {
          if (candle === null) return null;
          const [open, high, low, close, volume] = candle.map((value) => Rational.of(value));
          return { open: open!, high: high!, low: low!, close: close!, volume: volume! };
        }),
      ]),
    );
  }

  run(): Outcome {
    const length = this.#play.candles[this.#symbols[0]!]!.length;
    for (this.#bar = 0; this.#bar < length; this.#bar++) this.#walkBar();
    return {
      fills: this.#fills,
      trades: this.#account.trades,
      refusals: this.#refusals,
      cancels: this.#cancels,
      equity: this.#equity,
    };
  }

  #walkBar(): void {
    for (const symbol of this.#symbols) {
      const bar = this.#candle(symbol);
      if (bar !== null) this.#account.marks.set(symbol, bar.open);
      this.#budget.set(symbol, this.#budgetOf(symbol));
    }
    this.#expire();
    this.#atOpen();
    this.#inside();
    this.#atClose();
    this.#trail();
    this.#countBars();
    for (const symbol of this.#symbols) {
      const bar = this.#candle(symbol);
      if (bar !== null) this.#account.marks.set(symbol, bar.close);
    }
    this.#checkMargin();
    for (const step of this.#play.steps) if (step.bar === this.#bar) this.#do(step);
    this.#equity.push(String(this.#account.equity()));
  }

  #candle(symbol: string): Bar | null {
    return this.#bars.get(symbol)?.[this.#bar] ?? null;
  }

  /** The bar of a symbol in which its orders can fill. */
  #tradedBar(symbol: string, at = this.#bar): Bar | null {
    const bar = this.#bars.get(symbol)?.[at] ?? null;
    return bar === null || bar.volume.isZero() ? null : bar;
  }

  #budgetOf(symbol: string): Rational {
    const { participation } = this.#play.terms;
    const volume = this.#candle(symbol)?.volume ?? ZERO;
    const { lot } = instrumentOf(symbol, this.#play.terms);
    return participation === undefined
      ? Rational.of(1e30)
      : volume.times(Rational.of(participation)).downTo(lot);
  }

  #expire(): void {
    const today = this.#day(this.#bar);
    for (const order of [...this.#orders]) {
      const { timeInForce, goodTill } = order.ask;
      const first = this.#firstBarAfter(order);
      const isOver =
        (timeInForce === 'GTD' && today > goodTill!) ||
        (timeInForce === 'DAY' && first < this.#bar && today > this.#day(first));
      if (isOver) this.#cancel(order);
    }
  }

  /** At its end, a bar in which it could have filled counts. */
  #countBars(): void {
    for (const order of [...this.#orders]) {
      if (this.#tradedBar(order.symbol) === null || order.placedBar === this.#bar) continue;
      order.bars += 1;
      if (order.bars === order.ask.validBars) this.#cancel(order);
    }
  }

  #day(bar: number): string {
    return new Date(instantOf(this.#play, bar)).toISOString().slice(0, 10);
  }

  /** The first bar after its placing in which an order can fill. */
  #firstBarAfter(order: RestingOrder): number {
    let bar = order.placedBar + 1;
    while (bar < this.#bar && this.#tradedBar(order.symbol, bar) === null) bar += 1;
    return bar;
  }

  #atOpen(): void {
    const done = new Set<RestingOrder>();
    for (;;) {
      const order = this.#orders.find((one) => !done.has(one));
      if (order === undefined) return;
      done.add(order);
      const bar = this.#tradedBar(order.symbol);
      if (bar === null) continue;
      if (typeOf(order) === 'market_on_close') continue;
      const side = this.#side(order);
      if (side === undefined) {
        this.#withoutSide(order);
        continue;
      }
      const rule = priceAtOpen(order, side, bar, this.#instrument(order).tick, this.#play.terms);
      if (rule !== undefined) this.#fill(order, side, rule, bar, false);
      else if (typeOf(order) === 'stop_limit' && touchesStop(order, side, bar.open)) order.triggered = true;
      const isImmediate = order.ask.timeInForce === 'IOC' || order.ask.timeInForce === 'FOK';
      if (isImmediate && this.#orders.includes(order)) this.#cancel(order);
    }
  }

  #inside(): void {
    const done = new Set<RestingOrder>();
    for (;;) {
      const order = this.#orders.find((one) => !done.has(one));
      if (order === undefined) return;
      done.add(order);
      const rule = this.#insidePrice(order);
      if (rule === undefined) {
        this.#touch(order);
        continue;
      }
      const rivals = this.#orders.filter(
        (one) => one !== order && this.#areRivals(one, order) && this.#insidePrice(one) !== undefined,
      );
      if (rivals.length === 0)
        this.#fill(order, this.#side(order)!, rule, this.#tradedBar(order.symbol)!, true);
      else this.#fillWorst([order, ...rivals]);
    }
  }

  #side(order: RestingOrder): 'buy' | 'sell' | undefined {
    return sideNow(order, this.#account);
  }

  #insidePrice(order: RestingOrder): RulePrice | undefined {
    const bar = this.#tradedBar(order.symbol);
    const side = this.#side(order);
    if (bar === null || side === undefined) return undefined;
    const price = order.exit?.bornInside === this.#bar ? priceAfterBirth : priceInside;
    return price(order, side, bar, this.#instrument(order).tick, this.#play.terms);
  }

  /** A stop-limit whose stop was touched rests as a limit from the next bar. */
  #touch(order: RestingOrder): void {
    const bar = this.#tradedBar(order.symbol);
    const side = this.#side(order);
    if (bar === null || side === undefined || typeOf(order) !== 'stop_limit') return;
    if (touchesStop(order, side, side === 'buy' ? bar.high : bar.low)) order.triggered = true;
  }

  #areRivals(one: RestingOrder, other: RestingOrder): boolean {
    if (one.exit !== undefined && other.exit !== undefined) return one.exit.parent === other.exit.parent;
    return one.symbol === other.symbol && one.ask.group !== undefined && one.ask.group === other.ask.group;
  }

  #withoutSide(order: RestingOrder): void {
    if (order.ask.action === 'target') this.#cancel(order);
    else this.#refuseAtFill(order, 'nothing_to_close');
  }

  /** The bar reaches several of which only one can fill: the one that leaves least at the close. */
  #fillWorst(orders: readonly RestingOrder[]): void {
    const gains = orders.map((order) => this.#gainByClose(order));
    let worst = 0;
    gains.forEach((gain, index) => {
      if (gain.isBelow(gains[worst]!)) worst = index;
    });
    let best = gains[worst]!;
    for (const gain of gains) if (gain.isAbove(best)) best = gain;
    const order = orders[worst]!;
    const rule = this.#insidePrice(order)!;
    const missed = best.minus(gains[worst]!);
    const bar = this.#tradedBar(order.symbol)!;
    this.#fill(order, this.#side(order)!, rule, bar, true, missed.isZero() ? undefined : missed);
  }

  /** What a fill at the rule's price would gain by the close, before costs. */
  #gainByClose(order: RestingOrder): Rational {
    const bar = this.#tradedBar(order.symbol)!;
    const side = this.#side(order)!;
    const { price } = this.#insidePrice(order)!;
    const size = sizeOf(order, side, this.#prospect(order, price), this.#instrument(order));
    if (typeof size !== 'object') return ZERO;
    const units = smaller(size.closing.plus(size.opening), this.#budget.get(order.symbol)!);
    const gain = bar.close.minus(price).times(units);
    return side === 'buy' ? gain : gain.negated();
  }

  #atClose(): void {
    for (const order of [...this.#orders]) {
      const bar = this.#tradedBar(order.symbol);
      if (bar === null || typeOf(order) !== 'market_on_close' || !this.#orders.includes(order)) continue;
      const side = this.#side(order);
      if (side === undefined) this.#withoutSide(order);
      else this.#fill(order, side, { price: bar.close, isLimit: false }, bar, true);
    }
  }

  #trail(): void {
    for (const order of this.#orders) {
      const bar = this.#tradedBar(order.symbol);
      const side = this.#side(order);
      if (bar === null || order.level === undefined || side === undefined) continue;
      const level = trailFrom(order, side, side === 'sell' ? bar.high : bar.low);
      if (side === 'sell' ? level.isAbove(order.level) : level.isBelow(order.level)) order.level = level;
    }
  }

  /** Largest loser first, until what is left carries itself. */
  #checkMargin(): void {
    const { maintenanceMargin = 0 } = this.#play.terms;
    const account = this.#account;
    const share = Rational.of(maintenanceMargin);
    if (share.isZero()) return;
    let gross = account.grossExposure();
    const losers = account.held();
    losers.sort((left, right) => {
      const more = account.unrealised(left).minus(account.unrealised(right)).sign();
      return more === 0 ? (left < right ? -1 : 1) : more;
    });
    for (const symbol of losers) {
      if (!account.equity().isBelow(gross.times(share))) return;
      gross = gross.minus(account.position(symbol).abs().times(account.mark(symbol)));
      if (this.#orders.some((order) => order.liquidation && order.symbol === symbol)) continue;
      const ask: Ask = { action: 'close', symbol, reason: 'liquidation' };
      this.#orders.push({ ...this.#newOrder(ask, symbol), liquidation: true });
    }
  }

  #newOrder(ask: Ask, symbol: string): RestingOrder {
    const id = this.#nextId++;
    return { id, ask, symbol, placedBar: this.#bar, bars: 0, filled: ZERO, triggered: false };
  }

  #instrument(order: RestingOrder) {
    return instrumentOf(order.symbol, this.#play.terms);
  }

  #prospect({ symbol, soFar }: RestingOrder, price: Rational): Prospect {
    const { terms } = this.#play;
    return { account: this.#account, symbol, price, traded: this.#traded, terms, soFar };
  }

  #fillPrice(order: RestingOrder, side: 'buy' | 'sell', rule: RulePrice, bar: Bar): Rational {
    const { tick } = this.#instrument(order);
    return rule.isLimit ? rule.price : slipped(rule.price, side, bar, this.#play.terms, tick);
  }

  #fill(
    order: RestingOrder,
    side: 'buy' | 'sell',
    rule: RulePrice,
    bar: Bar,
    isInside: boolean,
    gainIfOther?: Rational,
  ): void {
    const account = this.#account;
    const { symbol } = order;
    const price = this.#fillPrice(order, side, rule, bar);
    const prospect = this.#prospect(order, price);
    const size = sizeOf(order, side, prospect, this.#instrument(order));
    if (typeof size === 'string') {
      this.#refuseAtFill(order, size);
      return;
    }
    if (size === undefined) {
      this.#cancel(order);
      return;
    }
    const whole = size.closing.plus(size.opening);
    const budget = this.#budget.get(symbol)!;
    const quantity = smaller(whole, budget);
    order.triggered = true;
    if (quantity.isZero() || (order.ask.timeInForce === 'FOK' && quantity.isBelow(whole))) return;
    const closing = smaller(quantity, size.closing);
    const part = { side, closing, opening: quantity.minus(closing) };
    const fault = fillFault(order, size, part, prospect, this.#instrument(order));
    if (fault !== undefined) {
      this.#refuseAtFill(order, fault);
      return;
    }
    this.#budget.set(symbol, budget.minus(quantity));
    this.#book(
      order,
      side,
      quantity,
      price,
      rule.isLimit && isInside && typeOf(order) !== 'market',
      gainIfOther,
    );
    order.sized = order.filled.plus(whole);
    order.filled = order.filled.plus(quantity);
    order.side = side;
    if (quantity.equals(whole)) this.#remove(order);
    const { group } = order.ask;
    for (const rival of [...this.#orders])
      if (group !== undefined && rival !== order && rival.ask.group === group) this.#cancel(rival);
    this.#bearExits(order, side, price, isInside);
    for (const exit of [...this.#orders])
      if (exit.exit !== undefined && account.openedBy(exit.symbol, exit.exit.parent).isZero())
        this.#cancel(exit);
  }

  #book(
    order: RestingOrder,
    side: 'buy' | 'sell',
    quantity: Rational,
    price: Rational,
    isMaker: boolean,
    gainIfOther: Rational | undefined,
  ): void {
    const { symbol } = order;
    const before = order.soFar ?? { filled: ZERO, value: ZERO, charged: ZERO, tradedBefore: this.#traded };
    const commission = commissionOf(quantity, price, isMaker, this.#traded, this.#play.terms, before);
    order.soFar = {
      filled: before.filled.plus(quantity),
      value: before.value.plus(quantity.times(price)),
      charged: before.charged.plus(commission),
      tradedBefore: before.tradedBefore,
    };
    const reason = order.ask.reason ?? order.exit?.kind ?? typeOf(order);
    this.#account.book(
      this.#bar,
      symbol,
      side,
      quantity,
      price,
      commission,
      reason,
      order.id,
      order.exit?.parent,
    );
    this.#traded = this.#traded.plus(quantity.times(price));
    this.#fills.push({
      bar: this.#bar,
      order: order.id,
      symbol,
      side,
      quantity: String(quantity),
      price: String(price),
      commission: String(commission),
      cash: String(this.#account.cash),
      ambiguous: gainIfOther !== undefined,
      gainIfOther: String(gainIfOther ?? ZERO),
    });
  }

  /** A parent's first fill that opens bears its exits; they cover whatever is left of what it opened. */
  #bearExits(parent: RestingOrder, side: 'buy' | 'sell', price: Rational, isInside: boolean): void {
    const { stopLoss, takeProfit } = parent.ask;
    if (this.#orders.some((order) => order.exit?.parent === parent.id)) return;
    if (this.#account.openedBy(parent.symbol, parent.id).isZero()) return;
    const away = side === 'buy' ? 1 : -1;
    const range = (length: number): Rational | undefined => this.#range(parent, length);
    const bear = (kind: 'stop-loss' | 'take-profit', level: Rational | undefined): void => {
      if (level === undefined) return;
      const action = side === 'buy' ? 'sell' : 'buy';
      const ask: Ask =
        kind === 'stop-loss'
          ? { action, type: 'stop', stopPrice: String(level) }
          : { action, type: 'limit', limitPrice: String(level) };
      const exit = { parent: parent.id, kind, bornInside: isInside ? this.#bar : null };
      this.#orders.push({ ...this.#newOrder(ask, parent.symbol), exit });
    };
    if (stopLoss !== undefined) bear('stop-loss', exitPrice(stopLoss, price, -away, range));
    if (takeProfit !== undefined) bear('take-profit', exitPrice(takeProfit, price, away, range));
  }

  /** As it was known when the order was placed. */
  #range(order: RestingOrder, length: number): Rational | undefined {
    const known = this.#bars.get(order.symbol)!.slice(0, order.placedBar + 1);
    return averageTrueRange(
      known.filter((bar) => bar !== null),
      length,
    );
  }

  #remove(order: RestingOrder): void {
    this.#orders = this.#orders.filter((one) => one !== order);
  }

  #cancel(order: RestingOrder): void {
    this.#remove(order);
    this.#cancels.push(`${this.#bar} ${order.id}`);
  }

  #refuseAtFill(order: RestingOrder, code: string): void {
    this.#remove(order);
    this.#refusals.push(`${this.#bar} ${code}`);
  }

  #do(step: Step): void {
    if ('submit' in step) {
      this.#submit(step.submit, step.name);
      return;
    }
    const order = this.#numbered('cancel' in step ? step.cancel : step.replace);
    if ('cancel' in step) {
      if (order !== undefined) this.#cancel(order);
    } else if (order === undefined || order.exit !== undefined) {
      this.#refusals.push(`${this.#bar} unknown_order`);
    } else this.#replace(order, step.replace, step.changes);
  }

  /** The old order gives way only when the new one can be accepted; what it has filled counts. */
  #replace(order: RestingOrder, name: string, changes: Partial<Ask>): void {
    const left = order.sized?.minus(order.filled);
    const { quantity: _, notional: __, equityFraction: ___, ...rest } = order.ask;
    const ask: Ask = {
      ...(left === undefined ? order.ask : { ...rest, quantity: String(left) }),
      ...changes,
    };
    const code = this.#faultOf(ask, order.symbol);
    if (code !== undefined) {
      this.#refusals.push(`${this.#bar} ${code}`);
      return;
    }
    this.#cancel(order);
    this.#submit(ask, name);
  }

  #numbered(name: string): RestingOrder | undefined {
    return this.#orders.find((order) => order.id === (this.#numbers.get(name) ?? LARGE));
  }

  #submit(ask: Ask, name: string): void {
    const symbol = ask.symbol ?? this.#symbols[0]!;
    const code = this.#faultOf(ask, symbol);
    if (code !== undefined) {
      this.#refusals.push(`${this.#bar} ${code}`);
      return;
    }
    const side = this.#sideToCome(ask, symbol);
    const order = this.#newOrder(ask, symbol);
    this.#numbers.set(name, order.id);
    if (typeOf(order) === 'trailing_stop') order.level = trailFrom(order, side, this.#account.mark(symbol));
    this.#orders.push(order);
  }

  /** The side on which an order will trade once the market orders before it have filled. */
  #sideToCome({ action }: Ask, symbol: string): 'buy' | 'sell' {
    if (action === 'buy' || action === 'sell') return action;
    const { terms } = this.#play;
    const units = projectedUnits(symbol, this.#orders, this.#account, instrumentOf(symbol, terms));
    return units.sign() < 0 ? 'buy' : 'sell';
  }

  #faultOf(ask: Ask, symbol: string): string | undefined {
    const { terms } = this.#play;
    const instrument = (name: string) => instrumentOf(name, terms);
    if (!this.#symbols.includes(symbol)) return 'unknown_symbol';
    if (!this.#account.marks.has(symbol)) return 'no_price';
    const fault = amountFault(ask, terms);
    if (fault !== undefined) return fault;
    const order = {
      id: 0,
      ask,
      symbol,
      placedBar: this.#bar,
      bars: 0,
      filled: ZERO,
      triggered: false,
    };
    const isRangeMissing = [ask.stopLoss, ask.takeProfit].some(
      (exit) =>
        typeof exit === 'object' && 'atr' in exit && this.#range(order, exit.length ?? 14) === undefined,
    );
    const prospect = prospectFault(order, this.#orders, this.#account, instrument, this.#traded, terms);
    return prospect ?? (isRangeMissing ? 'bad_price' : undefined);
  }
}

export const runReference = (play: Play): Outcome => new ReferenceExchange(play).run();
