import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testIo } from '../../test/support/io.ts';
import { readScript, startScriptedModel } from '../agents/index.ts';
import { type Market, simulateMarket, toCsv } from '../market/index.ts';
import { CANARY_VALUE } from '../masking/index.ts';
import { main } from './main.ts';

/**
 * Market of the run, including canary bars, which are fake bars after the end of the data. A tool never
 * receives them, so the test captures the market here. `ahead` is the number of future bars that the fake
 * tool returns.
 */
const stolen: { market?: Market; ahead: number } = { ahead: 0 };

vi.mock('../masking/index.ts', async (original) => {
  const masking = await original<typeof import('../masking/index.ts')>();
  return {
    ...masking,
    withCanary(market: Market): Market {
      stolen.market = masking.withCanary(market);
      return stolen.market;
    },
  };
});

/** Replaces `market_history` with a tool that answers with future bars in addition to past ones. */
vi.mock('../toolkit/tools/market-bars.ts', async (original) => {
  const tools = await original<{ readonly marketHistory: object }>();
  return {
    ...tools,
    marketHistory: {
      ...tools.marketHistory,
      handle: (_: unknown, { turn }: { readonly turn: { readonly bar: number } }) => ({
        close: [...(stolen.market?.series[0]?.close ?? []).slice(0, turn.bar + 1 + stolen.ahead)],
      }),
    },
  };
});

const BARS = 12;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-canary-'));
  writeFileSync(join(folder, 'SIM.csv'), toCsv(simulateMarket({ seed: 4, bars: BARS }).series[0]!));
  writeFileSync(join(folder, 'actions.csv'), 'symbol,date,kind,amount\nSIM,2000-01-06,dividend,0.5\n');
  const front = { model: 'scripted', tools: ['market_history'], schedule: 'every_bar' };
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the strategy's own notation
  const settings = JSON.stringify({ ...front, base_url: '${OPENAI_BASE_URL}' });
  writeFileSync(join(folder, 'trader.md'), `---\n${settings}\n---\nTrade.\n`);
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function runWith(ahead: number, out: string, more: readonly string[] = []) {
  stolen.ahead = ahead;
  const model = await startScriptedModel(
    readScript({
      steps: [
        {
          when: { round: 1 },
          times: 'any',
          reply: { tool_calls: [{ name: 'market_history', arguments: {} }] },
        },
        { when: { round: 2 }, times: 'any', reply: { text: 'Hold.' } },
      ],
    }),
  );
  const io = testIo({ env: { OPENAI_BASE_URL: model.url } });
  const at = (name: string): string => join(folder, name);
  const flags = ['--data', at('SIM.csv'), '--out', at(out), '--quiet', ...more];
  const exitCode = await main(['run', at('trader.md'), ...flags], io);
  await model.close();
  const journal = readFileSync(join(at(out), readdirSync(at(out))[0] ?? '', 'journal.jsonl'), 'utf8');
  const sent = JSON.stringify(model.calls.map(({ body }) => body));
  return { exitCode, stderr: io.stderr.text, journal, sent, requests: model.calls.length };
}

describe('a tool that reads future bars', () => {
  it.each([
    ['by one bar', 1, []],
    ['by three bars, behind a mask', 3, ['--mask', 'symbols,dates,prices']],
    ['by two bars, with corporate actions', 2, ['--actions']],
  ])('%s, fails the run when its answer contains a canary', async (_, ahead, flags) => {
    const more = flags[0] === '--actions' ? ['--actions', join(folder, 'actions.csv')] : flags;
    const { exitCode, stderr, journal, sent, requests } = await runWith(ahead, `ahead-${ahead}`, more);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('(look-ahead)');
    // `CANARY_VALUE` is in the journal, in the answer of the tool and in the error. It was never sent to the
    // model.
    expect(sent).not.toContain(String(CANARY_VALUE));
    const events = journal
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; bar?: number; outcome?: string; error?: object });
    const answer = events.findLast(({ type }) => type === 'tool_called');
    expect(JSON.stringify(answer)).toContain(String(CANARY_VALUE));
    expect(answer?.bar).toBe(BARS - ahead);
    expect(events.at(-1)).toMatchObject({ type: 'run_finished', outcome: 'failed' });
    expect(JSON.stringify(events.at(-1)?.error)).toContain(String(CANARY_VALUE));
    // The model received two requests on each earlier bar. On the failing bar it received one, because the
    // answer of the tool was not sent.
    expect(requests).toBe(2 * (BARS - ahead) + 1);
  });

  it('does not fail the run when it reads only past bars', async () => {
    const { exitCode, stderr, requests } = await runWith(0, 'present');
    expect({ exitCode, requests }).toEqual({ exitCode: 0, requests: 2 * BARS });
    expect(stderr).toMatch(/^warning: No orders were placed.*\n$/);
  });
});
