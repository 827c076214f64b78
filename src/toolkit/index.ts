export { FILES } from './files.ts';
export { TOOL_NAMES, type ToolName } from './registry.ts';
export { SCRIPT_TIMEOUT_SECONDS, SCRIPTS, type ScriptSettings } from './scripts/settings.ts';
export {
  createToolkit,
  DEFAULT_RESULT_BYTES,
  type ToolDefinition,
  type Toolkit,
  type ToolkitOptions,
  toolDefinitions,
} from './toolkit.ts';
