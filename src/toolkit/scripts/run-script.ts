import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { childEnvironment } from '../../kernel/index.ts';
import type { Shared } from '../tool.ts';

/**
 * Skill whose scripts can run. A skill is a folder of the user that contains a Python virtual environment
 * (venv). `python` is the interpreter in this venv.
 */
export interface Skill {
  readonly folder: string;
  readonly python: string;
}

/** Paths of Python within a venv, for POSIX and for Windows. */
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

// Returns true if a text is the name of a single folder, without a separator, parent folder, drive or control
// character.
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
 * Collects text that arrives in pieces, up to a maximum number of UTF-16 units. Counts further text without
 * storing it.
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

  /** Returns the collected text. If text was dropped, a last line states how much. */
  end(): string {
    this.#take(this.#decoder.end());
    if (this.#dropped === 0) return this.#kept;
    // Removes half of a surrogate pair at the end.
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
  /** Exit code. Negative for a signal, as in Python's subprocess. −1 after a timeout. */
  readonly returncode: number;
  readonly timedOut: boolean;
}

interface ScriptLimits {
  readonly timeoutMs: number;
  /** Maximum number of characters (UTF-16 units) that are stored of each output stream. */
  readonly streamCharacters: number;
}

/**
 * Milliseconds to wait for output after the script has ended. Another process that the script has started may
 * keep its pipes open.
 */
const DRAIN = 200;

/** Running process groups. They are killed when the engine's process ends. */
const running = new Set<ChildProcess>();
let watching = false;

/**
 * Runs a script with the Python of a skill, in the skill's folder. When the script ends, kills the whole
 * process group.
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
      // Only an error before the start is reported here. A child that has started always emits `exit`, so its
      // later errors are ignored.
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
  /** Absolute path of the folder with all skills. Each skill is a folder inside it. */
  readonly skillsFolder: string;
  readonly timeoutSeconds: number;
}

export const SCRIPT_TIMEOUT_SECONDS = 30;

/** Settings for scripts of skills. `undefined` (default) if the run does not allow scripts. */
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
    // Unbuffered output is shown even after a timeout. UTF-8 makes the text the same on every machine.
    PYTHONUNBUFFERED: '1',
    PYTHONUTF8: '1',
  };
}
