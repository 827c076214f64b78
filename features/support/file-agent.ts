import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Json, type RunEvent, runSettingsSchema, World } from '../../src/engine/index.ts';
import { simulateMarket } from '../../src/market/index.ts';
import { createToolkit, FILES, SCRIPTS, type Toolkit } from '../../src/toolkit/index.ts';
import { Vfs } from '../../src/toolkit/vfs/index.ts';
import type { Answer } from './agent.ts';
import { python } from './python.ts';
import type { TradingWorld } from './world.ts';

const TOOLS = ['evaluate_python', 'vfs_list', 'vfs_read', 'vfs_write', 'vfs_delete', 'run_python_script'];

/** Agent that works with files and scripts, without market tools. */
export class FileAgent {
  readonly files = new Vfs();
  /** Events of its journal. */
  readonly events: RunEvent[] = [];
  allowed = true;
  /** Timeout of a script, in seconds. */
  timeoutSeconds = 30;
  readonly #trading: TradingWorld;
  readonly #world = new World(simulateMarket({ seed: 1, bars: 2 }), runSettingsSchema.parse({}), (event) =>
    this.events.push(event),
  );
  #toolkit: Toolkit | undefined;

  constructor(trading: TradingWorld) {
    this.#trading = trading;
    this.#world.reveal();
  }

  /** Adds a file that exists from the start of the run. */
  bring(path: string, content: string): void {
    this.files.write(path, content);
    this.events.push({ type: 'file_written', bar: 0, path, mode: 'create', content });
  }

  async call(tool: string, parameters: Json): Promise<void> {
    this.#toolkit ??= createToolkit({
      sandbox: python().shared,
      tools: TOOLS,
      shared: { [FILES.name]: this.files, [SCRIPTS.name]: this.#scripts() },
    });
    const answer = (await this.#toolkit.call(tool, parameters, this.#world.turn)) as Answer;
    this.#trading.answers.push(answer);
    if ('error' in answer)
      this.#trading.problems.note(answer, `${tool} answered ${JSON.stringify(answer.error)}`);
  }

  #scripts(): unknown {
    if (!this.allowed) return undefined;
    return { skillsFolder: this.#trading.folder.file('skills'), timeoutSeconds: this.timeoutSeconds };
  }
}

const fileAgents = new WeakMap<TradingWorld, FileAgent>();

/** Returns the file agent of a scenario. */
export function fileAgentOf(world: TradingWorld): FileAgent {
  let fileAgent = fileAgents.get(world);
  if (fileAgent === undefined) {
    fileAgent = new FileAgent(world);
    fileAgents.set(world, fileAgent);
  }
  return fileAgent;
}

let venv: string | undefined | null;

/** Returns a venv that scenarios share. Created on first use. Undefined if this machine cannot create one. */
export function sharedVenv(): string | undefined {
  if (venv === undefined) {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-venv-'));
    process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
    const made = spawnSync('python3', ['-m', 'venv', '--without-pip', join(folder, 'venv')]);
    venv = made.status === 0 && process.platform !== 'win32' ? join(folder, 'venv') : null;
  }
  return venv ?? undefined;
}

/**
 * Asserts that the answer contains every value of `expected`. `{contains: "…"}` matches any text that
 * contains the given part.
 */
export function assertHolds(answer: Answer, expected: Readonly<Record<string, Json>>): void {
  for (const [key, value] of Object.entries(expected)) {
    const found = answer[key];
    if (typeof value === 'object' && value !== null && 'contains' in value) {
      const part = String((value as { contains: Json }).contains);
      assert.ok(String(found).includes(part), `${key} is ${JSON.stringify(found)}`);
    } else assert.deepEqual(found, value, key);
  }
}
