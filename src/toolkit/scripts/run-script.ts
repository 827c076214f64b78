import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { CappedText } from './capped-text.ts';
import { scriptEnvironment } from './environment.ts';
import type { Skill } from './skill.ts';

export interface ScriptRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Negative for a signal, as Python's subprocess has it; -1 after a time-out. */
  readonly returncode: number;
  readonly timedOut: boolean;
}

export interface ScriptLimits {
  readonly timeoutMs: number;
  /** Characters kept of each stream. */
  readonly streamCharacters: number;
}

/** Milliseconds that output may still arrive after the script has ended: something it started may hold its pipes. */
const DRAIN = 200;

/** Every group under way, so that none outlives this process. */
const running = new Set<ChildProcess>();
let watching = false;

/**
 * Runs a script with a skill's Python in the skill's folder, and ends its whole process group with it.
 *
 * @throws the system's error when Python cannot be started
 */
export function runScript(skill: Skill, script: string, limits: ScriptLimits): Promise<ScriptRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(skill.python, ['-c', script], {
      cwd: skill.folder,
      env: scriptEnvironment(skill.folder, skill.python, process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A group of its own, which can be ended as one.
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    watch(child);
    const stdout = new CappedText(limits.streamCharacters);
    const stderr = new CappedText(limits.streamCharacters);
    child.stdout.on('data', (bytes: Buffer) => stdout.add(bytes));
    child.stderr.on('data', (bytes: Buffer) => stderr.add(bytes));
    let timedOut = false;
    let draining: NodeJS.Timeout | undefined;
    const deadline = setTimeout(() => {
      timedOut = true;
      killGroup(child);
    }, limits.timeoutMs);
    const settle = (code: number | null, signal: NodeJS.Signals | null): void => {
      clearTimeout(deadline);
      clearTimeout(draining);
      killGroup(child);
      running.delete(child);
      child.stdout.destroy();
      child.stderr.destroy();
      const returncode = timedOut ? -1 : (code ?? -(signal === null ? 1 : constants.signals[signal]));
      resolve({ stdout: stdout.end(), stderr: stderr.end(), returncode, timedOut });
    };
    child.on('error', (error) => {
      // Only a start that failed: a started child always exits.
      if (child.pid !== undefined) return;
      clearTimeout(deadline);
      running.delete(child);
      reject(error);
    });
    child.on('exit', (code, signal) => {
      clearTimeout(deadline);
      draining = setTimeout(() => settle(code, signal), DRAIN);
      child.on('close', () => settle(code, signal));
    });
  });
}

function watch(child: ChildProcess): void {
  running.add(child);
  if (watching) return;
  watching = true;
  process.on('exit', () => {
    for (const one of running) killGroup(one);
  });
}

/** Ends a child and everything it started that stayed in its group. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  if (process.platform === 'win32') {
    if (child.exitCode === null)
      spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The group is empty: all of it has ended.
  }
}
