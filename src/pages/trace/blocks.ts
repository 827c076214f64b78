import type { JournalEvent } from '../../journal/index.ts';
import { isObject, numberOf, textOf } from '../../kernel/index.ts';
import { agentBlock, block, factsOf, jsonText, publishedBlock } from './agent-blocks.ts';
import { modelBlock } from './model-blocks.ts';
import type { OrderLifecycle, OrderLifecycles, TraceTrade } from './order-lifecycles.ts';
import type { Block, BlockText } from './step.ts';
import { errorOf } from './step-draft.ts';

/** Number of calls and durations by tool, from `timing.json`. Empty if the file is missing. */
export type ToolTimes = Readonly<
  Record<
    string,
    { readonly calls: number; readonly p50Milliseconds: number; readonly p95Milliseconds: number }
  >
>;

export interface BlockContext {
  readonly lifecycles: OrderLifecycles;
  readonly times: ToolTimes;
}

type Links = Block['links'];

const PYTHON_ARGUMENTS = new Set(['code', 'expression', 'expr', 'python']);

/**
 * Returns the block (part of the page) that shows an event. `undefined` for events that the page shows in
 * another place.
 */
export function blockOf(event: JournalEvent, context: BlockContext): Block | undefined {
  switch (event.type) {
    case 'bar':
    case 'run_started':
      return undefined;
    case 'tool_called':
      return toolBlock(event, context.times);
    case 'note':
      return block('note', 'Note', { texts: [{ label: '', text: textOf(event.text), form: 'words' }] });
    case 'order_accepted':
      return orderBlock(event, context.lifecycles);
    case 'order_rejected':
      return rejectedBlock(event, context.lifecycles);
    case 'order_cancelled':
      return cancelledBlock(event, context.lifecycles);
    case 'order_filled':
      return fillBlock(event, context.lifecycles);
    case 'trade_closed':
      return tradeBlock(event, context.lifecycles);
    case 'features_known':
      return knownBlock(event);
    case 'context_known':
      return contextBlock(event);
    case 'documents_known':
    case 'fundamentals_known':
    case 'universe_changed':
      return publishedBlock(event);
    case 'run_finished':
      return finishedBlock(event);
    default:
      return modelBlock(event) ?? agentBlock(event) ?? otherBlock(event);
  }
}

function toolBlock(event: JournalEvent, times: ToolTimes): Block {
  const name = textOf(event.name);
  const error = errorOf(event.result);
  const given = isObject(event.arguments) ? event.arguments : {};
  const code = Object.entries(given).filter(
    ([key, value]) => typeof value === 'string' && isPython(key, given),
  );
  const rest = Object.fromEntries(
    Object.entries(given).filter(([key]) => !code.some(([own]) => own === key)),
  );
  const time = Object.hasOwn(times, name) ? times[name] : undefined;
  const usual =
    time === undefined
      ? ''
      : `${time.p50Milliseconds.toFixed(1)} ms, 95th percentile ${time.p95Milliseconds.toFixed(1)} ms, over ${time.calls} calls of this run`;
  return block('tool', name, {
    tone: error === undefined ? 'plain' : 'bad',
    facts: factsOf(['Call', event.sequence], ['Usual time', usual]),
    texts: [
      ...code.map(([key, value]): BlockText => ({ label: key, text: textOf(value), form: 'python' })),
      ...argumentText(event.arguments, rest),
      ...resultTexts(event.result, error),
    ],
  });
}

function isPython(key: string, given: Readonly<Record<string, unknown>>): boolean {
  if (PYTHON_ARGUMENTS.has(key)) return true;
  const file = textOf(given.path ?? given.file);
  return (key === 'content' || key === 'text') && file.endsWith('.py');
}

function argumentText(given: unknown, rest: Readonly<Record<string, unknown>>): BlockText[] {
  if (!isObject(given)) return [jsonText('arguments', given)];
  return Object.keys(rest).length === 0 ? [] : [jsonText('arguments', rest)];
}

function resultTexts(result: unknown, error: string | undefined): BlockText[] {
  if (error === undefined) return [jsonText('result', result)];
  const { error: _, remediation, ...rest } = isObject(result) ? result : {};
  return [
    { label: 'error', text: error, form: 'words' },
    ...(remediation === undefined
      ? []
      : [{ label: 'what to do', text: textOf(remediation), form: 'words' } as const]),
    ...(Object.keys(rest).length === 0 ? [] : [jsonText('more', rest)]),
  ];
}

