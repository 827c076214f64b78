import { randomInt } from 'node:crypto';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Range of ports for tests. It is below the ports that operating systems assign automatically: from 32768 on
 * Linux, from 49152 on macOS and Windows.
 */
const [FIRST, LAST] = [20_000, 29_999];
const RESERVED = join(tmpdir(), 'sandtable-test-ports');
/** Age in milliseconds at which a reservation is ignored, because its process was probably killed. */
const EXPIRY_MS = 3_600_000;

const own = new Set<string>();
process.once('exit', () => {
  for (const file of own) rmSync(file, { force: true });
});

/**
 * Returns a port of 127.0.0.1 on which no server listens. The port is reserved until this process ends.
 * Otherwise another test could get the same port before a server listens on it.
 */
export async function freePort(): Promise<number> {
  mkdirSync(RESERVED, { recursive: true });
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    if (reserve(port) && (await isFree(port))) return port;
  }
}

/** Returns false if another test has reserved the port. */
function reserve(port: number): boolean {
  const file = join(RESERVED, String(port));
  try {
    writeFileSync(file, String(process.pid), { flag: 'wx' });
    own.add(file);
    return true;
  } catch {
    // Removes an expired reservation. This attempt still fails, but the next attempt at this port succeeds.
    const made = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Number.NaN;
    if (Date.now() - made > EXPIRY_MS) rmSync(file, { force: true });
    return false;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
