import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { buildIsHere } from '../missing.ts';
import { isDeep, sampled } from '../support/depth.ts';
import { freePort } from '../support/free-port.ts';
import { redisIsHere } from '../support/redis.ts';
import { ROOT } from './blocks.ts';

const read = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8');
const { peerDependencies } = JSON.parse(read('package.json')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

it.each(['compose.yaml', 'kubernetes.yaml'])('the example %s is valid YAML without secrets', (name) => {
  const text = read(`docs/examples/cluster/${name}`);
  expect(parse(text)).toBeTypeOf('object');
  expect(text).toContain('SANDTABLE_SWEEP_SECRET');
});

it('the pages about clusters install the tested versions', () => {
  const text = [
    'docs/cluster.md',
    'docs/examples/cluster/compose.yaml',
    'docs/examples/cluster/kubernetes.yaml',
  ]
    .map(read)
    .join('\n');
  const named = [...text.matchAll(/(bullmq|ioredis|@aws-sdk\/client-s3)@([\d.]*\d)/g)];
  expect(named.length).toBeGreaterThanOrEqual(9);
  for (const [, name, version] of named) expect(version, name).toBe(peerDependencies[name!]);
});

const blocks = [...read('docs/cluster.md').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block!);
const withStore = (): string => {
  const [one = '', two = ''] = blocks;
  const [from, to] = [one.indexOf('# 2.'), one.indexOf('# 3.')];
  // As the page describes, the second block starts an S3 service and replaces step 2 of the first block. The
  // service is stopped at the end.
  return `${one.slice(0, from)}${two}\n${one.slice(to)}kill "$SERVICE"\n`;
};

const walks: readonly (readonly [string, () => string])[] = [
  ['a folder', () => blocks[0]!],
  ['a Redis without an append-only file', () => blocks[0]!.replace(' --appendonly yes', '')],
  ['an S3 service', withStore],
];

it.skipIf(!redisIsHere() || !buildIsHere() || !isDeep).each(sampled(walks, walks.length))(
  'the commands of docs/cluster.md work without changes, with %s',
  async (_, block) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandtable-walk-'));
    for (const name of ['dist', 'node_modules', 'package.json', 'strategies', 'data'])
      symlinkSync(join(ROOT, name), join(folder, name));
    const [queue, service] = [await freePort(), await freePort()];
    const text = block().replaceAll('6390', String(queue)).replaceAll('4570', String(service));
    try {
      const shell = spawn('bash', ['-c', text], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
      let printed = '';
      for (const stream of [shell.stdout, shell.stderr])
        stream.on('data', (bytes: Buffer) => {
          printed += String(bytes);
        });
      const [code] = (await once(shell, 'close')) as [number];
      expect(code, printed).toBe(0);
      expect(printed).toContain('16 trials of sma-cross');
      // Both workers finished. Together they ran every trial, and the best trial one more time.
      const counts = [...printed.matchAll(/Ended after (\d+) trial/g)].map(([, count]) => Number(count));
      expect(counts).toHaveLength(2);
      expect(counts[0]! + counts[1]!).toBe(17);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
