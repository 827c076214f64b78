import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readScript, startScriptedModel } from '../../src/agents/index.ts';
import { main } from '../../src/cli/main.ts';
import type { MaskTerms } from '../../src/engine/index.ts';
import { parseInstant } from '../../src/kernel/index.ts';
import { type BarSeries, barSeries, toCsv } from '../../src/market/index.ts';
import { testIo } from '../support/io.ts';
import { recordingProxy } from '../support/masked-run.ts';
import { changes, commonDivisor } from './attacks.ts';
import { candidates } from './candidates.ts';

const BARS = 120;
let folder: string;
let all: readonly BarSeries[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-attack-'));
  all = await candidates();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const call = (name: string, given: object) => ({ name, arguments: given as never });

/**
 * Runs a scripted model that requests all available data and trades. Returns all bytes sent to the model, and
 * the mask.
 */
async function played(
  kinds: string,
): Promise<{ readonly requests: readonly string[]; readonly mask: MaskTerms }> {
  const model = await startScriptedModel(
    readScript({
      steps: [
        {
          when: { round: 1 },
          times: 'any',
          reply: {
            tool_calls: [
              call('market_history', { bars: 200 }),
              call('trade_execute', { action: 'buy', equity_percent: 9 }),
              call('account_status', {}),
              call('order_query', {}),
            ],
          },
        },
        { when: { round: 2 }, times: 'any', reply: { text: 'Done.' } },
      ],
    }),
  );
  const proxy = await recordingProxy(model.url);
  const out = join(folder, kinds);
  const io = testIo({ env: { ...process.env, OPENAI_BASE_URL: proxy.url } });
  const flags = ['--data', join(folder, 'ATTACKED.csv'), '--mask', kinds, '--out', out, '--quiet'];
  const code = await main(['run', join(folder, 'trader.md'), ...flags], io);
  proxy.close();
  await model.close();
  if (code !== 0) throw new Error(`exit code ${code}: ${io.stderr.text}`);
  const journal = readFileSync(join(out, readdirSync(out)[0]!, 'journal.jsonl'), 'utf8');
  const { mask } = JSON.parse(journal.slice(0, journal.indexOf('\n'))) as { mask: MaskTerms };
  return { requests: proxy.requests, mask };
}

/** Returns all bars in the requests, by date. */
function barsIn(requests: readonly string[]): BarSeries {
  const text = requests.join('\n').replaceAll('\\', '');
  const found = new Map<number, readonly number[]>();
  for (const [, date = '', rest = ''] of text.matchAll(/\["(\d{4}-\d{2}-\d{2})",([\d.,]+)\]/g))
    found.set(parseInstant(date)!, rest.split(',').map(Number));
  const bars = [...found]
    .sort(([a], [b]) => a - b)
    .map(([time, [open, high, low, close, volume]]) => {
      return { time, open: open!, high: high!, low: low!, close: close!, volume: volume! };
    });
  return barSeries('ATTACKED', bars);
}

describe('an attacker with all requests to the model', () => {
  const from = 60;
  let real: BarSeries;
  beforeAll(() => {
    real = all[7]!;
    const rows = toCsv(real).trim().split('\n');
    writeFileSync(
      join(folder, 'ATTACKED.csv'),
      `${[rows[0], ...rows.slice(from + 1, from + 1 + BARS)].join('\n')}\n`,
    );
    const settings = {
      model: 'scripted',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
      base_url: '${OPENAI_BASE_URL}',
      tools: ['market_history', 'trade_execute', 'account_status', 'order_query'],
      schedule: { every_bars: 30 },
    };
    writeFileSync(
      join(folder, 'trader.md'),
      `---\n${JSON.stringify(settings)}\n---\nTrade {{symbols}} at {{close}}.\n`,
    );
  });

  it('finds no factor in prices or volumes, but finds the symbol and the dates from the shape of the returns', async () => {
    const { requests, mask } = await played('symbols,dates,prices');
    const shown = barsIn(requests);
    expect(shown.close.length).toBeGreaterThan(50);
    const { price, volume } = Object.values(mask.scales!)[0]!;
    const { open, high, low, close } = shown;
    const prices = commonDivisor([...open, ...high, ...low, ...close], Number(price));
    expect(Math.abs(prices / Number(price) - 1)).toBeGreaterThan(1e-9);
    const volumes = commonDivisor([...shown.volume], Number(volume), 1);
    expect(Math.abs(volumes / Number(volume) - 1)).toBeGreaterThan(1e-9);
    const found = changes('close', shown, all);
    expect([found?.symbol, found?.from]).toEqual([real.symbol, from]);
    // The account contains real amounts, but real prices cannot be derived from the traded quantities.
    const text = requests.join('').replaceAll('\\', '');
    expect(text).toContain('"cash":100000');
    const quantities = [...text.matchAll(/"quantity":([\d.]+)/g)].map(([, size]) => Number(size));
    expect(quantities.length).toBeGreaterThan(2);
  });

  it('finds neither symbol nor dates if the shape is changed', async () => {
    const { requests } = await played('symbols,dates,prices,shape');
    const found = changes('close', barsIn(requests), all);
    expect(found?.symbol === real.symbol && found.from === from).toBe(false);
    expect(found!.correlation).toBeLessThan(0.6);
  });
});
