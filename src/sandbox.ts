/** The Python sandbox for a program of one's own: what is imported as `sandtable/sandbox`. */
export {
  type Environment,
  type ExtraWheel,
  type OnProgress,
  type ProvisionOptions,
  type ProvisionProgress,
  type PythonRuntime,
  provisionRuntime,
  Sandbox,
  type SandboxCall,
  type SandboxCounts,
  type SandboxOptions,
  type SandboxReply,
  type Sight,
} from './sandbox/index.ts';
