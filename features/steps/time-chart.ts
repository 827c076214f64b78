import assert from 'node:assert/strict';
import { Then, When } from '@cucumber/cucumber';
import type { Locator, Page } from 'playwright-core';
import type { TradingWorld } from '../support/world.ts';

async function ready({ page: open }: TradingWorld): Promise<Page> {
  assert.ok(open, 'no page is open');
  await open.page.locator('body[data-ready]:not([data-working])').waitFor({ state: 'attached' });
  return open.page;
}

const rolling = (page: Page): Locator => page.locator('#rolling');

When('he draws the rolling {string}', async function (this: TradingWorld, name: string) {
  await rolling(await ready(this)).selectOption({ label: name });
});

When('he leaves out {string}', async function (this: TradingWorld, name: string) {
  await (await ready(this)).getByLabel(name, { exact: true }).uncheck();
});

When('he chooses {string}', async function (this: TradingWorld, name: string) {
  await (await ready(this)).getByLabel(name, { exact: true }).check();
});

When('he opens that address anew', async function (this: TradingWorld) {
  await (await ready(this)).reload();
});

Then('{string} is left out', async function (this: TradingWorld, name: string) {
  assert.ok(!(await (await ready(this)).getByLabel(name, { exact: true }).isChecked()), 'it is drawn');
});

Then('the rolling {string} is drawn', async function (this: TradingWorld, name: string) {
  const choice = rolling(await ready(this));
  await choice.locator(`option:checked:text-is("${name}")`).waitFor({ state: 'attached' });
});

When('he draws the rolling figures alone', async function (this: TradingWorld) {
  for (const name of ['Price', 'Equity', 'Drawdown', 'Exposure'])
    await (await ready(this)).getByLabel(name, { exact: true }).uncheck();
});

Then('nothing is drawn between the two times that there were any', async function (this: TradingWorld) {
  const page = await ready(this);
  await page.locator('#time-chart').scrollIntoViewIfNeeded();
  await page.locator('#time-chart canvas').first().waitFor();
  // Columns of the picture that contain the blue of the line. The chart is drawn after the controls have changed.
  let blue = '';
  let gap = 0;
  for (let wait = 0; wait < 300 && !(gap > blue.length * 0.3); wait++) {
    await page.waitForTimeout(200);
    blue = await page.locator('#time-chart canvas').evaluateAll((all) => {
      const wide = (all as HTMLCanvasElement[]).filter(({ width }) => width > 600);
      const columns = new Array<string>(wide[0]?.width ?? 0).fill(' ');
      for (const canvas of wide) {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        for (let at = 0; at < data.length; at += 4)
          if (data[at + 2]! - data[at]! > 120 && data[at + 3]! > 200) columns[(at / 4) % canvas.width] = 'x';
      }
      return columns.join('');
    });
    gap = Math.max(...[...blue.trim().matchAll(/ +/g)].map(([empty]) => empty.length), 0);
  }
  // The first trade leaves the rolling window of half a year after session 166. The second trade begins at
  // session 401 of 600.
  assert.ok(gap > blue.length * 0.3, `the widest gap is ${gap} of ${blue.length}`);
});

Then(
  'the table has its figures at once and its intervals a moment later',
  async function (this: TradingWorld) {
    const page = await ready(this);
    const texts = await page.evaluate(async () => {
      const first = document.querySelector<HTMLInputElement>('#range-from');
      if (first === null) throw new Error('there is no first day');
      first.value = '2001-06-01';
      first.dispatchEvent(new Event('change'));
      return document.querySelector('#spine-table tr[data-figure="cagr"] .difference')?.textContent ?? '';
    });
    assert.match(texts, /pp\S* …$/);
    await ready(this);
    const later = await page.locator('#spine-table tr[data-figure="cagr"] .difference').textContent();
    assert.match(later ?? '', / to /);
    assert.equal(later?.split(' pp')[0], texts.split(' pp')[0]);
  },
);
