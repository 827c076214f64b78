import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { Given, Then, When } from '@cucumber/cucumber';
import { startServer } from '../../src/pages/index.ts';
import { type OpenPage, openPage } from '../support/browser.ts';
import { runHere, SpawnedCommand } from '../support/command-line.ts';
import { sizeOf } from '../support/screens.ts';
import type { TradingWorld } from '../support/world.ts';

function opened(world: TradingWorld): OpenPage {
  assert.ok(world.page, 'no page is open');
  return world.page;
}

function origin(world: TradingWorld): string {
  assert.ok(world.server, 'nothing is served');
  return new URL(world.server.url).origin;
}

async function open(world: TradingWorld, address: string, device: string): Promise<void> {
  await world.page?.page.context().close();
  world.page = await openPage(address, ...sizeOf(device));
}

Given('the runs in {string} are served', async function (this: TradingWorld, folder: string) {
  this.server = await startServer({
    folder: this.folder.file(folder),
    port: 0,
    onProblem: (error) => this.problems.note({}, `the server failed: ${String(error)}`),
  });
});

When('the trader runs {code} in his folder', async function (this: TradingWorld, line: string) {
  const here = line.replace('runs/', `${this.folder.path}/runs/`);
  this.noteCommand(await runHere({ line: here, folder: this.folder.path }));
});

When('the trader makes the trace of the run', async function (this: TradingWorld) {
  const [run] = this.folder.results('runs');
  const line = `sandtable trace runs/${run}`;
  this.noteCommand(await new SpawnedCommand({ line, folder: this.folder.path }).result);
});

When(
  'the trader opens the trace of the run on a {word}',
  async function (this: TradingWorld, device: string) {
    const [run] = this.folder.results('runs');
    await open(this, `file://${this.folder.file(`runs/${run}/trace.html`)}`, device);
  },
);

When(
  'the trader opens the trace of {string} at {string} on a {word}',
  async function (this: TradingWorld, name: string, hash: string, device: string) {
    await open(this, `${origin(this)}/runs/${encodeURIComponent(name)}/trace${hash}`, device);
  },
);

When('the trader opens the list of runs on a {word}', async function (this: TradingWorld, device: string) {
  await open(this, this.server?.url ?? '', device);
});

When(
  'the trader opens the list of runs without its token on a {word}',
  async function (this: TradingWorld, device: string) {
    await open(this, `${origin(this)}/`, device);
  },
);

When(
  'the trader opens {string} of the server on a {word}',
  async function (this: TradingWorld, path: string, device: string) {
    await open(this, `${origin(this)}${path}`, device);
  },
);

When(
  'the trader opens the report of {string} on a {word}',
  async function (this: TradingWorld, name: string, device: string) {
    await open(this, `${origin(this)}/runs/${encodeURIComponent(name)}/report`, device);
  },
);

When('he chooses the first bar of the list', async function (this: TradingWorld) {
  await opened(this).page.locator('#steps a').first().click();
});

When('he follows {string}', async function (this: TradingWorld, text: string) {
  await opened(this).page.getByRole('link', { name: text }).first().click();
});

When('he presses {string}', async function (this: TradingWorld, key: string) {
  const { page } = opened(this);
  const before = page.url();
  await page.locator('body').press(key);
  await page.waitForURL((url) => url.href !== before);
});

When('he shows {string} only', async function (this: TradingWorld, what: string) {
  const { page } = opened(this);
  await page.getByLabel('Show').selectOption({ label: what });
  await page.getByLabel('Show').blur();
});

When('he shows all again', async function (this: TradingWorld) {
  const { page } = opened(this);
  await page.getByLabel('Show').selectOption('');
  await page.locator('#tool').selectOption('');
  await page.getByLabel('Search').fill('');
});

When('he chooses the tool {string}', async function (this: TradingWorld, name: string) {
  await opened(this).page.locator('#tool').selectOption(name);
});

When('he searches for {string}', async function (this: TradingWorld, words: string) {
  await opened(this).page.getByLabel('Search').fill(words);
});

When('he goes to bar {int}', async function (this: TradingWorld, bar: number) {
  const { page } = opened(this);
  await page.locator('#bar').fill(String(bar));
  await page.getByRole('button', { name: 'Go', exact: true }).click();
});

When('he types the trade {int}', async function (this: TradingWorld, id: number) {
  await opened(this).page.locator('#trade').fill(String(id));
});

When('he clicks into the middle of the overview', async function (this: TradingWorld) {
  const { page } = opened(this);
  await page.locator('#overview canvas').first().waitFor();
  await page.getByText('10 of 10 bars').waitFor();
  await page.locator('#overview').click();
});

When('he sorts the runs by {string}', async function (this: TradingWorld, column: string) {
  await opened(this).page.getByRole('button', { name: column, exact: true }).click();
});

