import { join, resolve } from 'node:path';
import type { FileEvent } from '../engine/index.ts';
import { AppError } from '../kernel/index.ts';
import {
  FILES,
  REPL,
  type ReplLifetime,
  ReplSession,
  SCRIPT_TIMEOUT_SECONDS,
  SCRIPTS,
  type ScriptSettings,
} from '../toolkit/index.ts';
import { exportFolder, fileEvent, hashOfFiles, importFolder, rebuildVfs, Vfs } from '../vfs/index.ts';
import type { ToolExtraOptions } from './options.ts';

/** What a run brings for its tools. */
export interface ToolExtras {
  readonly files: Vfs;
  /** For `createToolkit`. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly repl: ReplLifetime;
  readonly allowScripts: boolean;
  /** Of files given as `vfs`, for the journal's first event; undefined without. */
  readonly given: { readonly count: number; readonly sha256: string } | undefined;
}

/**
 * Reads what the options name.
 *
 * @param ownRepl what the strategy says of its session, where no option does
 * @param seen what a mask makes of the files
 * @throws AppError `vfs_unreadable`, `vfs_unfit`
 */
export function toolExtras(
  options: ToolExtraOptions,
  ownRepl: ReplLifetime = 'decision',
  seen: (files: Vfs) => Vfs = (files) => files,
): ToolExtras {
  const repl = options.repl ?? ownRepl;
  const files = options.vfs === undefined ? new Vfs() : seen(importFolder(options.vfs));
  const scripts: ScriptSettings | undefined =
    options.allowScripts === true
      ? {
          skillsFolder: resolve(options.skills ?? 'skills'),
          timeoutSeconds: options.scriptTimeout ?? SCRIPT_TIMEOUT_SECONDS,
        }
      : undefined;
  return {
    files,
    shared: { [FILES.name]: files, [SCRIPTS.name]: scripts, [REPL.name]: new ReplSession(repl) },
    repl,
    allowScripts: scripts !== undefined,
    given: options.vfs === undefined ? undefined : { count: files.size, sha256: hashOfFiles(files) },
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
    hint: 'If you trust it and its skills, add --allow-scripts; the run is then stamped not sealed.',
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
