import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { childEnvironment } from '../../kernel/index.ts';
import type { Shared } from '../tool.ts';

/** Skill whose scripts can run: its folder and the Python of its venv. */
export interface Skill {
  readonly folder: string;
  readonly python: string;
}

/** Paths of Python within a venv: POSIX first, then Windows. */
const INTERPRETERS = [
  ['bin', 'python'],
  ['Scripts', 'python.exe'],
] as const;

/**
 * Finds a skill by name.
 *
 * @param skillsFolder absolute path
 * @returns the skill, or the reason why its scripts cannot run
 */
export function findSkill(name: string, skillsFolder: string): Skill | { readonly error: string } {
  if (!isSkillName(name)) {
    return {
      error: `Invalid skill name: '${name}'. Skill names must not contain '/', '\\', or '..'`,
    };
  }
  const folder = join(skillsFolder, name);
  if (!isFolder(folder)) return { error: `Skill '${name}' not found in skills folder` };
  const venv = join(folder, 'venv');
  if (!isFolder(venv)) return { error: `Skill '${name}' does not have a venv. Cannot execute script.` };
  const python = INTERPRETERS.map((parts) => join(venv, ...parts)).find(isFile);
  if (python === undefined) return { error: `Python interpreter not found in venv for skill '${name}'` };
  return { folder, python };
}

// Accepts the name of a single folder: no separator, parent folder, drive or control character.
function isSkillName(name: string): boolean {
  return name !== '' && name !== '.' && !/[/\\:\p{Control}]|\.\./u.test(name);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/**
 * Collects text that arrives in pieces, up to a number of UTF-16 units. Further text is counted and dropped.
 */
export class CappedText {
  readonly #decoder = new StringDecoder('utf8');
  readonly #limit: number;
  #kept = '';
  #dropped = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(bytes: Buffer): void {
    this.#take(this.#decoder.write(bytes));
  }

  /** Returns the collected text. A last line states how much was dropped. */
  end(): string {
    this.#take(this.#decoder.end());
    if (this.#dropped === 0) return this.#kept;
    // Avoids cutting a surrogate pair in half.
    const kept = this.#kept.replace(/[\ud800-\udbff]$/, '');
    return `${kept}\n… (cut here: ${this.#dropped.toLocaleString('en-US')} more characters)\n`;
  }

  #take(text: string): void {
    const room = this.#limit - this.#kept.length;
    this.#kept += room >= text.length ? text : text.slice(0, Math.max(room, 0));
    this.#dropped += Math.max(text.length - Math.max(room, 0), 0);
  }
}

export interface ScriptRun {
  readonly stdout: string;
  readonly stderr: string;
  /** Negative for a signal, like in Python's subprocess. −1 after a timeout. */
  readonly returncode: number;
  readonly timedOut: boolean;
}

interface ScriptLimits {
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
      // A child that was started always emits `exit`, so its errors are ignored here. Only a failed start is
      // reported.
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

/** Settings for running scripts of skills. */
export interface ScriptSettings {
  /** Absolute folder that contains one folder per skill. */
  readonly skillsFolder: string;
  readonly timeoutSeconds: number;
}

export const SCRIPT_TIMEOUT_SECONDS = 30;

/** `undefined` unless the run allows scripts. Disabled by default. */
export const SCRIPTS: Shared<ScriptSettings | undefined> = { name: 'scripts', make: () => undefined };

/** Returns the environment of a script that runs in a venv. */
export function scriptEnvironment(
  skillFolder: string,
  python: string,
  own: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv {
  const path = Object.entries(own).findLast(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  return {
    ...childEnvironment(own),
    PATH: path === '' ? dirname(python) : `${dirname(python)}${delimiter}${path}`,
    VIRTUAL_ENV: join(skillFolder, 'venv'),
    // Unbuffered, so that output before a timeout is shown. UTF-8, so that text is the same on every machine.
    PYTHONUNBUFFERED: '1',
    PYTHONUTF8: '1',
  };
}
