import { describe, expect, it } from 'vitest';
import { openTrade, type RecordSketch, runRecord } from '../../../test/support/records.ts';
import type { RunRecord } from '../../journal/index.ts';
import { computeMetrics, type Metrics } from '../../results/analysis/index.ts';
import type { Manifest } from '../../results/runs/index.ts';
import { caveatsOf } from './caveats.ts';

const figure = (value: unknown) => ({ value, convention: '' });
const FILL = { quantity: '1', price: '100' };

interface Sketch {
  readonly record?: Partial<RecordSketch>;
  readonly own?: Partial<RunRecord>;
  readonly started?: object;
  readonly metrics?: object;
  readonly manifest?: object | null;
}

/** Returns a run without caveats, with the changes of a sketch. */
function facts({ record: made, own, started, metrics, manifest }: Sketch) {
  const plain = runRecord({ equity: [100, 101, 102], fills: [FILL], ...made });
  const record = { ...plain, ...own, started: { ...plain.started, ...started } } as RunRecord;
  const found = Object.assign(Object.create(null), computeMetrics(plain), {
    ...{
      commission: figure('5'),
      slippage: figure('5'),
      tradeCount: figure(30),
      underAYear: false,
      psr: figure(null),
    },
    ...metrics,
  }) as Metrics;
  const whole = { openDoors: [], data: { adjustments: [], sources: [] }, inputs: null, ...manifest };
  return { record, metrics: found, manifest: manifest === null ? undefined : (whole as unknown as Manifest) };
}
const caveats = (sketch: Sketch) => {
  const { record, metrics, manifest } = facts(sketch);
  return caveatsOf(record, metrics, manifest).map(
    ({ text, isSevere, isSmall }) => `${isSevere ? '!' : isSmall ? '?' : ''}${text}`,
  );
};

