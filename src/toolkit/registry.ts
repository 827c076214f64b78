import type { Tool } from './tool.ts';
import { accountStatus } from './tools/account-status.ts';
import { compute } from './tools/compute.ts';
import { evalExpr } from './tools/eval-expr.ts';
import { execCode } from './tools/exec-code.ts';
import { indicatorCalc } from './tools/indicator-calc.ts';
import { inspect } from './tools/inspect.ts';
import { listGlobals } from './tools/list-globals.ts';
import { marketHistory } from './tools/market-history.ts';
import { marketObserve } from './tools/market-observe.ts';
import { tradeExecute } from './tools/trade-execute.ts';

/** Every tool there is, by the name the model calls it. */
const TOOLS = {
  compute,
  indicator_calc: indicatorCalc,
  market_observe: marketObserve,
  market_history: marketHistory,
  account_status: accountStatus,
  trade_execute: tradeExecute,
  exec_code: execCode,
  list_globals: listGlobals,
  inspect,
  eval_expr: evalExpr,
} as const satisfies Record<string, unknown>;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** The registry as plain tools, for code that treats them alike. */
export const ALL_TOOLS = TOOLS as unknown as Readonly<Record<string, Tool>>;
