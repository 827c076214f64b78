import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Then, When } from '@cucumber/cucumber';
import type { Locator, Page } from 'playwright-core';
import { browserPath, openPage } from '../support/browser.ts';
import { runHere } from '../support/command-line.ts';
import { sizeOf } from '../support/screens.ts';
import type { TradingWorld } from '../support/world.ts';

/** Returns the open page when its script is ready. */
async function ready({ page: open }: TradingWorld): Promise<Page> {
  assert.ok(open, 'no page is open');
  await open.page.locator('body[data-ready]').waitFor({ state: 'attached' });
  return open.page;
}

const called = (page: Page, name: string): Locator => page.getByLabel(name, { exact: true });

When(
  'the trader opens the report on a screen {int} wide',
  async function (this: TradingWorld, width: number) {
    const [run] = this.folder.results('runs');
    this.page = await openPage(pathToFileURL(this.folder.file(`runs/${run}/report.html`)).href, width, 900);
    await ready(this);
  },
);

When(
  'the trader opens the report on a screen {int} wide and {int} high',
  async function (this: TradingWorld, width: number, height: number) {
    const [run] = this.folder.results('runs');
    const file = this.folder.file(`runs/${run}/report.html`);
    this.page = await openPage(pathToFileURL(file).href, width, height);
    await ready(this);
  },
);

When(
  'the trader opens the report of the run in {string} on a {word}',
  async function (this: TradingWorld, folder: string, device: string) {
    const [run] = this.folder.results(folder);
    const file = this.folder.file(`${folder}/${run}/report.html`);
    this.page = await openPage(pathToFileURL(file).href, ...sizeOf(device));
  },
);

When('he chooses the period {string}', async function (this: TradingWorld, name: string) {
  await (await ready(this)).locator('#preset').selectOption({ label: name });
});

When('he goes back', async function (this: TradingWorld) {
  await (await ready(this)).evaluate(() => history.back());
});

When('he goes forward', async function (this: TradingWorld) {
  await (await ready(this)).evaluate(() => history.forward());
});

When(
  'he presses {string} {int} times on {string}',
  async function (this: TradingWorld, key: string, times: number, name: string) {
    const place = called(await ready(this), name);
    await place.focus();
    for (let press = 0; press < times; press++) await place.press(key);
  },
);

When(
  'he presses {string} on the time chart before it is drawn',
  async function (this: TradingWorld, key: string) {
    const page = await ready(this);
    // The page draws the chart when the user scrolls near it. This key arrives before.
    await page.evaluate((pressed) => {
      const chart = document.getElementById('time-chart');
      if (chart?.hasChildNodes()) throw new Error('The chart is already drawn.');
      chart?.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true }));
    }, key);
  },
);

When('he chooses what came from {string}', async function (this: TradingWorld, name: string) {
  await (await ready(this)).locator('#pivot').getByRole('button', { name, exact: true }).click();
});

When('he chooses the first trade shown', async function (this: TradingWorld) {
  await (await ready(this)).locator('#trades .jump').first().click();
});

async function turnWheel(world: TradingWorld): Promise<void> {
  const page = await ready(world);
  const chart = page.locator('#time-chart');
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  assert.ok(box);
  await page.mouse.move(box.x + box.width / 2, Math.max(box.y, 0) + 150);
  await page.evaluate(() => {
    document.body.dataset.scrolled = String(scrollY);
    delete document.body.dataset.turned;
    addEventListener('wheel', () => (document.body.dataset.turned = ''), { once: true });
  });
  await page.mouse.wheel(0, -120);
  await page.locator('body[data-turned]').waitFor({ state: 'attached' });
}

When('he turns the wheel over the chart', async function (this: TradingWorld) {
  await turnWheel(this);
});

When('he turns the wheel over the chart with Ctrl held', async function (this: TradingWorld) {
  const page = await ready(this);
  await page.keyboard.down('Control');
  for (let turn = 0; turn < 8; turn++) await turnWheel(this);
  await page.keyboard.up('Control');
});

