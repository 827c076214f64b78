import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { entryOf } from '../../docs/tools-reference.ts';
import { skipBecause } from '../../test/missing.ts';
import { sampled } from '../../test/support/depth.ts';
import { testIo } from '../../test/support/io.ts';
import { openSandbox } from '../runner/index.ts';
import { provisionRuntime } from '../sandbox/index.ts';
import { TOOL_NAMES } from '../toolkit/index.ts';
import { pythonContext } from './run-context.ts';

const page = new URL('../../docs/tools.md', import.meta.url);
const built = existsSync(new URL('../../dist/sandbox/child/main.js', import.meta.url));
const python = built && (await provisionRuntime().catch(() => undefined)) !== undefined;
if (!python) skipBecause('the test of docs/tools.md is skipped: it needs a build and the pandas wheels.');

describe('docs/tools.md', () => {
  const text = readFileSync(page, 'utf8');

  const reference = text.slice(
    text.indexOf('\n', text.indexOf('<!-- made by')),
    text.indexOf('<!-- to here'),
  );
  const entries = reference.split(/^(?=### )/m).map((entry) => entry.trim());

  it('lists the tools of the registry in their order', () => {
    expect(entries.map((entry) => /^### (.*)/.exec(entry)?.[1])).toEqual([undefined, ...TOOL_NAMES]);
    expect(entries[0]).toBe('');
  });

  it.skipIf(!python).each(sampled(TOOL_NAMES, 6))(
    'has the entry of %s that `npm run docs:tools` generates from the registry',
    async (name) => {
      const made = (await entryOf(name)).trim();
      // Compares the first different line before the whole entry, because its failure message is easier to
      // read.
      const lines = entries[TOOL_NAMES.indexOf(name) + 1]!.split('\n');
      const differs = made.split('\n').find((line, index) => line !== lines[index]);
      expect(differs, 'docs/tools.md is out of date: run `npm run docs:tools`').toBe(undefined);
      expect(made).toBe(lines.join('\n'));
    },
  );

  it.skipIf(!python)('is generated with time limits that a busy machine does not reach', async () => {
    const patient = { ...testIo(), pythonLimits: { timeoutMs: 30_000, graceMs: 30_000 } };
    const sandbox = await openSandbox(pythonContext(patient, true), { spares: 0 });
    expect(sandbox.timeoutMs).toBe(30_000);
    await sandbox.close();
    const usual = await openSandbox(pythonContext(testIo(), true), { spares: 0 });
    expect(usual.timeoutMs).toBe(500);
    await usual.close();
  });

  it('lists every tool in its first table and in its reference', () => {
    for (const name of TOOL_NAMES) {
      expect(text).toContain(`| [${name}](#${name}) |`);
      expect(text).toContain(`\n### ${name}\n`);
    }
  });
});
