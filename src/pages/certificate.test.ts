import { describe, expect, it } from 'vitest';
import { cellsIn, textIn } from '../../test/support/page-sketch.ts';
import type { Check } from '../results/runs/index.ts';
import { certificatePage, certificateText } from './certificate.ts';
import { packed, unpacked } from './report/model/pack.ts';
import { escapeHtml, html, readStampText, scriptJson } from './shared/html.ts';

const check = (name: string, outcome: Check['outcome']): Check => ({
  name,
  outcome,
  detail: `About ${name}`,
});
const checks = [
  check('a', 'verified'),
  check('long', 'failed'),
  check('b', 'not checked'),
  check('c', 'verified'),
];
const result = {
  ...{
    target: 'run.tar.gz',
    verified: true,
    version: '1.2.3',
    sha256: 'hash',
    archive: [check('files', 'verified')],
  },
  runs: [{ run: 'one', checks }],
};

describe('a certificate', () => {
  it('is text with the result of each check', () => {
    expect(certificateText(result).split('\n').slice(0, -4)).toEqual([
      ...['Verified: 3 verified, 1 failed, 1 not checked.', 'Sandtable 1.2.3, archive with SHA-256 hash', ''],
      ...['run.tar.gz', '  verified     files  About files', '', 'one', '  verified     a      About a'],
      ...[
        '  failed       long   About long',
        '  not checked  b      About b',
        '  verified     c      About c',
      ],
    ]);
    const plain = certificateText({ ...result, verified: false, archive: [], sha256: undefined });
    expect(plain).toMatch(
      /^NOT verified: 2 verified, 1 failed, 1 not checked\.\nSandtable 1\.2\.3\n\none\n {2}verified {5}a {5}About/,
    );
  });

  it('is a page with the verdict and the result of each check', () => {
    const page = certificatePage(result);
    expect(cellsIn(page).slice(0, 2)).toEqual([
      ['Check', 'Result', 'Detail'],
      ['files', 'verified', 'About files'],
    ]);
    expect(page).toContain('<tr class="not-checked">');
    expect(page).toContain('<p class="verdict verified">Verified: 3 verified');
    expect(textIn(page)).toContain('SHA-256 of the archive: hash');
    const other = certificatePage({ ...result, verified: false, sha256: undefined });
    expect(other).toContain('<p class="verdict failed">NOT verified');
    expect(other).not.toContain('SHA-256 of the archive');
  });
});

describe('the parts of a page', () => {
  it('escape texts, and omit missing values', () => {
    expect(escapeHtml(`<a href="x">'&`)).toBe('&lt;a href=&quot;x&quot;&gt;&#39;&amp;');
    expect(html`<p>${'<'}${1}${null}${undefined}${[html`<b>${'x'}</b>`, '>']}</p>`.text).toBe(
      '<p>&lt;1<b>x</b>&gt;</p>',
    );
    expect(scriptJson('</script>\u2028\u2029').text).toBe('"\\u003c/script>\\u2028\\u2029"');
    expect(readStampText(Date.UTC(2024, 0, 2, 3, 4))).toBe('Results folder read on 2024-01-02 03:04 UTC.');
  });

  it('contain data in a compact form', () => {
    expect(packed([1, 2.5, null, 2.25])).toEqual({ n: [100, 150, null, -25], t: 2 });
    expect(packed([0.123456789])).toEqual({ a: [0.123456789] });
    expect(packed([0.12345678])).toEqual({ n: [12345678], t: 8 });
    expect(packed([2 ** 50])).toEqual({ a: [2 ** 50] });
    expect(packed([2 ** 50 - 1])).toEqual({ n: [2 ** 50 - 1], t: 0 });
    for (const plain of [[-0], [Number.NaN], [], ['x'], [{}], [{ a: 1 }, { b: 1 }], [[1]], ['x', 1]])
      expect(packed(plain)).toHaveProperty('a');
    expect(packed(['x', 'y', 'x'])).toEqual({ w: ['x', 'y'], r: [0, 1, 0] });
    expect(packed([{ a: 1 }])).toEqual({ k: { a: { n: [1], t: 0 } } });
    expect(packed({ a: 'x', b: [null] })).toEqual({ o: { a: 'x', b: { n: [null], t: 0 } } });
    expect([packed('x'), packed(null), unpacked('x'), unpacked(null), unpacked({ k: {} })]).toEqual([
      'x',
      null,
      'x',
      null,
      [],
    ]);
  });
});
