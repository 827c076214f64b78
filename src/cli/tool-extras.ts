import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { z } from 'zod';
import type { FileEvent } from '../engine/index.ts';
import { AppError, type Fault } from '../kernel/index.ts';
import {
  FILES,
  REPL,
  REPL_LIFETIMES,
  type ReplLifetime,
  ReplSession,
  SCRIPT_TIMEOUT_SECONDS,
  SCRIPTS,
  type ScriptSettings,
} from '../toolkit/index.ts';
import { exportFolder, fileEvent, hashOfFiles, importFolder, rebuildVfs, Vfs } from '../vfs/index.ts';

/** Flags for what a run gives its tools: files to begin with, and scripts of the real machine. */
export const toolExtraFlags = {
  vfs: z.string().optional(),
  repl: z.enum(REPL_LIFETIMES).optional(),
  allowScripts: z.boolean().optional(),
  paranoid: z.boolean().optional(),
  skills: z.string().optional(),
  scriptTimeout: z
    .string()
    .transform((text, context) => {
      const seconds = Number(text);
      if (text.trim() !== '' && seconds > 0 && seconds <= 3_600) return seconds;
      context.addIssue({ code: 'custom', message: `"${text}" is not a number of seconds up to 3600` });
      return z.NEVER;
    })
    .optional(),
};

type ToolExtraFlags = z.infer<z.ZodObject<typeof toolExtraFlags>>;

export function addToolExtraFlags(command: Command): Command {
  return command
    .optionsGroup('Files, sessions and scripts:')
    .option('--vfs <folder>', 'text files the agent begins with, in its in-memory file system')
    .option(
      '--repl <lifetime>',
      'how long the variables of exec_code live: decision (until the next bar, default) or run',
    )
    .option(
      '--allow-scripts',
      "let run_python_script run on this machine; the run's results are not sealed then",
    )
    .option(
      '--paranoid',
      'look after every Python call whether it has left anything behind, and end when it has (slow)',
    )
    .option('--skills <folder>', 'the skills whose scripts may run (default skills)')
    .option('--script-timeout <seconds>', `time of one script (default ${SCRIPT_TIMEOUT_SECONDS})`)
    .optionsGroup('Other options:');
}

/** What a run brings for its tools. */
export interface ToolExtras {
  readonly files: Vfs;
  /** For `createToolkit`. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly repl: ReplLifetime;
  readonly allowScripts: boolean;
  /** Of files given by --vfs, for the journal's first event; undefined without. */
  readonly given: { readonly count: number; readonly sha256: string } | undefined;
}

/** Faults of these flags that no single one of them shows. */
export function extraFaults(given: unknown): Fault[] {
  const { allowScripts, skills, scriptTimeout } = given as Readonly<Record<string, unknown>>;
  if (allowScripts === true) return [];
  return Object.entries({ '--skills': skills, '--script-timeout': scriptTimeout })
    .filter(([, value]) => value !== undefined)
    .map(([where]) => ({ where, message: 'has no meaning without --allow-scripts' }));
}

/**
 * Reads what the flags name.
 *
 * @param ownRepl what the strategy says of its session, where no flag does
 * @param seen what a mask makes of the files
 * @throws AppError `vfs_unreadable`, `vfs_unfit`
 */
export function toolExtras(
  flags: ToolExtraFlags,
  ownRepl: ReplLifetime = 'decision',
  seen: (files: Vfs) => Vfs = (files) => files,
): ToolExtras {
  const repl = flags.repl ?? ownRepl;
  const files = flags.vfs === undefined ? new Vfs() : seen(importFolder(flags.vfs));
  const scripts: ScriptSettings | undefined =
    flags.allowScripts === true
      ? {
          skillsFolder: resolve(flags.skills ?? 'skills'),
          timeoutSeconds: flags.scriptTimeout ?? SCRIPT_TIMEOUT_SECONDS,
        }
      : undefined;
  return {
    files,
    shared: { [FILES.name]: files, [SCRIPTS.name]: scripts, [REPL.name]: new ReplSession(repl) },
    repl,
    allowScripts: scripts !== undefined,
    given: flags.vfs === undefined ? undefined : { count: files.size, sha256: hashOfFiles(files) },
  };
}

/**
 * Refuses who needs scripts in a run that does not allow them.
 *
 * @param who begins the sentence that refuses
 * @throws AppError `scripts_not_allowed`
 */
export function checkScriptsAllowed(who: string, tools: readonly string[], allowed: boolean): void {
  if (allowed || !tools.includes('run_python_script')) return;
  throw new AppError({
    code: 'scripts_not_allowed',
    message: `${who} uses run_python_script, which runs code on this machine outside the sandbox.`,
    remedy: 'If you trust it and its skills, add --allow-scripts; the run is then stamped not sealed.',
  });
}

/** What a run begins with, for its journal: a resumed run has no need of the folder. */
export function eventsOfGiven(files: Vfs): FileEvent[] {
  return files
    .list()
    .map(({ path, content }) => fileEvent(0, { kind: 'write', path, content, mode: 'create' }));
}

/** Leaves the files of a run in its folder, as they were at its end; nothing where there never was one. */
export function exportFiles(changes: readonly FileEvent[], folder: string): void {
  if (changes.length > 0) exportFolder(rebuildVfs(changes).snapshot(), join(folder, 'vfs'));
}
