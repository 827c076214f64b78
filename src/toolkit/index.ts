export { argumentsFor } from './arguments.ts';
export { publishedRequest } from './order-view.ts';
export { pythonCalls } from './python-literal.ts';
export { featuresText, featureView, newDocumentsText, RecentEvents } from './recent-events.ts';
export {
  type AvailableData,
  OFFERED_TOOL_NAMES,
  offeredTools,
  offerText,
  TOOL_NAMES,
  type ToolName,
  toolsFor,
  toolsForSymbols,
} from './registry.ts';
export { REPL, REPL_LIFETIMES, type ReplLifetime, ReplSession } from './repl-session.ts';
export {
  type JsonSchema,
  needPython,
  schemaOf,
  shortToolDefinitions,
  type ToolDefinition,
  toolDefinitions,
  toolWrites,
} from './schemas.ts';
export { SCRIPT_TIMEOUT_SECONDS, SCRIPTS, type ScriptSettings } from './scripts/run-script.ts';
export { defaultColumns, symbolTable, TABLE_COLUMNS, type TableColumn } from './symbol-table.ts';
export { FILES, failure } from './tool.ts';
export {
  createToolkit,
  DEFAULT_RESULT_BYTES,
  type ToolCaller,
  type Toolkit,
  type ToolkitOptions,
} from './toolkit.ts';
export { contractsOf } from './tools/account-status.ts';
export { readWrittenArguments, toolMeant, type WrittenCall } from './written-call.ts';
