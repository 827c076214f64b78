import { expect, test } from 'vitest';
import { packageFile } from './index.ts';

test('The package says which danfo.js it was tried with, and what to override of it', () => {
  const { version, peerDependencies, overrides } = packageFile();
  expect(version).toMatch(/^\d+\.\d+\.\d+/);
  expect(peerDependencies['danfojs-node']).toMatch(/^\d+\.\d+\.\d+$/);
  expect(Object.keys(overrides)).toContain('@tensorflow/tfjs-node');
});
