export { TOOL_NAMES, type ToolName } from './registry.ts';
export { REPL, REPL_LIFETIMES, type ReplLifetime, ReplSession } from './repl-session.ts';
export {
  createToolkit,
  DEFAULT_RESULT_BYTES,
  type ToolDefinition,
  type Toolkit,
  type ToolkitOptions,
  toolDefinitions,
} from './toolkit.ts';
