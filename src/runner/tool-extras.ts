import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Arrivals, FileEvent } from '../engine/index.ts';
import { AppError, formatInstant, messageOf } from '../kernel/index.ts';
import {
  FILES,
  REPL,
  type ReplLifetime,
  ReplSession,
  SCRIPT_TIMEOUT_SECONDS,
  SCRIPTS,
  type ScriptSettings,
} from '../toolkit/index.ts';
import {
  exportFolder,
  fileEvent,
  type GivenFiles,
  hashOfGiven,
  importFolder,
  partByDate,
  rebuildVfs,
  Vfs,
} from '../toolkit/vfs/index.ts';
import type { RunOptions, ToolExtraOptions } from './inputs/options.ts';

/** Inputs of a run that only its tools use: files, scripts and Python sessions. */
export interface ToolExtras {
  readonly files: Vfs;
  /** Files that become visible during the run, each at its publication time (`availableAt`). */
  readonly arrivals: Arrivals;
  /** Paths of the given files that have no date. These files are visible from the start. */
  readonly undated: readonly string[];
  /** Objects that tools share, for `createToolkit`. */
  readonly shared: Readonly<Record<string, unknown>>;
  readonly repl: ReplLifetime;
  readonly allowScripts: boolean;
  /**
   * Summary of the files in the folder `vfs`, for the first event of the journal. `undefined` without the
   * option.
   */
  readonly given: { readonly count: number; readonly dated?: number; readonly sha256: string } | undefined;
}

/**
 * Reads the inputs for tools that the options name.
 *
 * @param ownRepl lifetime of Python sessions that the strategy sets. The option `repl` overrides it
 * @param seen function that applies the run's mask to the files. Default: no change
 * @throws AppError `vfs_unreadable`, `vfs_unfit`
 */
export function toolExtras(
  options: ToolExtraOptions & Pick<RunOptions, 'timezone'>,
  ownRepl: ReplLifetime = 'decision',
  seen: (files: GivenFiles) => GivenFiles = (files) => files,
): ToolExtras {
  const repl = options.repl ?? ownRepl;
  const given =
    options.vfs === undefined
      ? { files: new Vfs(), dated: [] }
      : seen(partByDate(importFolder(options.vfs), options.vfs, options.timezone));
  const { files, dated } = given;
  const undated = files.list().map(({ path }) => path);
  const scripts: ScriptSettings | undefined =
    options.allowScripts === true
      ? {
          skillsFolder: resolve(options.skills ?? 'skills'),
          timeoutSeconds: options.scriptTimeout ?? SCRIPT_TIMEOUT_SECONDS,
        }
      : undefined;
  return {
    files,
    arrivals: arrivalsIn(files, dated),
    undated,
    shared: { [FILES.name]: files, [SCRIPTS.name]: scripts, [REPL.name]: new ReplSession(repl) },
    repl,
    allowScripts: scripts !== undefined,
    given:
      options.vfs === undefined
        ? undefined
        : {
            count: undated.length + dated.length,
            ...(dated.length === 0 ? {} : { dated: dated.length }),
            sha256: hashOfGiven(given),
          },
  };
}

/**
 * Returns the files that become visible during the run. Such a file replaces a file with the same name. A
 * file that would exceed the size limits, together with the agent's own files, is omitted, and the journal
 * contains a note.
 */
function arrivalsIn(files: Vfs, dated: GivenFiles['dated']): Arrivals {
  return {
    files: dated,
    take({ path, content }, availableAt, bar) {
      const mode = files.file(path) === undefined ? 'create' : 'overwrite';
      try {
        files.write(path, content, mode);
      } catch (error) {
        const text = `Could not add the file ${path}: ${messageOf(error)}.`;
        return { type: 'note', bar, text };
      }
      return fileEvent(bar, { kind: 'write', path, content, mode }, formatInstant(availableAt));
    },
  };
}

/**
 * Returns a warning if files without a date may contain future data. `undefined` if every file has a date.
 */
export function undatedWarning({ undated }: ToolExtras): string | undefined {
  const [first] = undated;
  if (first === undefined) return undefined;
  const more = undated.length === 1 ? '' : ` and ${undated.length - 1} more`;
  return `${first}${more} of --vfs has no available_at. It is visible from the first bar, so the run is not sealed.`;
}

/**
 * Checks that a strategy or a client uses scripts only in a run that allows them.
 *
 * @param who beginning of the error message
 * @throws AppError `scripts_not_allowed`
 */
export function checkScriptsAllowed(who: string, tools: readonly string[], allowed: boolean): void {
  if (allowed || !tools.includes('run_python_script')) return;
  throw new AppError({
    code: 'scripts_not_allowed',
    message: `${who} uses run_python_script, which runs code on this machine, outside the sandbox.`,
    hint: 'If you trust the code and its skills, add --allow-scripts. The run is then marked as not sealed.',
  });
}

/**
 * Returns the initial files as events. A resumed run reads these events from its journal and does not need
 * the folder.
 */
export function eventsOfGiven(files: Vfs): FileEvent[] {
  return files
    .list()
    .map(({ path, content }) => fileEvent(0, { kind: 'write', path, content, mode: 'create' }));
}

/** Writes the final in-memory files of a run to its folder. Writes nothing if the run never had a file. */
export function exportFiles(changes: readonly FileEvent[], folder: string): void {
  const place = join(folder, 'vfs');
  // Deletes files that an earlier process of the run has written.
  rmSync(place, { recursive: true, force: true });
  if (changes.length > 0) exportFolder(rebuildVfs(changes).snapshot(), place);
}

/** Durations of tool calls, for `timing.json`. */
export class ToolTimings {
  readonly #durations = new Map<string, number[]>();
  /** Total duration of the calls at each bar, in milliseconds. */
  readonly #bars: Map<number, number>;

  /**
   * Creates empty timings.
   *
   * @param beside other timings of the same decisions, for example of tool calls next to model requests. Both
   *   are added to the durations of the decisions
   */
  constructor(beside?: ToolTimings) {
    this.#bars = beside === undefined ? new Map<number, number>() : beside.#bars;
  }

  add(name: string, milliseconds: number, bar: number): void {
    this.#bars.set(bar, (this.#bars.get(bar) ?? 0) + milliseconds);
    const durations = this.#durations.get(name);
    if (durations === undefined) this.#durations.set(name, [milliseconds]);
    else durations.push(milliseconds);
  }

  count(name: string): number {
    return this.#durations.get(name)?.length ?? 0;
  }

  /** Returns the duration of each decision for `timing.json`. Empty if no call was measured. */
  decisions(): { readonly decisions?: string } {
    if (this.#bars.size === 0) return {};
    const texts = [...this.#bars].map(([bar, ms]) => `${bar}:${Number(ms.toFixed(2))}`);
    return { decisions: texts.join(' ') };
  }

  summary(): Record<string, { calls: number; p50Milliseconds: number; p95Milliseconds: number }> {
    return Object.fromEntries(
      [...this.#durations].map(([name, durations]) => {
        const sorted = Float64Array.from(durations).sort();
        const at = (share: number): number =>
          sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
        return [name, { calls: sorted.length, p50Milliseconds: at(0.5), p95Milliseconds: at(0.95) }];
      }),
    );
  }
}
