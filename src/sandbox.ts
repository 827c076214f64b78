/** Python sandbox for other programs, imported as `sandtable/sandbox`. */
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
