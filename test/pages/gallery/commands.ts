import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { vi } from 'vitest';
import { readScript, type ScriptInput, startScriptedModel } from '../../../src/agent/index.ts';
import { main } from '../../../src/cli/index.ts';

/** When everything of a gallery is made, and looked at: names of runs begin with it. */
export const NOON = new Date('2026-01-05T12:00:00Z');

/** Address of the model in the runs. The scripted model has another port each time. */
const MODEL = 'http://127.0.0.1:1/v1';
let modelUrl = MODEL;

vi.doMock('undici', async (original) => {
  const real = await original<typeof import('undici')>();
  const fetch: typeof real.fetch = (address, init) =>
    real.fetch(String(address).replace(MODEL, modelUrl), init);
  return { ...real, fetch };
});

/**
 * Lets commands run in a folder, by paths that name no folder of this machine, on a clock that stands.
 *
 * @param script what the model says that they ask
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

/** @throws Error for a command that does not end with 0 */
export async function sandtable(line: string): Promise<void> {
  // A minute later: names of runs are in the order in which they were made.
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

/** Runs a command about `prices.csv` that makes a folder in `runs`; gives that. */
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
