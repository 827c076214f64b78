import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { readScript, type ScriptInput, startScriptedModel } from '../../../src/agents/index.ts';
import { main } from '../../../src/cli/index.ts';

/** Fixed time for creating and viewing the gallery. Names of runs begin with it. */
export const NOON = new Date('2026-01-05T12:00:00Z');

/** Address of the model in the recorded runs. The port of the scripted model differs between test runs. */
const MODEL = 'http://127.0.0.1:1/v1';
let modelUrl = MODEL;

vi.doMock('undici', async (original) => {
  const real = await original<typeof import('undici')>();
  const fetch: typeof real.fetch = (address, init) =>
    real.fetch(String(address).replace(MODEL, modelUrl), init);
  return { ...real, fetch };
});

/**
 * Runs commands in a folder with a fixed clock. Relative paths ensure that outputs do not contain paths of
 * this machine.
 *
 * @param script script of the model used by the commands
 */
export async function inFolder<T>(folder: string, script: ScriptInput, work: () => Promise<T>): Promise<T> {
  const before = process.cwd();
  const model = await startScriptedModel(readScript(script));
  process.chdir(folder);
  vi.useFakeTimers({ toFake: ['Date'], now: NOON });
  modelUrl = model.url;
  try {
    return await work();
  } finally {
    vi.useRealTimers();
    process.chdir(before);
    modelUrl = MODEL;
    await model.close();
  }
}

/**
 * Runs a command.
 *
 * @throws Error if the exit code is not 0
 */
export async function sandtable(line: string): Promise<void> {
  // Advances the clock by a minute, so that names of runs are in order of creation.
  vi.setSystemTime(Date.now() + 60_000);
  let said = '';
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      said += chunk.toString();
      done();
    },
  });
  const io = { stdin: Readable.from([]), stdout: output, stderr: output, env: { OPENAI_BASE_URL: MODEL } };
  const code = await main(line.split(' '), io);
  if (code !== 0) throw new Error(`${line} ended with ${code}: ${said}`);
}

/** Runs a command on `prices.csv` that creates a folder in `runs`. Returns this folder. */
export async function made(line: string): Promise<string> {
  const known = new Set(foldersIn('runs'));
  const data = line.startsWith('study') ? '' : ' --data prices.csv';
  await sandtable(`${line}${data} --out runs --quiet`);
  const [folder, ...others] = foldersIn('runs').filter((name) => !known.has(name));
  if (folder === undefined || others.length > 0) throw new Error(`${line} made ${others.length} more`);
  return join('runs', folder);
}

function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((one) => (one.isDirectory() ? one.name : []));
  } catch {
    return [];
  }
}
