import type { Tool } from './tool.ts';
import { accountStatus } from './tools/account-status.ts';
import { compute } from './tools/compute.ts';
import { evaluatePython } from './tools/evaluate-python.ts';
import { indicatorCalc } from './tools/indicator-calc.ts';
import { marketHistory } from './tools/market-history.ts';
import { marketObserve } from './tools/market-observe.ts';
import { runPythonScript } from './tools/run-python-script.ts';
import { tradeExecute } from './tools/trade-execute.ts';
import { vfsDelete } from './tools/vfs-delete.ts';
import { vfsList } from './tools/vfs-list.ts';
import { vfsRead } from './tools/vfs-read.ts';
import { vfsWrite } from './tools/vfs-write.ts';

/** Every tool there is, by the name the model calls it. */
const TOOLS = {
  compute,
  indicator_calc: indicatorCalc,
  market_observe: marketObserve,
  market_history: marketHistory,
  account_status: accountStatus,
  trade_execute: tradeExecute,
  evaluate_python: evaluatePython,
  vfs_list: vfsList,
  vfs_read: vfsRead,
  vfs_write: vfsWrite,
  vfs_delete: vfsDelete,
  run_python_script: runPythonScript,
} as const satisfies Record<string, unknown>;

export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES = Object.keys(TOOLS) as readonly ToolName[];

/** The registry as plain tools, for code that treats them alike. */
export const ALL_TOOLS = TOOLS as unknown as Readonly<Record<string, Tool>>;