describe('the caveats of a run', () => {
  it('are absent for a run without limitations', () => {
    expect(caveats({})).toEqual([]);
  });

  const commonPeriod = { firstBar: 'x', lastBar: 'y', bars: 1200, ownReturn: 0.1 };
  it.each<[Sketch, string]>([
    [{ own: { damage: ['The end is missing.'] } }, '!The end is missing.'],
    [
      { metrics: { commonPeriod, totalReturn: figure(0.2) } },
      '!The benchmark covers only x to y: every figure against it is of those 1,200 bars. The run returned +10.00% on them, and +20.00% in all.',
    ],
    [
      { manifest: { openDoors: ['network'] } },
      '!This run is not sealed: network. Its results may depend on what it does not name.',
    ],
    [
      { manifest: { openDoors: ['strategy code runs with your rights'] } },
      'This run is not sealed: strategy code runs with your rights. Its results may depend on what it does not name.',
    ],
    [{ started: { stamps: ['same-bar fills', 'b'] } }, '!Stamped: same-bar fills, b.'],
    [
      { manifest: { data: { adjustments: [], sources: [], holdout: { from: '2024', earlierLooks: 0 } } } },
      'The bars from 2024 on were held out by a sweep. This run is the first look at them with this strategy, and the only one that is out of sample.',
    ],
    [
      {
        manifest: {
          data: { adjustments: [], sources: [], holdout: { from: '2024', earlierLooks: 0, project: 'p' } },
        },
      },
      'The bars from 2024 on were held out by a sweep. This run is the first look at them in the project "p", and the only one that is out of sample.',
    ],
    [
      { metrics: { commission: figure('0'), slippage: figure('0') } },
      'Trading cost nothing in this run: neither commission nor slippage was set. Real trading costs both.',
    ],
    [{ metrics: { commission: figure('0') } }, 'No commission was set.'],
    [
      { metrics: { slippage: figure(null) } },
      'No slippage was set: every market order filled at the open itself.',
    ],
    [{ metrics: { tradeCount: figure(0) } }, 'No trade was closed.'],
    [{ metrics: { tradeCount: figure(1) } }, 'One trade was closed: too few to tell skill from luck.'],
    [{ metrics: { tradeCount: figure(29) } }, 'Only 29 trades were closed: too few to tell skill from luck.'],
    [
      { metrics: { psr: figure(0.9499), sharpe: figure(0.5), totalReturn: figure(0.1) } },
      'Chance may explain the gain: the probability that the Sharpe ratio of 0.50 is truly above 0 is 95%.',
    ],
    [
      { metrics: { underAYear: true } },
      'The run covers less than a year: figures a year are stretched from less.',
    ],
    [{ manifest: { data: { adjustments: ['1 gap'], sources: [] } } }, 'Loading changed the data: 1 gap'],
    [
      { own: { models: [{ model: 'm' }] as never } },
      'A model decided (m): bars from before the end of training may be known to it, and how they went on.',
    ],
    [
      { own: { models: [{ model: 'm' }, { model: 'n' }, { model: 'm' }] as never }, started: { mask: {} } },
      'Models decided (m, n): bars from before the end of training may be known to them, and how they went on, though the run was masked.',
    ],
    [
      {
        own: { models: [{ model: 'm' }] as never },
        manifest: { inputs: { flags: { modelCutoff: '2023' } } },
      },
      'A model decided (m), trained on data up to 2023: of bars before that day it may know how they went on.',
    ],
    [
      {
        own: { models: [{ model: 'm' }, { model: 'n' }] as never },
        manifest: { inputs: { flags: { modelCutoff: '2023' } } },
      },
      'Models decided (m, n), trained on data up to 2023: of bars before that day they may know how they went on.',
    ],
    [
      { record: { openTrades: [openTrade()] } },
      '?One trade was open at the end, valued at the last close; closing would cost a little more.',
    ],
    [
      { record: { openTrades: [openTrade(), openTrade({ id: 10 })] } },
      '?2 trades were open at the end, valued at the last close; closing would cost a little more.',
    ],
  ])('state one limitation (%#)', (sketch, text) => {
    expect(caveats(sketch)).toEqual([text]);
  });

  it('are absent at their exact limits, and for costs without fills', () => {
    const psr = { sharpe: figure(0.5), totalReturn: figure(0.1) };
    for (const metrics of [
      { ...psr, psr: figure(0.95) },
      { ...psr, psr: figure(0.5), totalReturn: figure(0) },
    ])
      expect(caveats({ metrics })).toEqual([]);
    const looks = { data: { adjustments: [], sources: [], holdout: { from: '2024', earlierLooks: 1 } } };
    expect(caveats({ manifest: looks })).toEqual([]);
    expect(
      caveats({ record: { fills: [] }, metrics: { commission: figure('0'), slippage: figure('0') } }),
    ).toEqual([]);
  });

  it('are ordered by severity, and include a missing manifest', () => {
    const found = caveats({
      manifest: null,
      record: { openTrades: [openTrade()] },
      own: { damage: ['Cut.'] },
    });
    expect(found.map((text) => text.slice(0, 20))).toEqual([
      ...['!Cut.', 'There is no manifest', 'This run is not seal', '?One trade was open '],
    ]);
  });

  it('state the number of ambiguous bars', () => {
    const { record, metrics, manifest } = facts({});
    const [bar, ...others] = record.bars;
    const ambiguous = {
      ...record,
      bars: [{ ...bar!, ambiguity: { worse: '99', better: '101' } }, ...others],
      fills: [{ ...record.fills[0]!, ambiguous: true }],
    } as RunRecord;
    const textFor = (resolve: string) =>
      caveatsOf(
        { ...ambiguous, started: { ...ambiguous.started, settings: { cash: '100', seed: 7, resolve } } },
        metrics,
        manifest,
      )[0]!.text;
    expect(textFor('worst')).toMatch(
      /^1 of 3 bars allow several outcomes, and 1 of 1 fills are not in all of them\. The worse was/,
    );
    expect(textFor('best')).toContain('The better was booked in each');
  });
});
