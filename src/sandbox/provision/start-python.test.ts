import { copyFile, mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findTestRuntime } from '../../../test/support/ta-python.ts';
import { bootPython } from './start-python.ts';

const runtime = await findTestRuntime();

test.skipIf(runtime === undefined)(
  'eight changed bytes of an image are detected when it is loaded',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'image-'));
    try {
      const image = runtime!.packages.at(-1)!;
      const data = path.join(folder, 'own.bin');
      await copyFile(image.data, data);
      const whole = { ...runtime!, packages: [...runtime!.packages.slice(0, -1), { ...image, data }] };
      const file = await open(data, 'r+');
      await file.write(Buffer.from('changed!'), 0, 8, Math.floor((await stat(data)).size / 2));
      await file.close();
      await expect(bootPython(whole)).rejects.toThrow(/damaged: .*own\.bin is not what was built/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test.skipIf(runtime === undefined)('every file of the image is verified by a hash', () => {
  expect(runtime!.stdlibSha256).toMatch(/^[0-9a-f]{64}$/);
  for (const { sha256 } of runtime!.packages) {
    expect(sha256?.index).toMatch(/^[0-9a-f]{64}$/);
    expect(sha256?.data).toMatch(/^[0-9a-f]{64}$/);
  }
});
