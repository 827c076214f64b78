import { accountFault, faultOf, isMaker, prospectFault, sideNow } from './acceptance.ts';
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
import { opposite, sizeOf } from './sizing.ts';
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
      const { timeInForce, goodTill, validBars } = order.ask;
      const first = this.#firstBarAfter(order);
      const isOver =
        (timeInForce === 'GTD' && today > goodTill!) ||
        (timeInForce === 'DAY' && first < this.#bar && today > this.#day(first)) ||
        (validBars !== undefined && this.#bar > order.placedBar + validBars);
      if (isOver) this.#cancel(order);
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
      const side = this.#side(order);
      if (side === undefined) {
        if (typeOf(order) === 'market') this.#refuseAtFill(order, 'nothing_to_close');
      } else {
        const rule = priceAtOpen(order, side, bar, this.#instrument(order).tick, this.#play.terms);
        if (rule !== undefined) this.#fill(order, side, rule, bar, false);
      }
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
    if (touchesStop(order, side, bar)) order.triggered = true;
  }

  #areRivals(one: RestingOrder, other: RestingOrder): boolean {
    if (one.exit !== undefined && other.exit !== undefined) return one.exit.parent === other.exit.parent;
    return one.ask.group !== undefined && one.ask.group === other.ask.group;
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
    this.#fill(
      order,
      this.#side(order)!,
      rule,
      this.#tradedBar(order.symbol)!,
      true,
      best.minus(gains[worst]!),
    );
  }

  #gainByClose(order: RestingOrder): Rational {
    const bar = this.#tradedBar(order.symbol)!;
    const side = this.#side(order)!;
    const rule = this.#insidePrice(order)!;
    const price = this.#fillPrice(order, side, rule, bar);
    const size = sizeOf(order, side, this.#prospect(order, price), this.#instrument(order));
    if (typeof size !== 'object') return ZERO;
    const quantity = size.closing.plus(size.opening);
    const gain = bar.close.minus(price).times(quantity);
    const commission = commissionOf(quantity, price, rule.isLimit, this.#traded, this.#play.terms);
    return (side === 'buy' ? gain : gain.negated()).minus(commission);
  }

  #atClose(): void {
    for (const order of [...this.#orders]) {
      const bar = this.#tradedBar(order.symbol);
      if (bar === null || typeOf(order) !== 'market_on_close' || !this.#orders.includes(order)) continue;
      const side = this.#side(order);
      if (side === undefined) this.#refuseAtFill(order, 'nothing_to_close');
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

  #checkMargin(): void {
    const { maintenanceMargin = 0 } = this.#play.terms;
    const account = this.#account;
    const needed = account.grossExposure().times(Rational.of(maintenanceMargin));
    if (maintenanceMargin === 0 || !account.equity().isBelow(needed)) return;
    const waiting = this.#orders.filter((order) => order.liquidation).map((order) => order.symbol);
    const symbols = account.held().filter((symbol) => !waiting.includes(symbol));
    symbols.sort(
      (left, right) =>
        account.unrealised(left).minus(account.unrealised(right)).sign() || (left < right ? -1 : 1),
    );
    for (const symbol of symbols) {
      this.#orders.push({
        id: this.#nextId++,
        ask: { action: 'close', symbol, reason: 'liquidation' },
        symbol,
        placedBar: this.#bar,
        filled: ZERO,
        triggered: false,
        liquidation: true,
      });
    }
  }

  #instrument(order: RestingOrder) {
    return instrumentOf(order.symbol, this.#play.terms);
  }

  #prospect(order: RestingOrder, price: Rational) {
    const { terms } = this.#play;
    return {
      account: this.#account,
      symbol: order.symbol,
      price,
      isMaker: isMaker(order),
      traded: this.#traded,
      terms,
    };
  }

  #fillPrice(order: RestingOrder, side: 'buy' | 'sell', rule: RulePrice, bar: Bar): Rational {
    return rule.isLimit
      ? rule.price
      : slipped(rule.price, side, bar, this.#play.terms, this.#instrument(order).tick);
  }

  #fill(
    order: RestingOrder,
    asked: 'buy' | 'sell',
    rule: RulePrice,
    bar: Bar,
    isInside: boolean,
    gainIfOther?: Rational,
  ): void {
    const { terms } = this.#play;
    const account = this.#account;
    const { symbol } = order;
    const price = this.#fillPrice(order, asked, rule, bar);
    const size = sizeOf(order, asked, this.#prospect(order, price), this.#instrument(order));
    if (typeof size === 'string') return this.#refuseAtFill(order, size);
    if (size === undefined) return this.#remove(order);
    const whole = size.closing.plus(size.opening);
    const fault = accountFault(
      order,
      size,
      account,
      (name) => instrumentOf(name, terms),
      this.#traded,
      terms,
      price,
    );
    if (fault !== undefined) return this.#refuseAtFill(order, fault);
    const budget = this.#budget.get(symbol)!;
    const quantity = smaller(whole, budget);
    if (order.ask.timeInForce === 'FOK' && quantity.isBelow(whole)) return this.#cancel(order);
    if (quantity.isZero()) return;
    if (order.ask.action !== 'close') order.sized = order.filled.plus(whole);
    const commission = commissionOf(quantity, price, rule.isLimit, this.#traded, terms);
    const opened = quantity.minus(smaller(quantity, opposite(account, symbol, size.side)));
    const reason = order.ask.reason ?? order.exit?.kind ?? 'market';
    account.book(this.#bar, symbol, size.side, quantity, price, commission, reason);
    this.#budget.set(symbol, budget.minus(quantity));
    this.#traded = this.#traded.plus(quantity.times(price));
    order.filled = order.filled.plus(quantity);
    this.#fills.push({
      bar: this.#bar,
      order: order.id,
      symbol,
      side: size.side,
      quantity: String(quantity),
      price: String(price),
      commission: String(commission),
      cash: String(account.cash),
      ambiguous: gainIfOther !== undefined,
      gainIfOther: String(gainIfOther ?? ZERO),
    });
    const isDone = quantity.equals(whole);
    if (isDone) this.#remove(order);
    for (const rival of [...this.#orders]) {
      if (rival === order || !this.#areRivals(rival, order)) continue;
      if (order.exit === undefined || isDone) this.#cancel(rival);
      else rival.filled = rival.filled.plus(quantity);
    }
    this.#trimExits(symbol);
    if (!opened.isZero()) this.#bearExits(order, size.side, opened, price, isInside);
  }

  /** Exits of a position that is gone or turned are cancelled; none closes more than there is. */
  #trimExits(symbol: string): void {
    for (const order of [...this.#orders]) {
      if (order.symbol !== symbol || order.exit === undefined) continue;
      const held = opposite(this.#account, symbol, order.ask.action as 'buy' | 'sell');
      const left = Rational.of(order.ask.quantity!).minus(order.filled);
      if (held.isZero()) this.#cancel(order);
      else if (held.isBelow(left)) order.filled = Rational.of(order.ask.quantity!).minus(held);
    }
  }

  #bearExits(
    parent: RestingOrder,
    side: 'buy' | 'sell',
    quantity: Rational,
    price: Rational,
    isInside: boolean,
  ): void {
    const { stopLoss, takeProfit } = parent.ask;
    const away = side === 'buy' ? 1 : -1;
    const range = (length: number): Rational | undefined => this.#range(parent, length);
    const stop = stopLoss === undefined ? undefined : exitPrice(stopLoss, price, -away, range);
    const take = takeProfit === undefined ? undefined : exitPrice(takeProfit, price, away, range);
    const exit = (kind: 'stop-loss' | 'take-profit', level: Rational): void => {
      const terms: Partial<Ask> =
        kind === 'stop-loss'
          ? { type: 'stop', stopPrice: String(level) }
          : { type: 'limit', limitPrice: String(level) };
      this.#orders.push({
        id: this.#nextId++,
        ask: { action: side === 'buy' ? 'sell' : 'buy', quantity: String(quantity), ...terms },
        symbol: parent.symbol,
        placedBar: this.#bar,
        filled: ZERO,
        triggered: false,
        exit: { parent: parent.id, kind, bornInside: isInside ? this.#bar : null },
      });
    };
    if (stop !== undefined) exit('stop-loss', stop);
    if (take !== undefined) exit('take-profit', take);
  }

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
    if ('submit' in step) return this.#submit(step.submit, step.name);
    if ('cancel' in step) {
      const order = this.#numbered(step.cancel);
      if (order === undefined) this.#refusals.push(`${this.#bar} unknown_order`);
      else this.#cancel(order);
      return;
    }
    const order = this.#numbered(step.replace);
    if (order === undefined) {
      this.#refusals.push(`${this.#bar} unknown_order`);
      return;
    }
    const code = this.#faultOf({ ...order, ask: { ...order.ask, ...step.changes } }, order);
    if (code !== undefined) this.#refusals.push(`${this.#bar} ${code}`);
    else {
      order.ask = { ...order.ask, ...step.changes };
      order.placedBar = this.#bar;
      this.#startTrail(order);
    }
  }

  #numbered(name: string): RestingOrder | undefined {
    return this.#orders.find((order) => order.id === (this.#numbers.get(name) ?? LARGE));
  }

  #submit(ask: Ask, name: string): void {
    const symbol = ask.symbol ?? this.#symbols[0]!;
    const order: RestingOrder = {
      id: this.#nextId,
      ask,
      symbol,
      placedBar: this.#bar,
      filled: ZERO,
      triggered: false,
    };
    const code = this.#faultOf(order);
    if (code !== undefined) {
      this.#refusals.push(`${this.#bar} ${code}`);
      return;
    }
    this.#nextId += 1;
    this.#numbers.set(name, order.id);
    this.#startTrail(order);
    this.#orders.push(order);
  }

  #startTrail(order: RestingOrder): void {
    const side = sideNow(order, this.#account);
    if (typeOf(order) === 'trailing_stop' && side !== undefined)
      order.level = trailFrom(order, side, this.#account.mark(order.symbol));
  }

  #faultOf(order: RestingOrder, itself?: RestingOrder): string | undefined {
    const { terms } = this.#play;
    const fault = faultOf(order.ask, this.#symbols, this.#instrument(order), terms);
    if (fault !== undefined) return fault;
    if (!this.#account.marks.has(order.symbol)) return 'no_price';
    const before = this.#orders.filter((one) => one.exit === undefined && one !== itself);
    return prospectFault(
      order,
      before,
      this.#account,
      (name) => instrumentOf(name, terms),
      this.#traded,
      terms,
    );
  }
}

export const runReference = (play: Play): Outcome => new ReferenceExchange(play).run();