When('the trader prints the report of the run as a PDF', async function (this: TradingWorld) {
  const [run] = this.folder.results('runs');
  const line = `sandtable report runs/${run} --pdf`;
  const environment = { SANDTABLE_BROWSER: browserPath() };
  this.noteCommand(await runHere({ line, folder: this.folder.path, environment }));
});

When(
  'the trader rebuilds the report of the run with `{}`',
  async function (this: TradingWorld, flags: string) {
    const [run] = this.folder.results('runs');
    const environment = { SANDTABLE_BROWSER: browserPath() };
    const line = `sandtable report runs/${run} ${flags}`;
    this.noteCommand(await runHere({ line, folder: this.folder.path, environment }));
  },
);

Then('the folder of the run has the files {string}', function (this: TradingWorld, names: string) {
  const [run] = this.folder.results('runs');
  for (const name of names.split(', '))
    assert.ok(readFileSync(this.folder.file(`runs/${run}/${name}`)).length > 500, name);
});

When('the trader prints the report of the run without a browser', async function (this: TradingWorld) {
  const [run] = this.folder.results('runs');
  const line = `sandtable report runs/${run} --pdf`;
  const environment = { SANDTABLE_BROWSER: '/no/such/browser' };
  this.noteCommand(await runHere({ line, folder: this.folder.path, environment }));
});

Then('the PDF has at least {int} pages', function (this: TradingWorld, least: number) {
  const [run] = this.folder.results('runs');
  const text = readFileSync(this.folder.file(`runs/${run}/report.pdf`), 'latin1');
  const pages = text.match(/\/Type\s*\/Page\b/g)?.length ?? 0;
  assert.ok(pages >= least, `it has ${pages}`);
});

Then('the address has {string}', async function (this: TradingWorld, part: string) {
  const address = new URL((await ready(this)).url()).hash;
  assert.ok(address.includes(part), `the address ends with ${address}`);
});

Then('the figures are of a part of the run', async function (this: TradingWorld) {
  await (await ready(this))
    .locator('body[data-part] #range-said', { hasText: /\d{4}-\d\d-\d\d to / })
    .waitFor({ state: 'attached' });
});

Then('the figures are of the whole run', async function (this: TradingWorld) {
  await (await ready(this))
    .locator('body:not([data-part]) #range-said', { hasText: 'whole run' })
    .waitFor({ state: 'attached' });
});

Then('the readout has the first bar’s close', async function (this: TradingWorld) {
  const [, first = ''] = this.folder.read('prices.csv').split('\n');
  const close = Number(first.split(',')[4]);
  const readout = (await (await ready(this)).locator('#readout').textContent()) ?? '';
  assert.match(readout, new RegExp(`close ${close.toLocaleString('en-US').replace('.', '\\.')}`));
});

Then('the trades shown are all short', async function (this: TradingWorld) {
  const sides = await (await ready(this))
    .locator('#trades tr[data-trade] td:nth-of-type(2)')
    .allTextContents();
  assert.deepEqual([...new Set(sides)], ['short']);
});

Then('the verdict, eight figures and the equity curve are in sight', async function (this: TradingWorld) {
  const page = await ready(this);
  const height = page.viewportSize()?.height ?? 0;
  const places = [
    '#verdict > strong',
    '#tiles div',
    '#equity-curve .pane-equity',
    '#equity-curve .pane-drawdown',
  ];
  for (const place of places)
    for (const one of await page.locator(place).all()) {
      const box = await one.boundingBox();
      assert.ok(box !== null && box.y + box.height <= height, `${place} is below the fold`);
    }
  assert.equal(await page.locator('#tiles dl > div').count(), 8);
});

const TOPICS = [
  'Return against the benchmark',
  'Risk-adjusted return',
  'Max drawdown',
  'Profit by side, symbol and month',
  'Rolling figures',
  'Distribution of returns',
  'Exposure and turnover',
  'Trading costs',
  'Capacity',
  'Best and worst trade',
  'Market regimes',
  'Parameters',
  'Reasons for trades',
  'Confidence',
  'Overfitting',
];

