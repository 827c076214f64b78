export { keepInspectorClosed, limitDescriptors, permissionFlag } from './child-process.ts';
export { Interpreter, type InterpreterCall } from './interpreter.ts';
export { knownRows } from './pending-bars.ts';
export { strategyProof } from './proof/verdict.ts';
export * from './provision/index.ts';
export { Sandbox } from './sandbox.ts';
export type {
  PublishedTable,
  SandboxCall,
  SandboxCounts,
  SandboxOptions,
  SandboxReply,
  Sight,
} from './sandbox-call.ts';
