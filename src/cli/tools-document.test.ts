import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { withReference } from '../../docs/tools-reference.ts';
import { skipBecause } from '../../test/missing.ts';
import { provisionRuntime } from '../sandbox/index.ts';
import { TOOL_NAMES } from '../toolkit/index.ts';

const page = new URL('../../docs/tools.md', import.meta.url);
const built = existsSync(new URL('../../dist/sandbox/child/main.js', import.meta.url));
const python = built && (await provisionRuntime().catch(() => undefined)) !== undefined;
if (!python) skipBecause('the test of docs/tools.md is skipped: it needs a build and the pandas wheels.');

describe('docs/tools.md', () => {
  const text = readFileSync(page, 'utf8');

  it.skipIf(!python)(
    'is what `npm run docs:tools` makes of the registry',
    // A call on a busy machine may run out of time once.
    { timeout: 180_000, retry: 1 },
    async () => {
      const made = await withReference(text);
      // The first line that differs says more than both pages.
      const lines = text.split('\n');
      const differs = made.split('\n').find((line, index) => line !== lines[index]);
      expect(differs, 'docs/tools.md is out of date: run `npm run docs:tools`').toBe(undefined);
      expect(made === text).toBe(true);
    },
  );

  it('names every tool in its first table and in its reference', () => {
    for (const name of TOOL_NAMES) {
      expect(text).toContain(`| [${name}](#${name}) |`);
      expect(text).toContain(`\n### ${name}\n`);
    }
  });
});
