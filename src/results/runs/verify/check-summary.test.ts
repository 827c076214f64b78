import { afterAll, describe, expect, it } from 'vitest';
import { CheckedRun, checkOf, editFile, type JsonFields } from '../../../../test/support/checked-run.ts';
import { version } from '../../../kernel/index.ts';
import { jsonText } from '../files.ts';

const run = new CheckedRun();
afterAll(() => run.remove());
const verdict = (value: JsonFields) => ({
  ...value,
  verdict: { ...(value.verdict as JsonFields), because: ['No.'] },
});

describe('the check of the summary', () => {
  it('lists the fields that differ, and reports an edited text', () => {
    expect(
      run.afterJson('summary.json', (value) => ({ ...value, tradeCount: 9, months: [], extra: { a: 1 } })),
    ).toMatch(/^failed: differs from the figures of the journal in tradeCount, .*, extra$/);
    expect(
      run.afterJson('summary.json', (value) => ({
        ...value,
        verdict: { ...(value.verdict as JsonFields), state: 1 },
      })),
    ).toBe('failed: differs from the figures of the journal in verdict.state');
    const reversed = (value: JsonFields) => Object.fromEntries(Object.entries(value).reverse());
    expect(
      run.afterJson('summary.json', (value) => ({
        ...value,
        verdict: reversed(value.verdict as JsonFields),
      })),
    ).toMatch(/ in the order of fields of verdict$/);
    expect(run.afterJson('summary.json', verdict)).toMatch(/ in verdict\.because\[0\]/);
    expect(run.afterJson('summary.json', ({ runId, ...value }) => ({ ...value, runId }))).toBe(
      'failed: differs from the figures of the journal in the order of fields',
    );
    expect(
      run.afterJson('summary.json', ({ symbols: _, ...value }) => ({ ...value, symbols: { 0: 'AAA' } })),
    ).toMatch(/ in symbols$/);
    expect(run.afterEdit('summary.json', (text) => ` ${text}`)).toBe(
      'failed: has the right values, but its text was edited',
    );
    expect(run.afterEdit('summary.json', () => '{')).toBe('failed: it is not JSON');
    expect(run.afterEdit('summary.json', () => '[]')).toBe('failed: it is not a JSON object');
  });

  it('allows an earlier version to word its texts differently', () => {
    const earlier = (change: (value: JsonFields) => unknown, sandtable = '0.0.1'): string => {
      const folder = run.copy();
      editFile(folder, 'manifest.json', (text) =>
        jsonText({ ...(JSON.parse(text) as JsonFields), versions: { sandtable } }),
      );
      editFile(folder, 'summary.json', (text) => jsonText(change(JSON.parse(text) as JsonFields)));
      return checkOf(folder, 'summary.json');
    };
    expect(earlier(verdict)).toMatch(
      /^not checked: all figures follow from the journal\. An earlier version worded verdict\.because\[0\]/,
    );
    expect(earlier((value) => ({ ...value, tradeCount: 9 }))).toBe(
      `failed: differs from the figures of the journal in tradeCount. Sandtable 0.0.1 wrote it, and this is ${version()}, which may compute other figures`,
    );
    expect(earlier((value) => value)).toMatch(/^verified: /);
    expect(earlier(verdict, version())).toMatch(/^failed: /);
  });
});
