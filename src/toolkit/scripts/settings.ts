import type { Shared } from '../tool.ts';

/** Settings for running scripts of skills. */
export interface ScriptSettings {
  /** Absolute folder that contains one folder per skill. */
  readonly skillsFolder: string;
  readonly timeoutSeconds: number;
}

export const SCRIPT_TIMEOUT_SECONDS = 30;

/** `undefined` unless the run allows scripts. Disabled by default. */
export const SCRIPTS: Shared<ScriptSettings | undefined> = { name: 'scripts', make: () => undefined };