const SIZE_FIELDS = ['quantity', 'notional', 'equityFraction', 'targetQuantity', 'targetFraction'] as const;
const SIZE_NAMES: Readonly<Record<(typeof SIZE_FIELDS)[number], string>> = {
  quantity: 'Quantity',
  notional: 'Notional',
  equityFraction: 'Fraction of equity',
  targetQuantity: 'Target quantity',
  targetFraction: 'Target fraction',
};

function orderBlock(event: JournalEvent, lifecycles: OrderLifecycles): Block {
  const lifecycle = lifecycles.orders.get(numberOf(event.orderId) ?? -1);
  const role = textOf(event.role);
  const what =
    role === '' ? `${textOf(event.action)} ${textOf(event.symbol)}` : `${role} for ${textOf(event.symbol)}`;
  return block('order', `Order ${textOf(event.orderId)}: ${what}`, {
    tone: lifecycle?.end === 'rejected' ? 'bad' : 'plain',
    facts: factsOf(
      ['Type', event.orderType],
      ...SIZE_FIELDS.map((name) => [SIZE_NAMES[name], event[name]] as const),
      ['Limit', event.limitPrice],
      ['Stop', event.stopPrice],
      ['Limit beyond stop', event.limitOffset],
      ['Wakes at', event.activationPrice],
      ['Post-only', event.postOnly === true ? 'yes' : ''],
      ['In force', event.timeInForce],
      ['Bars valid', event.validBars],
      ['Group', event.group],
      ['Because', event.reason],
      ['What became of it', lifecycle === undefined ? '' : lifecycleText(lifecycle)],
    ),
    links: lifecycle === undefined ? [] : lifecycleLinks(lifecycle, lifecycles),
  });
}

function lifecycleText(lifecycle: OrderLifecycle): string {
  const filled = lifecycle.fills.map(
    ({ bar, quantity, price }) => `filled ${quantity} at ${price} on bar ${bar}`,
  );
  const ended =
    lifecycle.end === 'waiting'
      ? []
      : [`${lifecycle.end} on bar ${lifecycle.endBar ?? '–'}: ${lifecycle.endText}`];
  const all = ['accepted', ...filled, ...ended];
  if (all.length === 1) all.push('never filled by the end of the journal');
  return all.join(' → ');
}

function lifecycleLinks(lifecycle: OrderLifecycle, lifecycles: OrderLifecycles): Links {
  return [
    ...(lifecycle.parentId === undefined ? [] : orderLink(lifecycle.parentId, lifecycles)),
    ...lifecycle.fills.map(({ bar }) => ({ text: `fill on bar ${bar}`, bar })),
    ...(lifecycle.endBar === undefined
      ? []
      : [{ text: `${lifecycle.end} on bar ${lifecycle.endBar}`, bar: lifecycle.endBar }]),
    ...lifecycle.trades.flatMap((id) => tradeLinks(lifecycles.trades.get(id))),
    ...lifecycle.exits.flatMap((id) => orderLink(id, lifecycles)),
  ];
}

function orderLink(orderId: number | undefined, lifecycles: OrderLifecycles): Links {
  const lifecycle = lifecycles.orders.get(orderId ?? -1);
  if (lifecycle === undefined) return [];
  const name = lifecycle.role === '' ? 'order' : lifecycle.role;
  return [
    { text: `${name} ${lifecycle.orderId} placed on bar ${lifecycle.placedBar}`, bar: lifecycle.placedBar },
  ];
}

function tradeLinks(trade: TraceTrade | undefined): Links {
  if (trade === undefined) return [];
  const { id, entryBar, exitBar, netPnl } = trade;
  if (exitBar === undefined)
    return [{ text: `trade ${id}, entered on bar ${entryBar}, open`, bar: entryBar }];
  return [{ text: `trade ${id} ended on bar ${exitBar}, net ${netPnl}`, bar: exitBar }];
}

function rejectedBlock(event: JournalEvent, lifecycles: OrderLifecycles): Block {
  const orderId = numberOf(event.orderId);
  const number = orderId === undefined ? '' : ` ${orderId}`;
  return block('order', `Order${number} refused: ${textOf(event.action)} ${textOf(event.symbol)}`, {
    tone: 'bad',
    facts: factsOf(['Code', event.code], ['Why', event.message], ['What to do', event.remedy]),
    links: orderLink(orderId, lifecycles),
  });
}

