import { expect, it } from 'vitest';
import { createRandom } from '../../kernel/index.ts';
import { type GrowingFeature, growingFeature, KnownRows, pushKnown, pushRow, sourcesOf } from './feature.ts';
import { FeatureSender, MirroredFeatures } from './mirrored.ts';

const SCHEMA = [
  { name: 'score', type: 'number' },
  { name: 'text', type: 'text' },
  { name: 'flag', type: 'boolean' },
] as const;
const SYMBOLS = ['A', 'B'];
const LOOKBACK = 20;

/** Returns everything that a strategy can read from features. */
function readable(features: readonly GrowingFeature[]): unknown {
  return features.map((feature) => ({
    ...{ name: feature.name, type: feature.type, length: feature.length },
    ...{ date: feature.date, availableAt: feature.availableAt },
    values: Array.from(feature.tail(LOOKBACK)),
    rows: feature.rows(),
    vintages: feature.rows({ vintages: true }),
  }));
}

it('features in another process equal those of the run at every bar', () => {
  // `score` for A and for B, `text` for all symbols, and `flag` with a second `score` for A.
  const groups = [
    new KnownRows(['score'], 'A'),
    new KnownRows(['score'], 'B'),
    new KnownRows(['text'], undefined),
    new KnownRows(['flag', 'score'], 'A'),
  ];
  const windows = SYMBOLS.map((symbol) =>
    SCHEMA.map(({ name, type }) => growingFeature(name, type, sourcesOf(groups, name, symbol), LOOKBACK)),
  );
  const sender = new FeatureSender();
  const shape = sender.shapeOf(windows)!;
  expect(shape.schema).toEqual(SCHEMA);
  expect(shape.groups).toHaveLength(groups.length);
  expect(shape.groups).toContainEqual({ names: ['text'], symbol: null });
  const mirror = new MirroredFeatures(JSON.parse(JSON.stringify(shape)), SYMBOLS, LOOKBACK);
  const random = createRandom(1, 'mirror');
  let pending = [0, 0];
  for (let bar = 0; bar < 59; bar++) {
    for (const [group, rows] of groups.entries()) {
      if (random.next() < 0.5) continue;
      const values = [[random.next()], [bar], [bar % 3 === 0 ? null : `t${bar}`], [bar % 2 === 0, 0.5 - bar]][
        group
      ]!;
      // Some rows have the date of an earlier bar.
      pushRow(rows, random.next() < 0.3 ? bar - 2 : bar, bar + 0.5, values);
    }
    for (const features of windows) for (const feature of features) pushKnown(feature);
    pending = [pending[0]! + 1, pending[1]! + 1];
    if (bar % 4 === 3) continue;
    mirror.move(JSON.parse(JSON.stringify(sender.news(windows, pending))));
    pending = [0, 0];
    for (const symbol of [0, 1])
      expect(readable([...mirror.of(symbol).values()]), `bar ${bar}`).toEqual(readable(windows[symbol]!));
  }
  expect([...mirror.of(2)]).toEqual([]);
  expect(sender.news(windows, [0, 0]).rows).toEqual([]);
});

it('values that were dropped by a look-back are missing', () => {
  const rows = new KnownRows(['score'], 'A');
  const feature = growingFeature('score', 'number', sourcesOf([rows], 'score', 'A'), 2);
  const sender = new FeatureSender();
  expect(sender.shapeOf([])).toBeUndefined();
  expect(sender.shapeOf([[]])).toBeUndefined();
  sender.shapeOf([[feature]]);
  for (const value of [1, 2, 3]) {
    pushRow(rows, value, value, [value]);
    pushKnown(feature);
  }
  expect(sender.news([[feature]], [3]).shown).toEqual([[{ date: 3, availableAt: 3, values: [null, 2, 3] }]]);
  expect(sender.news([[feature]], []).shown[0]![0]!.values).toEqual([]);
});
