/** Agent tools for other programs, imported as `sandtable/toolkit`. */
export {
  createToolkit,
  DEFAULT_RESULT_BYTES,
  needPython,
  OFFERED_TOOL_NAMES,
  type ReplLifetime,
  ReplSession,
  TOOL_NAMES,
  type ToolDefinition,
  type Toolkit,
  type ToolkitOptions,
  type ToolName,
  toolDefinitions,
} from './toolkit/index.ts';
export {
  exportFolder,
  importFolder,
  rebuildVfs,
  Vfs,
  type VfsChange,
  type VfsFile,
} from './toolkit/vfs/index.ts';
