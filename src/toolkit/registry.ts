import type { PublishedData } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import { didYouMean, type Tool } from './tool.ts';
import { accountStatus } from './tools/account-status.ts';
import { compute } from './tools/compute.ts';
import { documentRead, documentSearch } from './tools/documents.ts';
import { evaluatePython } from './tools/evaluate-python.ts';
import { fundamentals } from './tools/fundamentals.ts';
import { inspect } from './tools/inspect.ts';
import { indicatorCalc, marketHistory, marketObserve, universe } from './tools/market-bars.ts';
import { memoryLog, memoryNote, memoryRecall } from './tools/memory-notes.ts';
import { orderCancel, orderQuery } from './tools/orders.ts';
import { portfolioRebalance } from './tools/portfolio-rebalance.ts';
import { runPythonScript } from './tools/run-python-script.ts';
import { evalExpr, execCode, listGlobals } from './tools/session-code.ts';
import { tradeExecute } from './tools/trade-execute.ts';
import { vfsDelete, vfsList, vfsRead, vfsWrite } from './tools/vfs-files.ts';

/** All tools by the name that models use. */
const TOOLS = {
  compute,
  indicator_calc: indicatorCalc,
  market_observe: marketObserve,
  market_history: marketHistory,
  account_status: accountStatus,
  order_query: orderQuery,
  order_cancel: orderCancel,
  trade_execute: tradeExecute,
  exec_code: execCode,
  list_globals: listGlobals,
  inspect,
  eval_expr: evalExpr,
  memory_log: memoryLog,
  memory_note: memoryNote,
  memory_recall: memoryRecall,
  evaluate_python: evaluatePython,
  vfs_list: vfsList,
  vfs_read: vfsRead,
  vfs_write: vfsWrite,
  vfs_delete: vfsDelete,
  run_python_script: runPythonScript,
  document_search: documentSearch,
  document_read: documentRead,
  fundamentals,
  universe,
  portfolio_rebalance: portfolioRebalance,
} as const satisfies Record<string, unknown>;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** Same object as `TOOLS`, with the general type `Tool`, for code that treats all tools alike. */
export const ALL_TOOLS: Readonly<Record<string, Tool>> = TOOLS;

/** Tools that are offered by default. Tools with `optIn` are excluded. */
export const OFFERED_TOOL_NAMES: readonly ToolName[] = TOOL_NAMES.filter(
  (name) => ALL_TOOLS[name]?.optIn !== true,
);

/** For each kind of data that a tool may need, true if the run has the data. */
export type AvailableData = Readonly<Record<keyof PublishedData, boolean>>;

/** Returns those of the given tools whose data the run has. */
export function toolsFor(names: readonly string[], given: AvailableData): readonly string[] {
  return names.filter((name) => {
    const needs = ALL_TOOLS[name]?.needs;
    return needs === undefined || given[needs];
  });
}

/**
 * Returns the tools that a run offers by default. The result includes tools whose data the run has and, if
 * several symbols are traded, tools that compare symbols.
 *
 * @param symbols number of traded symbols
 */
export function offeredTools(given: AvailableData, symbols = 1): readonly string[] {
  const own = TOOL_NAMES.filter((name) => ALL_TOOLS[name]?.needs !== undefined);
  const several = symbols > 1 ? TOOL_NAMES.filter((name) => ALL_TOOLS[name]?.forSeveral === true) : [];
  return [...OFFERED_TOOL_NAMES, ...toolsFor(own, given), ...several];
}

/** Returns the given tools. If only one symbol is traded, omits tools that compare symbols. */
export function toolsForSymbols(names: readonly string[], symbols: number): readonly string[] {
  return symbols > 1 ? names : names.filter((name) => ALL_TOOLS[name]?.forSeveral !== true);
}

/**
 * Describes in which runs a tool is offered. `undefined` if the tool is offered in every run with the default
 * list of tools.
 *
 * @throws AppError `unknown_tool`
 */
export function offerText(name: string): string | undefined {
  const { forSeveral, needs, optIn } = toolNamed(name);
  if (forSeveral === true) return 'in runs with several symbols, or if named in the tools of the run';
  if (needs !== undefined) return `only in runs with ${needs === 'universe' ? 'a universe' : needs}`;
  return optIn === true ? 'only if named in the tools of the run' : undefined;
}

/**
 * Returns the tool with a name.
 *
 * @throws AppError `unknown_tool`
 */
export function toolNamed(name: string): Tool {
  const tool = Object.hasOwn(ALL_TOOLS, name) ? ALL_TOOLS[name] : undefined;
  if (tool !== undefined) return tool;
  throw new AppError({
    code: 'unknown_tool',
    message: `Unknown tool ${name}.`,
    hint: `${didYouMean(name, TOOL_NAMES)}Use names of: ${TOOL_NAMES.join(', ')}.`,
  });
}
