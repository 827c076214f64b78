import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type LoadedMarket, type LoadOptions, loadMarket } from '../../src/market/reading/load.ts';

/** Header line of a CSV file of bars. */
export const HEADER = 'date,open,high,low,close,volume';

/** Creates an empty working folder for each test of the file that calls this function. */
export function inOwnFolders(): void {
  const before = process.cwd();
  let root: string;
  let folder = 0;
  beforeAll(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'sandtable-load-'));
  });
  beforeEach(() => {
    mkdirSync(path.join(root, String(++folder)));
    process.chdir(path.join(root, String(folder)));
  });
  afterAll(() => {
    process.chdir(before);
    rmSync(root, { recursive: true, force: true });
  });
}

/** Writes a file and returns its name. `content`: a text, bytes, or an array of lines. */
export function write(name: string, content: string | Buffer | readonly string[]): string {
  mkdirSync(path.dirname(name), { recursive: true });
  writeFileSync(name, Array.isArray(content) ? `${content.join('\n')}\n` : (content as string));
  return name;
}

export const load = (
  paths: string | string[],
  options: Omit<LoadOptions, 'paths'> = {},
): Promise<LoadedMarket> => loadMarket({ paths: typeof paths === 'string' ? [paths] : paths, ...options });