Then(
  'the summary answers each question of a portfolio manager with a link to its part of the page',
  async function (this: TradingWorld) {
    const page = await ready(this);
    const found = await page.locator('.questions > div').evaluateAll((rows) =>
      rows.map((row) => {
        const link = row.querySelector<HTMLAnchorElement>('dt a');
        return {
          topic: link?.textContent ?? '',
          answer: row.querySelector('dd')?.textContent?.trim() ?? '',
          leads: link !== null && document.getElementById(link.hash.slice(1)) !== null,
        };
      }),
    );
    assert.deepEqual(
      found.map(({ topic }) => topic),
      TOPICS,
    );
    for (const { topic, answer, leads } of found) {
      assert.ok(answer.length > 1, `${topic} has no answer`);
      assert.ok(leads, `${topic} leads nowhere`);
    }
  },
);

Then('every figure that follows the period names it', async function (this: TradingWorld) {
  const page = await ready(this);
  const found = await page.evaluate(() => {
    const period = document.body.style.getPropertyValue('--period').replaceAll('"', '');
    const heads = [
      ...document.querySelectorAll('#tiles, main :is(h2, h3, summary, figcaption:first-child)'),
    ].map((head) => ({
      head,
      said: `${getComputedStyle(head, '::before').content} ${getComputedStyle(head, '::after').content}`,
    }));
    const shown = [...document.querySelectorAll('main :is(table, figure, dl, #time-chart)')];
    const without = shown.flatMap((one) => {
      // The last heading before a figure that names a period counts, or the caption of the figure.
      const before = heads.filter(
        ({ head, said }) =>
          /\d{4}|whole run/.test(said) &&
          (one.contains(head) || (head.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) > 0),
      );
      const section = one.closest('section, .overview, .first');
      const last = before.findLast(({ head }) => section?.contains(head) === true)?.said ?? '';
      return last.includes(period) || last.includes('whole run')
        ? []
        : [`${one.tagName} ${one.id} in ${one.closest('section, div[id]')?.id}`];
    });
    return { period, without, shown: shown.length };
  });
  assert.match(found.period, /^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/);
  assert.ok(found.shown > 15, `only ${found.shown} tables and figures`);
  assert.deepEqual(found.without, []);
});

When('he points at the middle of the equity curve', async function (this: TradingWorld) {
  await (await ready(this)).locator('#equity-curve .pane-equity').hover();
});

Then('the equity curve shows {string}', async function (this: TradingWorld, text: string) {
  await (await ready(this)).locator('#equity-readout', { hasText: text }).waitFor({ state: 'attached' });
});

When('he follows the best trade', async function (this: TradingWorld) {
  await (await ready(this)).locator('[data-open-trade]').first().click();
});

Then('no trade is told', async function (this: TradingWorld) {
  await (await ready(this)).locator('.story-row').waitFor({ state: 'detached' });
});

Then('the page has scrolled', async function (this: TradingWorld) {
  await (await ready(this)).waitForFunction(() => scrollY !== Number(document.body.dataset.scrolled));
});

Then('the chart shows fewer bars', async function (this: TradingWorld) {
  const page = await ready(this);
  await page.getByRole('button', { name: 'Use as period' }).click();
  const hash = new URL(page.url()).hash;
  assert.match(hash, /range=/);
});

Then('the table against the benchmark is whole', async function (this: TradingWorld) {
  const [content, room] = await (await ready(this))
    .locator('#spine-table')
    .evaluate((frame) => [frame.scrollWidth, frame.clientWidth] as const);
  assert.ok(content <= room, `it is ${content} wide in ${room}`);
});

Then(
  'the net profit of each trade and the return of each year are in sight',
  async function (this: TradingWorld) {
    const page = await ready(this);
    const hidden = await page.evaluate(() => {
      const cells = document.querySelectorAll(
        '#trades tr[data-trade] td:nth-child(11), .months td:last-child',
      );
      return [...cells].filter((cell) => {
        const { left, right, width } = cell.getBoundingClientRect();
        return width === 0 || left < 0 || right > innerWidth;
      }).length;
    });
    assert.equal(hidden, 0);
  },
);
