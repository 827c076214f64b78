import { dirname, relative, sep } from 'node:path';
import { parseDocument } from 'yaml';
import { isObject } from '../../kernel/index.ts';
import { siblingFile } from './read-prompt.ts';

/** Tools that place or cancel orders. A model without them cannot trade. */
const TRADING = ['trade_execute', 'portfolio_rebalance', 'order_cancel'];

/**
 * Returns a strategy file with changed settings and the same prompt.
 *
 * @param text content of the file
 * @param file path of the file
 * @param target path of the new file. Paths in the settings are rewritten relative to it
 * @param changes settings that replace those of the file. `off` for tools leaves only the trading tools
 */
export function variantOf(
  text: string,
  file: string,
  target: string,
  changes: {
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly tools?: readonly string[] | 'off';
  },
): string {
  const [, open = '', head = '', rest = ''] =
    /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(^---[ \t]*\r?$[\s\S]*)/m.exec(text) ?? [];
  const document = parseDocument(head);
  const there = (name: string): string =>
    relative(dirname(target), siblingFile(file, name)).split(sep).join('/');
  for (const [name, value] of Object.entries(changes.settings ?? {})) document.set(name, value);
  const prices: unknown = document.get('prices');
  if (typeof prices === 'string') document.set('prices', there(prices));
  const { schedule, tools, roles } = document.toJS() as Readonly<Record<string, unknown>>;
  if (isObject(schedule) && typeof schedule.module === 'string')
    document.setIn(['schedule', 'module'], there(schedule.module));
  if (changes.tools !== undefined)
    document.set(
      'tools',
      changes.tools === 'off' ? tradingOnly(Array.isArray(tools) ? tools : []) : [...changes.tools],
    );
  // Settings of a role would override the changed settings of the whole strategy.
  for (const [role, own] of Object.entries(isObject(roles) ? roles : {})) {
    if (!isObject(own)) continue;
    if (typeof own.prices === 'string') document.setIn(['roles', role, 'prices'], there(own.prices));
    if (changes.tools !== undefined && own.tools !== undefined)
      document.setIn(
        ['roles', role, 'tools'],
        // A role without trading tools does not gain any.
        changes.tools === 'off' ? tradingOf(own.tools) : [...changes.tools],
      );
  }
  return `${open}${document.toString({ lineWidth: 0 })}${rest}`;
}

function tradingOf(tools: unknown): string[] {
  return Array.isArray(tools) ? tools.filter((tool): tool is string => TRADING.includes(tool as string)) : [];
}

/** Returns the trading tools among some tools. Without any, returns the tool that places orders. */
export function tradingOnly(tools: readonly unknown[]): string[] {
  const own = tradingOf(tools);
  return own.length === 0 ? ['trade_execute'] : own;
}
