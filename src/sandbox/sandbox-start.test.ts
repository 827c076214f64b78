import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPython } from '../../test/support/toolkit-python.ts';
import { Sandbox } from './sandbox.ts';

const runtime = await findPython();

describe.skipIf(runtime === undefined)('a sandbox that cannot start', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-sandbox-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  it('reports the problem and how to fix it', async () => {
    const empty = join(folder, 'empty.zip');
    writeFileSync(empty, '');
    const sandbox = new Sandbox({ runtime: { ...runtime!, stdlib: empty, packages: [] }, spares: 0 });
    await expect(sandbox.start()).rejects.toMatchObject({
      code: 'sandbox_failed',
      kind: 'run',
      hint: expect.stringContaining('doctor'),
    });
    await sandbox.close();
  });

  it('reports a missing file of Python', async () => {
    const sandbox = new Sandbox({ runtime: { ...runtime!, stdlib: join(folder, 'gone.zip') }, spares: 0 });
    await expect(sandbox.start()).rejects.toMatchObject({ code: 'sandbox_failed' });
  });
});
