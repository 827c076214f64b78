import { expect, it } from 'vitest';
import { nodeNotice } from './node-support.ts';

const old = { version: '20.18.1', argv: ['run'], isTerminal: true, env: {} };

it('recommends a newer version on Node 20', () => {
  expect(nodeNotice(old)).toBe(
    'note: Node 20.18.1 no longer receives security fixes. Sandtable works on it, but Node 22 or 24 is recommended.',
  );
});

it.each([
  ['on Node 22', { version: '22.11.0' }],
  ['on Node 26', { version: '26.1.0' }],
  ['where nobody reads it', { isTerminal: false }],
  ['with --quiet', { argv: ['run', 'a.ts', '--quiet'] }],
  ['where it is not wanted', { env: { SANDTABLE_NO_NODE_NOTICE: '1' } }],
])('prints no notice %s', (_, change) => {
  expect(nodeNotice({ ...old, ...change })).toBeUndefined();
});
