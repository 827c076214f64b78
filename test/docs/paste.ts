import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { ROOT } from './blocks.ts';

const PROGRAM = `${ROOT}dist/cli/bin.js`;

/** Whether there is a build to paste commands for. */
export const isBuilt = existsSync(PROGRAM);

/** Runs commands of a page in a fresh folder, as somebody does who pastes them; `ports` are replaced by free ones. */
export async function paste(
  commands: readonly string[],
  ports: readonly string[],
): Promise<SpawnSyncReturns<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-paste-'));
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
    let text = `set -m\n${commands.join('\n')}\nkill %1`;
    for (const port of ports) text = text.replaceAll(port, String(await freePort()));
    return spawnSync('bash', ['-c', text], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(folder, 'bin')}:${process.env.PATH}`, COLUMNS: '160' },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