When('he hides the column {string}', async function (this: TradingWorld, column: string) {
  const { page } = opened(this);
  await page.getByText('Columns', { exact: true }).click();
  await page.getByRole('checkbox', { name: column, exact: true }).uncheck();
});

When('he keeps the view as {string}', async function (this: TradingWorld, name: string) {
  const { page } = opened(this);
  await page.getByText('Views', { exact: true }).click();
  await page.getByLabel('Keep this view as').fill(name);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
});

When('he goes to the view {string}', async function (this: TradingWorld, name: string) {
  const { page } = opened(this);
  const link = page.locator('#view-list').getByRole('link', { name, exact: true });
  if (!(await link.isVisible())) await page.getByText('Views', { exact: true }).click();
  await link.click();
});

When('he tags {string} with {string}', async function (this: TradingWorld, run: string, tags: string) {
  const { page } = opened(this);
  await page.getByRole('button', { name: `Change the notes and tags of ${run}` }).click();
  await page.getByLabel('Tags, separated by commas').fill(tags);
  await page.getByRole('button', { name: 'Save' }).click();
});

When('he asks to delete {string}', async function (this: TradingWorld, run: string) {
  await opened(this)
    .page.getByRole('button', { name: `Delete ${run}` })
    .click();
});

When('he answers {string}', async function (this: TradingWorld, text: string) {
  await opened(this).page.locator('dialog').getByRole('button', { name: text, exact: true }).click();
});

When('he compares {string} and {string}', async function (this: TradingWorld, first: string, second: string) {
  const { page } = opened(this);
  for (const run of [first, second]) await page.getByLabel(`Choose ${run} for comparison`).check();
  await page.getByRole('button', { name: 'Compare 2' }).click();
});

Then('the overview is drawn', async function (this: TradingWorld) {
  await opened(this).page.locator('#overview canvas').first().waitFor();
});

Then('the bar shown has {string}', async function (this: TradingWorld, text: string) {
  const found = opened(this).page.locator('#view').getByText(text).first();
  await found.waitFor({ state: 'attached' });
});

Then(
  'the bar shown has the Python {string} with {string} as a call',
  async function (this: TradingWorld, code: string, call: string) {
    const shown = opened(this).page.locator('#view pre.python').first();
    assert.equal(await shown.textContent(), code);
    assert.deepEqual(await shown.locator('[style*="--py-call"]').allTextContents(), ['latest', call]);
  },
);

Then(
  'the bar shown is one from {int} to {int}',
  async function (this: TradingWorld, from: number, to: number) {
    const { page } = opened(this);
    await page.waitForURL(/#bar=\d+$/);
    const bar = Number(/#bar=(\d+)$/.exec(page.url())?.[1]);
    assert.ok(bar >= from && bar <= to, `it is bar ${bar}`);
  },
);

Then('the address ends with {string}', async function (this: TradingWorld, end: string) {
  await opened(this).page.waitForURL((url) => url.href.endsWith(end));
});

/** Waits until a list has the expected items. Responses of the server fill the list. */
async function listed(
  world: TradingWorld,
  selector: string,
  attribute: string,
  expected: string,
): Promise<void> {
  const { page } = opened(world);
  let found = '';
  for (let tries = 0; tries < 600; tries++) {
    // All values are read in one call, because the page may replace the list between two calls.
    const values = await page
      .locator(selector)
      .evaluateAll((items, name) => items.map((item) => item.getAttribute(name)), attribute);
    found = values.join(' ');
    if (found === expected) return;
    await page.waitForTimeout(100);
  }
  assert.equal(found, expected);
}

Then('the bars listed are {string}', async function (this: TradingWorld, bars: string) {
  await listed(this, '#steps a', 'data-bar', bars);
});

Then('the runs listed are {string}', async function (this: TradingWorld, runs: string) {
  await listed(this, '#runs tbody tr[data-run]', 'data-run', runs);
});

Then('there is nothing to delete or tag', async function (this: TradingWorld) {
  assert.equal(await opened(this).page.locator('#runs tbody button').count(), 0);
});

Then('nothing of it was run', async function (this: TradingWorld) {
  assert.equal(await opened(this).page.locator('main img').count(), 0);
});

Then('the page asks its own server only and complains of nothing', function (this: TradingWorld) {
  const { requests, complaints } = opened(this);
  assert.deepEqual(
    requests.filter((address) => !address.startsWith(`${origin(this)}/`)),
    [],
  );
  assert.deepEqual(complaints, []);
});

Then('the file {string} says {string}', function (this: TradingWorld, name: string, text: string) {
  assert.ok(this.folder.read(name).includes(text), this.folder.read(name));
});

Then('there is no run {string} in {string}', function (this: TradingWorld, name: string, folder: string) {
  assert.equal(existsSync(this.folder.file(`${folder}/${name}`)), false);
});
