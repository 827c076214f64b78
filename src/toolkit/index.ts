export { TOOL_NAMES, type ToolName } from './registry.ts';
export {
  createToolkit,
  DEFAULT_RESULT_BYTES,
  type ToolDefinition,
  type Toolkit,
  type ToolkitOptions,
  toolDefinitions,
} from './toolkit.ts';
export { toolWrites } from './writes.ts';
