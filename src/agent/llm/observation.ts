import { type BarContext, type Json, knownBeside } from '../../engine/index.ts';
import { formatInstant } from '../../kernel/index.ts';
import type { Window } from '../../market/index.ts';
import {
  contractsOf,
  featuresText,
  featureView,
  newDocumentsText,
  type SinceDecision,
  symbolTable,
  type TableColumn,
} from '../../toolkit/index.ts';
import type { Note } from './notes.ts';
import type { PROMPT_VARIABLES, PromptVariable } from './prompt.ts';

/**
 * Returns the observation at the start of a decision.
 *
 * @param columns columns of a table of symbols. The table replaces the bars of the symbols
 */
export function observationOf(
  turn: BarContext,
  since: SinceDecision,
  notes: readonly Note[],
  columns: readonly TableColumn[] | undefined,
): Readonly<Record<string, Json>> {
  const { account } = turn;
  return {
    since_last_decision: since.view(turn),
    bar: turn.bar,
    date: formatInstant(turn.time),
    ...(columns === undefined
      ? { symbols: Object.fromEntries(turn.symbols.map((symbol) => [symbol, lastBar(turn, symbol)])) }
      : tableOf(turn, columns, since)),
    ...(turn.contextSymbols.length === 0
      ? {}
      : {
          context: Object.fromEntries(turn.contextSymbols.map((symbol) => [symbol, lastBar(turn, symbol)])),
        }),
    account: {
      cash: account.cash.toNumber(),
      equity: account.equity.toNumber(),
      positions: Object.fromEntries(
        account.positions().map((position) => [
          position.symbol,
          {
            size: position.quantity.toNumber(),
            avg_price: position.averagePrice.toNumber(),
            // The table has a separate column for the profit.
            ...(columns?.includes('profit') ? {} : { unrealised_pnl: position.unrealisedPnl.toNumber() }),
          },
        ]),
      ),
      ...contractsOf(account, turn.symbols),
    },
    pending_orders: turn.orders.pending().map((order) => ({
      order_id: order.id,
      symbol: turn.symbols[order.symbol]!,
      action: order.action,
      order_type: order.type,
      quantity: order.size.kind === 'units' ? order.size.units.toNumber() : null,
      ...(order.filled.isZero() ? {} : { filled: order.filled.toNumber() }),
      ...(Number.isNaN(order.limitPrice) ? {} : { price: order.limitPrice }),
      ...(Number.isNaN(order.stopPrice) ? {} : { stop_price: order.stopPrice }),
      ...(order.role === 'order' ? {} : { role: order.role }),
    })),
    ...universeOf(turn),
    notes: notes.map(({ date, text }) => ({ date, text })),
  };
}

function tableOf(
  turn: BarContext,
  columns: readonly TableColumn[],
  { trades }: SinceDecision,
): Readonly<Record<string, Json>> {
  const windows = turn.symbols.map((symbol) => turn.windowOf(symbol));
  const known = windows.filter(({ features }) => features.length > 0);
  return {
    table: symbolTable(turn, columns, trades),
    ...(known.length === 0
      ? {}
      : { features: Object.fromEntries(known.map((window) => [window.symbol, featureView(window)])) }),
  };
}

function lastBar(turn: BarContext, symbol: string): Json {
  const window = turn.windowOf(symbol);
  const { bar } = window;
  if (bar === undefined) return null;
  const { time, open, high, low, close, volume } = bar;
  // A symbol without a bar at this time shows its last bar with the date of that bar.
  return {
    ...(time === turn.time ? {} : { date: formatInstant(time) }),
    open,
    high,
    low,
    close,
    volume,
    ...features(window),
  };
}

function features(window: Window): Readonly<Record<string, Json>> {
  return window.features.length === 0 ? {} : { features: featureView(window) };
}

/** Returns the tradable symbols, for a run with a changing universe. */
function universeOf(turn: BarContext): Readonly<Record<string, Json>> {
  const { universe } = knownBeside(turn);
  return universe === undefined ? {} : { universe: [...universe()] };
}

/** Returns the values of a prompt's variables at a turn. */
export function promptValues(
  turn: BarContext,
  tools: readonly string[],
  rounds: number,
  documentsSeen: number,
): Readonly<Record<PromptVariable, string>> {
  const values: Record<PromptVariable, string> = {
    bar: String(turn.bar),
    date: formatInstant(turn.time),
    bars: String(turn.window.length),
    symbol: turn.window.symbol,
    symbols: turn.symbols.join(', '),
    close: String(turn.window.close.last),
    cash: turn.account.cash.toString(),
    equity: turn.account.equity.toString(),
    position: String(turn.account.units(turn.window.symbol)),
    features: featuresText(turn),
    documents: newDocumentsText(turn, documentsSeen),
    universe: turn.universe().join(', '),
    tools: tools.join(', '),
    rounds: String(rounds),
  };
  return values satisfies Record<keyof typeof PROMPT_VARIABLES, string>;
}
