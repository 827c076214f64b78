import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectPath } from '../../features/support/command-line.ts';
import { inFolder, made, sandtable } from './gallery/commands.ts';
import { SCRIPT } from './gallery/inputs.ts';

let folder: string;
let [run, sweep, stress] = ['', '', ''];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-robustness-'));
  await inFolder(folder, SCRIPT, async () => {
    copyFileSync(projectPath('strategies/sma-cross.ts'), 'rule.ts');
    await sandtable('data simulate --bars 400 --seed 7 --regime trend --out prices.csv');
    run = await made('run rule.ts --param fast=5 slow=20 --commission 0.001');
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the text of a page's section on robustness, and the files that the section links to. */
function section(page: string): { readonly text: string; readonly links: string[] } {
  const found = /<section id="luck"[\s\S]*?<\/section>/.exec(readFileSync(join(folder, page), 'utf8'))?.[0];
  const plain = (found ?? '').replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
  return { text: plain, links: [...(found ?? '').matchAll(/href="([^"]+)"/g)].map(([, href]) => href!) };
}

describe('the section on robustness of a stored run', () => {
  it('has the command for each missing test', () => {
    const { text, links } = section(join(run, 'report.html'));
    expect(links).toEqual([]);
    const data = 'rule.ts --data prices.csv --commission 0.001';
    expect(text).toContain(
      `parameter sensitivity: not tested A sweep shows the figures of nearby parameter values and the plateau around the best. npx sandtable sweep ${data} --param fast=4,5,6 --param slow=20 --param fraction=0.9999 `,
    );
    expect(text).toContain('Walk-forward: not tested');
    expect(text).toContain(`npx sandtable stress ${data} --param fast=5 --param slow=20`);
  });

  it('has results of the sweep and the stress test, with links', async () => {
    await inFolder(folder, SCRIPT, async () => {
      sweep = await made(
        'sweep rule.ts --param fast=4:6:1 slow=20:40:10 --commission 0.001 --jobs 1 --walk-forward train=6m,test=3m',
      );
      stress = await made('stress rule.ts --param fast=5 slow=20 --commission 0.001 --worlds 20 --jobs 1');
      // This stress test has another parameter value (fast=6), so the report of the run must not contain its
      // result.
      await made('stress rule.ts --param fast=6 slow=20 --commission 0.001 --worlds 20 --jobs 1');
      await sandtable(`report ${run}`);
    });
    const { text, links } = section(join(run, 'report.html'));
    const result = JSON.parse(readFileSync(join(folder, sweep, 'sweep.json'), 'utf8'));
    expect(text).toContain(`(PBO): ${(result.pbo.value * 100).toFixed(2)}%`);
    expect(text).toContain(`Neighbours in the sweep: ${result.plateau.state}`);
    expect(text).toMatch(/; this run has rank \d\./);
    expect(text).toMatch(/Walk-forward: Sharpe ratio −?\d\.\d\d out of sample/);
    expect(text).toMatch(/Stress test: p = \d\.\d\d/);
    const mean = (parameter: string, value: number): string => {
      const slice = result.slices.find((one: { parameter: string }) => one.parameter === parameter);
      const { mean: own } = slice.points.find((one: { value: number }) => one.value === value);
      return `${value}: ${own.toFixed(3).replace('-', '−')}`;
    };
    expect(text).toContain(`fast ${mean('fast', 4)} ${mean('fast', 5)} ${mean('fast', 6)} 3`);
    expect(text).toContain(`slow – ${mean('slow', 20)} ${mean('slow', 30)} 3`);
    expect(text).not.toContain('not tested');
    expect(new Set(links.map((link) => join(run, link)))).toEqual(
      new Set([join(sweep, 'sweep.html'), join(stress, 'stress.html')]),
    );
    for (const link of links) expect(existsSync(join(folder, run, link))).toBe(true);
  });

  it('is also in the report of the run that a sweep stores', () => {
    const [best] = readdirSync(join(folder, sweep, 'runs'));
    const page = join(sweep, 'runs', best!, 'report.html');
    const { text, links } = section(page);
    expect(text).toContain('; this run has rank 1.');
    expect(join(dirname(page), links[0]!)).toBe(join(sweep, 'sweep.html'));
  });
});
