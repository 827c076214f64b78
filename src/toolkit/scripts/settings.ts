import type { Shared } from '../tool.ts';

/** Whether and where a run's scripts may run. */
export interface ScriptSettings {
  /** Absolute folder that holds a folder for each skill. */
  readonly skillsFolder: string;
  readonly timeoutSeconds: number;
}

export const SCRIPT_TIMEOUT_SECONDS = 30;

/** Undefined unless the run allows scripts: no toolkit allows them by itself. */
export const SCRIPTS: Shared<ScriptSettings | undefined> = { name: 'scripts', make: () => undefined };
