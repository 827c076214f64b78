import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { type Decider, type RunEvent, runBacktest } from '../engine/index.ts';
import { simulateMarket } from '../market/index.ts';
import { BAR_LINE, BarLines } from './bar-lines.ts';
import { eventLine, parseEvent } from './event.ts';
import { readJournal } from './read.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-bar-lines-'));
afterAll(() => rmSync(folder, { recursive: true }));

/**
 * Strategy that buys with a stop loss and a take profit. On some bars, both prices can be reached. The
 * journal marks these bars as ambiguous.
 */
const trader: Decider = {
  decide({ bar, orders, account }) {
    if (bar % 4 !== 1) return;
    if (account.units() === 0)
      orders.submit({
        action: 'buy',
        quantity: 3,
        stopLoss: { distance: '0.02' },
        takeProfit: { distance: '0.02' },
      });
    else orders.close();
  },
};

async function linesOf(symbols: readonly string[], interval: '1d' | '1h'): Promise<string[]> {
  const lines: string[] = [];
  const onEvent = (event: RunEvent): void => {
    lines.push(eventLine(event));
  };
  const market = simulateMarket({ seed: 7, bars: 120, symbols: [...symbols], interval, start: '2020-02-26' });
  const settings = { cash: '10000.5', commissionRate: 0.0003 };
  await runBacktest({ market, decider: trader, settings, onEvent });
  return lines;
}

/**
 * Reads a journal without and with `lightBars`. Returns two texts: each is the record as JSON, or the message
 * of the error.
 */
function bothWays(text: string, salvage = false): readonly [string, string] {
  const file = join(folder, 'journal.jsonl');
  writeFileSync(file, text);
  const read = (lightBars: boolean): string => {
    try {
      return JSON.stringify(readJournal(file, { salvage, lightBars }));
    } catch (error) {
      return (error as Error).message;
    }
  };
  return [read(false), read(true)];
}

describe('bars that are read as lines', async () => {
  const one = await linesOf(['AAA'], '1h');
  const two = await linesOf(['AAA', 'BBB'], '1d');

  it('produce the same record as parsed events', () => {
    for (const lines of [one, two]) {
      const [whole, light] = bothWays(`${lines.join('\n')}\n`);
      expect(light).toBe(whole);
    }
    expect(one.some((line) => line.includes('"ambiguity"'))).toBe(true);
  });

  it('are read as lines, except those with an ambiguous price path', () => {
    const bars = one.filter((line) => line.startsWith(BAR_LINE));
    const reader = new BarLines(['AAA']);
    for (const line of bars)
      if (!reader.take(line, 0, line.length)) {
        expect(line).toContain('"ambiguity"');
        expect(reader.add(parseEvent(line) as never)).toBe(true);
      }
    expect(reader.finish().map((bar) => JSON.stringify(bar))).toEqual(bars);
  });

  it('produce the same record or the same error after any change of a character', () => {
    const texts = [one, two].map((lines) => `${lines.slice(0, 60).join('\n')}\n`);
    const changed = fc.tuple(
      fc.constantFrom(...texts),
      fc.nat(),
      fc.constantFrom(...'0123456789.,-+eE"[]{}: TnullNa\n'),
      fc.constantFrom('replace', 'insert', 'delete'),
      fc.boolean(),
    );
    fc.assert(
      fc.property(changed, ([text, place, character, how, salvage]) => {
        const at = text.indexOf(BAR_LINE) + (place % (text.length - text.indexOf(BAR_LINE)));
        const kept = how === 'insert' ? at : at + 1;
        const edited = text.slice(0, at) + (how === 'delete' ? '' : character) + text.slice(kept);
        const [whole, light] = bothWays(edited, salvage);
        expect(light).toBe(whole);
      }),
      { numRuns: 200 },
    );
  });
});
