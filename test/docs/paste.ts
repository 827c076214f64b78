import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../support/free-port.ts';
import { ROOT } from './blocks.ts';

export const PROGRAM = `${ROOT}dist/cli/bin.js`;

/** True if a build exists, which the pasted commands need. */
export const isBuilt = existsSync(PROGRAM);

/** Runs the commands of a page in a new folder, as a user who pastes them. Replaces `ports` by free ports. */
export async function paste(
  commands: readonly string[],
  ports: readonly string[],
): Promise<SpawnSyncReturns<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'sandtable-paste-'));
  try {
    for (const name of ['strategies', 'data', 'node_modules', 'package.json'])
      symlinkSync(join(ROOT, name), join(folder, name));
    // Replaces npx, which requests packages from the network if they are not installed. Its first argument is
    // "sandtable".
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
      // Vitest cannot end a test that waits for a synchronous call.
      timeout: 900_000,
      env: {
        ...process.env,
        // Makes the commands run as in a user's shell. With this variable, their servers would stop when the
        // npx that started the tests ends.
        npm_command: undefined,
        PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
        COLUMNS: '160',
      },
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
