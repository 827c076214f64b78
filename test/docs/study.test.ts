import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { ROOT } from './blocks.ts';

const PROGRAM = `${ROOT}dist/cli/bin.js`;
const able = existsSync(PROGRAM);
if (!able) skipBecause('The walk of docs/study.md was not tested: it needs a build.');

const [walk = ''] = readFileSync(`${ROOT}docs/study.md`, 'utf8').split('\n## Twenty names');
const commands = [...walk.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
const shown = [...walk.matchAll(/```text\n([\s\S]*?)```/g)].flatMap(([, block]) =>
  block!.split('\n').filter((line) => line !== ''),
);

/** What a page and a terminal may show otherwise: spaces between columns. */
const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}

it.skipIf(!able)(
  'docs/study.md leads from one prompt to the tables that it shows, by copy and paste',
  async () => {
    expect(commands.length).toBeGreaterThan(4);
    expect(shown.length).toBeGreaterThan(10);
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-'));
    try {
      for (const name of ['strategies', 'data', 'node_modules', 'package.json'])
        symlinkSync(join(ROOT, name), join(folder, name));
      // In place of npx, which asks the network where a package is not installed: its first word is sandtable.
      mkdirSync(join(folder, 'bin'));
      writeFileSync(
        join(folder, 'bin/npx'),
        `#!/bin/bash\nshift\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`,
      );
      chmodSync(join(folder, 'bin/npx'), 0o755);
      const text = `set -m\n${commands.join('\n')}\nkill %1`.replaceAll('8101', String(await freePort()));
      const ran = spawnSync('bash', ['-c', text], {
        cwd: folder,
        encoding: 'utf8',
        env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, COLUMNS: '160' },
      });
      // Sentences are wrapped to the terminal.
      const printed = plain(ran.stdout);
      for (const line of shown) expect(printed, ran.stderr).toContain(plain(line));
      expect(ran.stdout).toContain('leaderboard.csv');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
  600_000,
);
