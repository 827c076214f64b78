import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildIsHere } from '../../test/missing.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-npx-'));
afterAll(() => rmSync(folder, { recursive: true }));
const script = join(folder, 'script.json');
writeFileSync(script, '{"steps":[{"reply":{"text":"I hold."}}]}');
const program = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url));
const NPX = { npm_command: 'exec', npm_lifecycle_event: 'npx' };

/**
 * Starts a server of a scripted model as the child of another process, as npx does, and kills that process.
 * Returns true if the server still answers three seconds later.
 */
async function isServedAfterKill(given: Readonly<Record<string, string>>): Promise<boolean> {
  const { npm_command: _, npm_lifecycle_event: __, ...environment } = process.env;
  const starter = `const server = require('node:child_process').spawn(process.execPath, ${JSON.stringify([program, 'mock-llm', script])}, { stdio: 'inherit' }); console.log(server.pid);`;
  const parent = spawn(process.execPath, ['--eval', starter], {
    env: { ...environment, ...given },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let printed = '';
  const [pid = '', url = ''] = await new Promise<string[]>((resolve) => {
    parent.stdout.on('data', (text: Buffer) => {
      printed += String(text);
      const lines = printed.trim().split('\n');
      if (lines.length === 2) resolve(lines.sort());
    });
  });
  // The server detects the end of its parent by a change of the parent id. The wait ensures that the server
  // has recorded the original id.
  await new Promise((resolve) => setTimeout(resolve, 300));
  parent.kill('SIGKILL');
  for (let tries = 0; tries < 12; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 250));
    if (
      !(await fetch(`${url}/models`).then(
        () => true,
        () => false,
      ))
    )
      return false;
  }
  process.kill(Number(pid));
  return true;
}

describe.skipIf(!buildIsHere())('a server whose parent was killed', () => {
  it('ends if npx started it', async () => {
    expect(await isServedAfterKill(NPX)).toBe(false);
  });

  it('continues if another program started it', async () => {
    expect(await isServedAfterKill({})).toBe(true);
  });
});
