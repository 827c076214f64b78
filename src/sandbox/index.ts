export { permissionFlag } from './child-command.ts';
export { keepInspectorClosed, limitDescriptors } from './child-process.ts';
export * from './provision/index.ts';
export {
  Sandbox,
  type SandboxCall,
  type SandboxCounts,
  type SandboxOptions,
  type SandboxReply,
  type Sight,
} from './sandbox.ts';
