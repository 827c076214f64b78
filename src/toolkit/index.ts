export { type ToolDefinition, toolDefinitions } from './definitions.ts';
export { OFFERED_TOOL_NAMES, TOOL_NAMES, type ToolName } from './registry.ts';
export { createToolkit, DEFAULT_RESULT_BYTES, type Toolkit, type ToolkitOptions } from './toolkit.ts';
