export * from './provision/index.ts';
export { Sandbox, type SandboxCall, type SandboxOptions, type SandboxReply } from './sandbox.ts';
