import { expect, test } from 'vitest';
import { packageFile } from './index.ts';

test('the package declares the tested version of danfo.js and the overrides for it', () => {
  const { version, peerDependencies, overrides } = packageFile();
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(peerDependencies['danfojs-node']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.keys(overrides)).toContain('@tensorflow/tfjs-node');
});
