import { describe, expect, it } from 'vitest';
import { PATIENT_MS } from '../../test/support/patience.ts';
import { findTestRuntime } from '../../test/support/ta-python.ts';
import { readRunSettings, World } from '../engine/index.ts';
import { type BarSeries, type CorporateAction, createMarket, simulateMarket } from '../market/index.ts';
import { Sandbox } from './sandbox.ts';

/**
 * Returns daily unadjusted bars of symbol A, and its corporate actions: splits, dividends and a futures roll.
 */
function given(seed: number, count = 60): { series: BarSeries; actions: CorporateAction[] } {
  const [series] = simulateMarket({ seed, bars: count, symbols: ['A'], start: '2020-01-01' }).series;
  const at = (bar: number): number => series!.time[bar]!;
  const actions: CorporateAction[] = [
    { symbol: 'A', time: at(10), kind: 'dividend', amount: '0.5' },
    { symbol: 'A', time: at(20 + (seed % 5)), kind: 'split', to: '4', from: '1' },
    { symbol: 'A', time: at(20 + (seed % 5)), kind: 'dividend', amount: '0.25' },
    {
      symbol: 'A',
      time: at(33),
      kind: 'roll',
      oldContract: 'H',
      newContract: 'M',
      oldPrice: (series!.open[33]! - 2.25).toFixed(4),
      newPrice: String(series!.open[33]!),
    },
    // This split is dated between two bars and takes effect on the second of them.
    { symbol: 'A', time: at(40) + 43_200_000, kind: 'split', to: '1', from: '5' },
  ];
  return { series: series!, actions };
}

const runtime = await findTestRuntime();

describe.skipIf(runtime === undefined)('point-in-time adjusted history in Python', () => {
  it.each([null, 15])(
    'df equals the window at every bar, and so do indicators (look-back %s)',
    async (lookback) => {
      const sandbox = new Sandbox({ runtime: runtime!, timeoutMs: PATIENT_MS, spares: 0 });
      try {
        const { series, actions } = given(4);
        const world = new World(
          createMarket([series]),
          readRunSettings({ adjust: 'point-in-time', lookback }),
          undefined,
          { actions },
        );
        const limits = {
          timeoutMs: PATIENT_MS,
          resultBytes: 65_536,
          stdoutCharacters: 100,
          codeCharacters: 1_000,
        };
        const account = { cash: 1, equity: 1, positions: {} };
        for (let bar = 0; bar < series.time.length; bar++) {
          world.reveal();
          world.open();
          if (bar % 3 !== 0 && bar !== 24) continue;
          const { window } = world.turn;
          const code =
            'fresh = pd.DataFrame({"close": df.close.tolist()}).close\n' +
            'result = [df.close.tolist(), df.volume.tolist(), latest(ta.ema(df.close, 5)) == latest(ta.ema(fresh, 5))]';
          const request = { code, symbol: 'A', account, limits };
          const reply = await sandbox.call({
            operation: 'compute',
            bar,
            time: world.time,
            windows: [window],
            request,
          });
          const [close, volume] = [window.close.tail(99), window.volume.tail(99)].map((column) =>
            Array.from(column),
          );
          expect(reply).toMatchObject({ ok: true, result: [close, volume, bar > 3] });
        }
      } finally {
        await sandbox.close();
      }
    },
  );
});
