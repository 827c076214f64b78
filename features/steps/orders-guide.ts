import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Then } from '@cucumber/cucumber';
import { orderScriptDecider, parseOrderScript } from '../../src/agents/index.ts';
import { loadMarket } from '../../src/market/index.ts';
import { Backtest } from '../support/backtest.ts';
import { projectPath } from '../support/command-line.ts';
import type { TradingWorld } from '../support/world.ts';

/** Worked example in a page: its heading, code blocks by language, and rows of its table. */
interface Example {
  readonly title: string;
  readonly blocks: Readonly<Record<string, string>>;
  readonly rows: readonly string[];
}

function examplesOf(page: string): Example[] {
  const [, section = ''] = readFileSync(projectPath(page), 'utf8').split('## Worked examples');
  const parts = (section.split(/^## /m)[0] ?? '').split(/^### /m).slice(1);
  return parts.map((part) => ({
    title: part.split('\n')[0] ?? '',
    blocks: Object.fromEntries(
      [...part.matchAll(/```(\w+)[^\n]*\n([\s\S]*?)```/g)].map(([, language = '', text = '']) => [
        language,
        text,
      ]),
    ),
    rows: [...part.matchAll(/^\|(.*)\|$/gm)].slice(2).map(([, cells = '']) =>
      cells
        .split('|')
        .map((cell) => cell.trim())
        .join(' ')
        .trim(),
    ),
  }));
}

Then(
  'the {int} worked examples of {word} fill as it says',
  async function (this: TradingWorld, count: number, page: string) {
    const examples = examplesOf(page);
    assert.equal(examples.length, count);
    for (const { title, blocks, rows } of examples) {
      const { market } = await loadMarket({ paths: [this.folder.write('example.csv', blocks.csv ?? '')] });
      const script = parseOrderScript(blocks.json ?? '', title);
      const settings = { cash: script.cash ?? 100_000, commissionRate: script.commissionRate ?? 0 };
      const backtest = await Backtest.run(market, orderScriptDecider(script), settings, this.problems);
      const fills = backtest
        .of('order_filled')
        .map(({ bar, side, quantity, price, reason = '' }) =>
          `${bar} ${side} ${quantity} ${price} ${reason}`.trim(),
        );
      assert.deepEqual(fills, rows, title);
    }
  },
);
