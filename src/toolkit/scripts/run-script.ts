import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { constants } from 'node:os';
import { CappedText } from './capped-text.ts';
import { scriptEnvironment } from './environment.ts';
import type { Skill } from './skill.ts';

export interface ScriptRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Negative for a signal, like in Python's subprocess. −1 after a timeout. */
  readonly returncode: number;
  readonly timedOut: boolean;
}

export interface ScriptLimits {
  readonly timeoutMs: number;
  /** Characters retained of each stream. */
  readonly streamCharacters: number;
}

/**
 * Milliseconds to wait for output after the script has ended. A process that it started may still have its
 * pipes open.
 */
const DRAIN = 200;

/** Running process groups, which are killed when this process ends. */
const running = new Set<ChildProcess>();
let watching = false;

/**
 * Runs a script with the Python of a skill, in the skill's folder. Kills the whole process group when the
 * script ends.
 *
 * @throws the system's error if Python cannot be started
 */
export function runScript(skill: Skill, script: string, limits: ScriptLimits): Promise<ScriptRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(skill.python, ['-c', script], {
      cwd: skill.folder,
      env: scriptEnvironment(skill.folder, skill.python, process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // Starts a separate process group, so that all processes can be killed together.
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
      // Only relevant if starting failed, because a started child always emits `exit`.
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

/** Kills a child and all processes in its group. */
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
    // The group is empty because all of its processes have ended.
  }
}