function cancelledBlock(event: JournalEvent, lifecycles: OrderLifecycles): Block {
  return block('order', `Order ${textOf(event.orderId)} cancelled: ${textOf(event.symbol)}`, {
    facts: factsOf(['Code', event.code], ['Why', event.message]),
    links: orderLink(numberOf(event.orderId), lifecycles),
  });
}

function fillBlock(event: JournalEvent, lifecycles: OrderLifecycles): Block {
  const orderId = numberOf(event.orderId);
  const lifecycle = lifecycles.orders.get(orderId ?? -1);
  return block(
    'fill',
    `Fill: ${textOf(event.side)} ${textOf(event.quantity)} ${textOf(event.symbol)} at ${textOf(event.price)}`,
    {
      facts: factsOf(
        ['Order', orderId],
        ['Requested, more than buying power carried', event.requestedQuantity],
        ['Before slippage', event.priceBeforeSlippage === event.price ? '' : event.priceBeforeSlippage],
        ['Commission', event.commission],
        ['Cash after', event.cash],
        ['Because', event.reason],
        [
          'Ambiguous',
          event.ambiguous === true
            ? event.gainIfOther === undefined
              ? 'another outcome of the bar does not have it'
              : `another outcome of the bar does not have it; worse and better differ by ${textOf(event.gainIfOther)}`
            : '',
        ],
      ),
      links: [
        ...orderLink(orderId, lifecycles),
        ...(lifecycle?.trades ?? []).flatMap((id) => tradeLinks(lifecycles.trades.get(id))),
      ],
    },
  );
}

function tradeBlock(event: JournalEvent, lifecycles: OrderLifecycles): Block {
  const entryBar = numberOf(event.entryBar) ?? 0;
  const trade = lifecycles.trades.get(numberOf(event.id) ?? -1);
  return block(
    'trade',
    `Trade ${textOf(event.id)} closed: ${textOf(event.side)} ${textOf(event.quantity)} ${textOf(event.symbol)}`,
    {
      tone: Number(event.netPnl) > 0 ? 'good' : Number(event.netPnl) < 0 ? 'bad' : 'plain',
      facts: factsOf(
        ['Entry', `${textOf(event.entryPrice)} on ${textOf(event.entryTime)}, bar ${entryBar}`],
        ['Exit', `${textOf(event.exitPrice)} on ${textOf(event.exitTime)}`],
        ['Gross', event.grossPnl],
        ['Commission', event.commission],
        ['Net', event.netPnl],
        ['Exit because', event.exitReason],
      ),
      links: (trade?.bars ?? [entryBar])
        .filter((bar) => bar !== event.bar)
        .map((bar) => ({ text: bar === entryBar ? `entry on bar ${bar}` : `order on bar ${bar}`, bar })),
    },
  );
}

function finishedBlock(event: JournalEvent): Block {
  const error = isObject(event.error) ? event.error : undefined;
  return block('note', `The run ended: ${textOf(event.outcome)}`, {
    tone: error === undefined ? 'plain' : 'bad',
    facts: factsOf(['Commission paid', event.commissionPaid], ['Error', error?.message]),
  });
}

/**
 * Returns the block for features (rows of additional time series) that became visible at the end of the bar.
 * Each row has a time and a symbol or subject.
 */
function knownBlock(event: JournalEvent): Block {
  const rows: readonly unknown[] = Array.isArray(event.rows) ? event.rows : [];
  return block('other', 'Became known', {
    texts: rows.filter(isObject).map((row) => {
      const about = [textOf(row.symbol), textOf(row.date)].filter((text) => text !== '').join(' ');
      return jsonText(`${about}, available at ${textOf(row.availableAt)}`, row.values);
    }),
  });
}

/**
 * Returns the block for new bars of context series, which are shown but not traded. Only the newest bar of
 * each series is shown.
 */
function contextBlock(event: JournalEvent): Block {
  const series: readonly unknown[] = Array.isArray(event.series) ? event.series : [];
  return block('other', 'Context became known', {
    texts: series.filter(isObject).map((one) => {
      const more = one.bars === 1 ? '' : `, the newest of ${textOf(one.bars)}`;
      const about = `${textOf(one.symbol)} ${textOf(one.date)}, available at ${textOf(one.availableAt)}${more}`;
      return jsonText(about, one.prices);
    }),
  });
}

function otherBlock(event: JournalEvent): Block {
  const { type, bar: _, ...rest } = event;
  return block('other', type, { texts: [jsonText('', rest)] });
}
