export * from './provision/index.ts';
export {
  Sandbox,
  type SandboxCall,
  type SandboxCounts,
  type SandboxOptions,
  type SandboxReply,
  type Sight,
} from './sandbox.ts';
