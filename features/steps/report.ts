import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { AfterAll, Given, Then, When } from '@cucumber/cucumber';
import { skipBecause } from '../../test/missing.ts';
import { accessFaults, layoutShift } from '../../test/pages/gallery/appearance.ts';
import { browserPath, closeBrowser, type OpenPage, openPage } from '../support/browser.ts';
import { sizeOf } from '../support/screens.ts';
import type { TradingWorld } from '../support/world.ts';

AfterAll(closeBrowser);

function opened(world: TradingWorld): OpenPage {
  assert.ok(world.page, 'no page is open');
  return world.page;
}

Given('a browser is at hand', function (this: TradingWorld) {
  if (browserPath() !== undefined) return undefined;
  const note = 'There is no Chromium: install one, or name it in SANDTABLE_BROWSER.';
  this.log(note);
  skipBecause(note);
  return 'skipped';
});

When('the trader opens the report on a {word}', async function (this: TradingWorld, device: string) {
  const [run] = this.folder.results('runs');
  const file = this.folder.file(`runs/${run}/report.html`);
  this.page = await openPage(pathToFileURL(file).href, ...sizeOf(device));
});

When(
  'the trader opens {string} on a {word}',
  async function (this: TradingWorld, file: string, device: string) {
    this.page = await openPage(pathToFileURL(this.folder.file(file)).href, ...sizeOf(device));
  },
);

When('he filters the trades by {string}', async function (this: TradingWorld, words: string) {
  await opened(this).page.getByRole('searchbox', { name: 'Filter' }).fill(words);
});

When('he sorts the trades by {string}', async function (this: TradingWorld, column: string) {
  await opened(this).page.getByRole('button', { name: column, exact: true }).click();
});

When('he changes the theme', async function (this: TradingWorld) {
  await opened(this).page.getByRole('button', { name: 'Change between light and dark' }).click();
});

When('he steps to the next fill', async function (this: TradingWorld) {
  await opened(this).page.getByRole('button', { name: 'Fill ▶' }).click();
});

When('he chooses the first trade', async function (this: TradingWorld) {
  await opened(this).page.getByRole('button', { name: 'Show trade 1', exact: true }).click();
});

When('he presses for more trades', async function (this: TradingWorld) {
  await opened(this).page.getByRole('button', { name: 'Show more trades' }).click();
});

Then('{int} trades are laid out', async function (this: TradingWorld, count: number) {
  assert.equal(await opened(this).page.locator('#trades tbody tr[data-trade]').count(), count);
});

Then('the trades shown begin with the worst of all', async function (this: TradingWorld) {
  const [run] = this.folder.results('runs');
  const { worstTrade } = JSON.parse(this.folder.read(`runs/${run}/summary.json`)) as { worstTrade: string };
  const first = opened(this).page.locator('#trades tbody tr').first().locator('td').nth(9);
  const shown = Number((await first.textContent())?.replaceAll(',', '').replace('−', '-'));
  assert.ok(Math.abs(shown - Number(worstTrade)) < 0.006, `${shown} is not ${worstTrade}`);
});

Then('what is said of the chosen fill has {string}', async function (this: TradingWorld, text: string) {
  await opened(this).page.locator('#chosen, .story-row').getByText(text).first().waitFor();
});

Then('nothing moved while it opened', async function (this: TradingWorld) {
  const moved = await layoutShift(opened(this).page);
  assert.ok(moved < 0.01, `the layout shifted by ${moved}`);
});

Then('the page complains of nothing', function (this: TradingWorld) {
  assert.deepEqual(opened(this).complaints, []);
});

Then('the page says {string}', async function (this: TradingWorld, text: string) {
  await opened(this).page.getByText(text).first().waitFor();
});

Then('the first trade shown is {int}', async function (this: TradingWorld, id: number) {
  const first = opened(this).page.locator('#trades tbody tr[data-trade]').first();
  assert.equal(await first.getAttribute('data-trade'), String(id));
});

Then('the trades shown are all short, the last one first', async function (this: TradingWorld) {
  const rows = await opened(this).page.locator('#trades tbody tr[data-trade]').all();
  const ids = await Promise.all(rows.map(async (row) => Number(await row.getAttribute('data-trade'))));
  const sides = await Promise.all(rows.map((row) => row.locator('td').nth(1).textContent()));
  assert.ok(ids.length > 1, 'there is no short trade to sort');
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  );
  assert.deepEqual(new Set(sides), new Set(['short']));
});

Then('its charts are drawn', async function (this: TradingWorld) {
  const { page } = opened(this);
  for (const id of ['time-chart', 'equity-chart', 'overview']) {
    if ((await page.locator(`#${id}`).count()) === 0) continue;
    // A chart below the fold is drawn when it comes near.
    await page.locator(`#${id}`).scrollIntoViewIfNeeded();
    await page.locator(`#${id} canvas`).first().waitFor();
    // Number of distinct colours. A chart that drew nothing has only the background. The library draws in a
    // later frame than it adds the canvas.
    await page.waitForFunction(
      (chart) =>
        [...document.querySelectorAll<HTMLCanvasElement>(`#${chart} canvas`)].some((canvas) => {
          const { width, height } = canvas;
          if (width * height === 0) return false;
          const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data;
          return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size > 20;
        }),
      id,
      { polling: 200 },
    );
  }
});

Then('nothing is wider than the screen', async function (this: TradingWorld) {
  const { page } = opened(this);
  const [content, screen] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.ok((content ?? 0) <= (screen ?? 0), `the page is ${content} wide on a screen of ${screen}`);
});

Then('the page asks for nothing and complains of nothing', function (this: TradingWorld) {
  assert.deepEqual(opened(this).requests, []);
  assert.deepEqual(opened(this).complaints, []);
});

Then('the page is accessible', async function (this: TradingWorld) {
  assert.deepEqual(await accessFaults(opened(this).page), []);
});
