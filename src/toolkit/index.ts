export { argumentsFor } from './arguments.ts';
export { type ToolDefinition, toolDefinitions, toolWrites } from './definitions.ts';
export { OFFERED_TOOL_NAMES, TOOL_NAMES, type ToolName } from './registry.ts';
export { schemaOf } from './schemas.ts';
export { failure } from './tool.ts';
export { createToolkit, DEFAULT_RESULT_BYTES, type Toolkit, type ToolkitOptions } from './toolkit.ts';
