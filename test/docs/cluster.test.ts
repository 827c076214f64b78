import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from './blocks.ts';

const read = (name: string): string => readFileSync(`${ROOT}${name}`, 'utf8');
const { peerDependencies } = JSON.parse(read('package.json')) as {
  readonly peerDependencies: Readonly<Record<string, string>>;
};

it.each(['compose.yaml', 'kubernetes.yaml'])('the example %s is YAML, and holds no secret', (name) => {
  const text = read(`docs/examples/cluster/${name}`);
  expect(parse(text)).toBeTypeOf('object');
  expect(text).toContain('SANDTABLE_SWEEP_SECRET');
});

it('the pages on clusters install the versions that are tested', () => {
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
