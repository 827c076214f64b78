import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { withSteps } from '../../../docs/steps-reference.ts';

it('docs/bdd.md equals the output of `npm run docs:steps` from the step definitions', () => {
  const text = readFileSync(new URL('../../../docs/bdd.md', import.meta.url), 'utf8');
  const [lines, made] = [text.split('\n'), withSteps(text).split('\n')];
  // Reporting the first different line is more useful than printing both pages.
  const differs = made.find((line, index) => line !== lines[index]);
  expect(differs, 'docs/bdd.md is out of date: run `npm run docs:steps`').toBe(undefined);
  expect(made.length).toBe(lines.length);
});
