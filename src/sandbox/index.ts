export * from './provision/index.ts';
export { Sandbox, type SandboxCall, type SandboxOptions, type SandboxReply, type Sight } from './sandbox.ts';
