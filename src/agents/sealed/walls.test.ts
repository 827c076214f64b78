import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { limitDescriptors } from '../../sandbox/index.ts';
import { sealedArguments } from './process.ts';

/** Code for attempts to break out of the process. Each attempt must fail. */
const ATTEMPTS: Readonly<Record<string, string>> = {
  'a file is read': "(await import('node:fs')).readFileSync('/etc/passwd')",
  'a folder is listed': "(await import('node:fs')).readdirSync('/')",
  'a file is written': "(await import('node:fs')).writeFileSync('/tmp/sandtable-escape', '')",
  'a process is started': "(await import('node:child_process')).spawnSync('true').status ?? fail()",
  'a thread is started': "new (await import('node:worker_threads')).Worker('1', { eval: true })",
  'an inspector is opened': "(await import('node:inspector')).open(0)",
  'the network is reached':
    "await new Promise((resolve, reject) => (await0.net.connect(9, '127.0.0.1')).on('connect', resolve).on('error', (e) => e.code === 'ECONNREFUSED' ? resolve(0) : reject(e)))",
};

describe('the boundary of a sealed strategy', () => {
  it.each(Object.entries(ATTEMPTS))('is not crossed when %s', async (_, attempt) => {
    const boot = `
      import { readSync, writeSync } from 'node:fs';
      const await0 = { net: await import('node:net') };
      const fail = () => { throw new Error('refused'); };
      writeSync(1, 'up');
      readSync(0, Buffer.alloc(1));
      try { ${attempt}; writeSync(1, ' reached'); } catch (error) { writeSync(1, ' ' + (error.code ?? error.message)); }
      process.exit(0);`;
    const child = spawn(process.execPath, sealedArguments(boot), {
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    await new Promise((resolve) => child.stdout.once('readable', resolve));
    const limited = limitDescriptors(child.pid);
    child.stdin.write('x');
    const said = await text(child.stdout);
    expect(said).toMatch(/^up /);
    // The permission model does not cover sockets. Closed descriptors prevent their use.
    if (limited || !attempt.includes('net.connect')) expect(said).not.toContain('reached');
  });
});
