import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../features/support/browser.ts';
import { projectPath } from '../../features/support/command-line.ts';
import { skipBecause } from '../missing.ts';
import { inDepth, sampled } from '../support/depth.ts';
import { inFolder, made, sandtable } from './gallery/commands.ts';
import { SCRIPT, TRADER } from './gallery/inputs.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: questions were not asked of a report.');

interface Question {
  readonly question: string;
  /** Selector of the element to click. Omitted if the answer is visible when the page opens. */
  readonly click?: string;
  /** Selector of the element that contains the answer. */
  readonly at: string;
  readonly answer: RegExp;
  /** Run whose report is opened. Default: the run of a rule-based strategy. */
  readonly run?: 'model';
}

const topic = (name: string): string => `.questions dt a:text-is("${name}")`;

/** Questions of a portfolio manager. */
const QUESTIONS: readonly Question[] = [
  { question: 'beat the benchmark', at: '#tiles', answer: /Total return.*benchmark [+−][\d.]+%/ },
  { question: 'risk-adjusted', at: '#tiles', answer: /Sharpe ratio−?[\d.]+95% interval/ },
  { question: 'worst period', at: '#tiles', answer: /Max drawdown−[\d.]+%\d{4}-\d\d-\d\d to/ },
  {
    question: 'profit by symbol, side and month',
    click: topic('Profit by side, symbol and month'),
    at: '#pivot',
    answer: /^(?=.*long\d)(?=.*short\d)/,
  },
  { question: 'drawdowns', click: topic('Max drawdown'), at: '#drawdowns table', answer: /Peak.*Trough/ },
  {
    question: 'rolling Sharpe, beta, volatility',
    click: topic('Rolling figures'),
    at: '#readout',
    answer: /Sharpe .*volatility .*beta /,
  },
  {
    question: 'distribution',
    click: topic('Distribution of returns'),
    at: '#spread figure',
    answer: /returns: mean/,
  },
  { question: 'exposure and turnover', at: '#tiles', answer: /Mean exposure[\d.]+%turnover [\d.]+ a year/ },
  { question: 'costs', click: topic('Trading costs'), at: '#costs-of-period table', answer: /Commission−/ },
  { question: 'capacity', click: topic('Capacity'), at: '#capacity table', answer: /Of a bar’s volume.*1%/ },
  {
    question: 'best and worst trades, MAE and MFE',
    click: '.questions [data-open-trade]',
    at: '.story-row',
    answer: /Decided at the close of/,
  },
  { question: 'regimes', click: topic('Market regimes'), at: '#regimes table', answer: /rising, calm/ },
  { question: 'parameters', click: topic('Parameters'), at: '#provenance', answer: /fast/ },
  { question: 'why this trade', click: topic('Reasons for trades'), at: '#trades', answer: /crossed above/ },
  {
    question: 'what the model cost',
    click: topic('Model cost'),
    at: '#decisions',
    answer: /tokens/i,
    run: 'model',
  },
  { question: 'how certain', click: topic('Confidence'), at: '#luck', answer: /\(PSR\)[\d.]+%/ },
  {
    question: 'overfit',
    click: topic('Overfitting'),
    at: '#luck',
    answer: /\(PBO\).*not tested.*npx sandtable sweep/,
  },
  { question: 'next step', at: '#next', answer: /npx sandtable sweep/ },
];

describe.skipIf(browserPath() === undefined)('a reader of a report', () => {
  let folder: string;
  const pages: Partial<Record<'rule' | 'model', string>> = {};
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sandtable-questions-'));
    await inFolder(folder, SCRIPT, async () => {
      copyFileSync(projectPath('strategies/sma-cross.ts'), 'rule.ts');
      writeFileSync('trader.md', TRADER);
      await sandtable('data simulate --bars 700 --seed 7 --regime trend --out prices.csv');
      pages.rule = await made('run rule.ts --param fast=5 slow=12 --commission 0.001');
      pages.model = await made('run trader.md --to 2000-06-30');
    });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await closeBrowser();
  });

  async function opened(run: 'rule' | 'model', width: number): Promise<Page> {
    const { page } = await openPage(pathToFileURL(join(folder, pages[run]!, 'report.html')).href, width, 900);
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
    return page;
  }

  /**
   * Returns the text of an element if a part of it is visible and not covered by the sticky strip at the top
   * of the page.
   */
  const seen = (page: Page, selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => {
        const { top, bottom, height } = element.getBoundingClientRect();
        return height > 0 && top < innerHeight - 40 && bottom > 100
          ? (element.textContent ?? '')
          : 'not in sight';
      });

  it('has eighteen questions', () => expect(QUESTIONS).toHaveLength(18));

  it.each(sampled(QUESTIONS, 3))(
    'finds with at most one click: $question',
    async ({ click, at, answer, run }) => {
      const page = await opened(run ?? 'rule', 1440);
      if (click !== undefined) await page.locator(click).first().click();
      await expect.poll(() => seen(page, at)).toMatch(answer);
      await page.context().close();
    },
  );

  it.runIf(inDepth(8))(
    'finds on a phone the answers that require a click',
    async () => {
      for (const { click, at, answer, run } of QUESTIONS.filter(({ click: one }) => one !== undefined)) {
        const page = await opened(run ?? 'rule', 390);
        await page.locator(click!).first().click();
        await expect.poll(() => seen(page, at)).toMatch(answer);
        await page.context().close();
      }
    },
    300_000,
  );
});
