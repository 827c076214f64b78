import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { skipBecause } from '../../../test/missing.ts';
import { createRandom, DAY, parseInstant } from '../../kernel/index.ts';
import { type BarSeries, barSeries } from '../bars/bar-columns.ts';
import {
  continuousSeries,
  type Expiry,
  ROLL_ADJUSTMENTS,
  type RollRule,
  readRollRule,
} from './continuous.ts';

const day = (number: number): number => parseInstant('2024-01-01')! + number * DAY;

/**
 * Futures contracts that overlap in time, with some bars missing. Trading volume moves from each contract to
 * the next.
 */
function contractsOf(seed: number, count: number): { contracts: BarSeries[]; expiries: Expiry[] } {
  const random = createRandom(seed);
  const expiries: Expiry[] = [];
  const contracts = Array.from({ length: count }, (_, index) => {
    const last = 30 * (index + 1) + Math.floor(random.next() * 5);
    const contract = `C${index}`;
    expiries.push({ contract, expiry: day(last), roll: day(last - 1 - Math.floor(random.next() * 9)) });
    const first = Math.max(0, last - 55);
    const days = Array.from({ length: last - first + 1 }, (__, offset) => first + offset);
    // Bars on expiry days are never removed. Every contract then shares a bar with the next one no later than
    // its expiry, as all roll rules require.
    const isExpiry = (number: number): boolean => expiries.some(({ expiry }) => expiry === day(number));
    const kept = days.filter((number) => isExpiry(number) || random.next() > 0.15);
    return barSeries(
      contract,
      kept.map((number) => {
        const open = 90 + 3 * index + Math.round(random.next() * 2000) / 100;
        const close = 90 + 3 * index + Math.round(random.next() * 2000) / 100;
        const [high, low] = [Math.max(open, close) + 0.25, Math.min(open, close) - 0.25];
        const volume = Math.round(1000 * random.next() * Math.min(number - first, last - number + 3));
        return { time: day(number), open, high, low, close, volume };
      }),
    );
  });
  return { contracts, expiries };
}

const RULES = ['volume', 'days:4', 'dates'];
const ruleOf = (text: string): RollRule => readRollRule(text)!;

const PYTHON = `
import json, sys
import pandas as pd
given = json.load(sys.stdin)
day = 86_400_000
frames = {name: pd.DataFrame(bars).set_index("time") for name, bars in given["contracts"].items()}
names = sorted(frames, key=lambda name: given["expiries"][name]["expiry"])
answers = {}
for rule in given["rules"]:
    rolls, pieces, begin = [], [], -1
    for old, new in zip(names, names[1:]):
        both = frames[old].join(frames[new], how="inner", lsuffix="_old", rsuffix="_new").loc[begin:]
        terms = given["expiries"][old]
        if rule == "volume":
            more = (both.volume_new > both.volume_old).cummax().shift(1, fill_value=False)
            due = more | (both.index >= terms["expiry"])
        elif rule == "dates":
            due = both.index >= terms["roll"]
        else:
            due = both.index >= terms["expiry"] - int(rule[5:]) * day
        at = both.index[due][0]
        rolls.append([int(at), old, new, both.open_old[at], both.open_new[at]])
        pieces.append(frames[old].loc[begin:at - 1])
        begin = at
    pieces.append(frames[names[-1]].loc[begin:])
    raw = pd.concat(pieces)
    steps = pd.DataFrame(rolls, columns=["at", "from", "to", "old", "new"]).set_index("at")
    gaps = (steps.new - steps.old).reindex(raw.index, fill_value=0.0)
    ratios = (steps.new / steps.old).reindex(raw.index, fill_value=1.0)
    later_gap = gaps[::-1].cumsum()[::-1] - gaps
    later_ratio = ratios[::-1].cumprod()[::-1] / ratios
    def listed(frame):
        return [frame.index.tolist()] + [frame[name].tolist() for name in ("open", "high", "low", "close", "volume")]
    back, ratio = raw.copy(), raw.copy()
    for name in ("open", "high", "low", "close"):
        back[name] = back[name] + later_gap
        ratio[name] = ratio[name] * later_ratio
    answers[rule] = {"rolls": rolls, "none": listed(raw), "back": listed(back), "ratio": listed(ratio)}
print(json.dumps(answers))
`;

const pandas = spawnSync('/usr/bin/python3', ['-c', 'import pandas']).status === 0;
if (!pandas) skipBecause('continuous series are not compared with pandas: /usr/bin/python3 has none.');

type Answer = Record<string, Record<(typeof ROLL_ADJUSTMENTS)[number], number[][]> & { rolls: unknown[][] }>;

describe.skipIf(!pandas)('pandas', () => {
  it.each([1, 2, 3, 4])('creates the same series from random contracts (seed %i)', (seed) => {
    const { contracts, expiries } = contractsOf(seed, 5);
    const plain = contracts.map(({ symbol, ...columns }) => [
      symbol,
      Object.fromEntries(
        Object.entries(columns).map(([name, column]) => [name, Array.from(column as Float64Array)]),
      ),
    ]);
    const input = {
      contracts: Object.fromEntries(plain),
      expiries: Object.fromEntries(expiries.map((terms) => [terms.contract, terms])),
      rules: RULES,
    };
    const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', PYTHON], {
      input: JSON.stringify(input),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const answer = JSON.parse(stdout) as Answer;
    for (const text of RULES) {
      for (const adjust of ROLL_ADJUSTMENTS) {
        const { series, rolls } = continuousSeries(contracts, {
          symbol: 'X',
          expiries,
          roll: ruleOf(text),
          adjust,
        });
        const own = [series.time, series.open, series.high, series.low, series.close, series.volume];
        expect(
          rolls.map((roll) => [
            roll.time,
            roll.oldContract,
            roll.newContract,
            +roll.oldPrice,
            +roll.newPrice,
          ]),
        ).toEqual(answer[text]!.rolls);
        own.forEach((column, index) => {
          const other = answer[text]![adjust][index]!;
          expect(other.length).toBe(column.length);
          for (const [bar, value] of column.entries()) expect(value).toBeCloseTo(other[bar]!, 8);
        });
      }
    }
  });
});

describe('a continuous futures series', () => {
  it('does not depend on later bars: earlier rolls remain the same', () => {
    const { contracts, expiries } = contractsOf(9, 4);
    for (const text of RULES) {
      const whole = continuousSeries(contracts, {
        symbol: 'X',
        expiries,
        roll: ruleOf(text),
        adjust: 'none',
      });
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 130 }), fc.integer({ min: 1, max: 99 }), (last, factor) => {
          // Changes all values that are not known at the open of day `last`: everything on later days, and on
          // that day everything except the open.
          const changed = contracts.map((series) => ({
            ...series,
            open: series.open.map((value, bar) => (series.time[bar]! > day(last) ? value + factor : value)),
            close: series.close.map((value, bar) =>
              series.time[bar]! >= day(last) ? value + factor : value,
            ),
            high: series.high.map((value) => value + 100),
            volume: series.volume.map((value, bar) => (series.time[bar]! >= day(last) ? factor % 7 : value)),
          }));
          const other = continuousSeries(changed, {
            symbol: 'X',
            expiries,
            roll: ruleOf(text),
            adjust: 'none',
          });
          const until = <Row extends { readonly time: number }>(rows: readonly Row[]): Row[] =>
            rows.filter(({ time }) => time <= day(last));
          expect(until(other.rolls)).toEqual(until(whole.rolls));
          const opens = ({ time, open }: BarSeries): number[] =>
            [...open].filter((_, bar) => time[bar]! <= day(last));
          expect(opens(other.series)).toEqual(opens(whole.series));
        }),
        { numRuns: 60 },
      );
    }
  });

  const bar = (number: number, price: number, volume: number) => {
    return { time: day(number), open: price, high: price + 1, low: price - 1, close: price, volume };
  };
  const H = barSeries('H', [bar(0, 100, 50), bar(1, 101, 50), bar(2, 102, 40), bar(3, 103, 10)]);
  const M = barSeries('M', [bar(1, 106, 20), bar(2, 107.5, 60), bar(3, 108.5, 90), bar(4, 110, 90)]);
  const expiries = [
    { contract: 'H', expiry: day(3), roll: day(2) },
    { contract: 'M', expiry: day(90) },
  ];
  const joined = (roll: string, adjust: (typeof ROLL_ADJUSTMENTS)[number]) =>
    continuousSeries([M, H], { symbol: 'X', expiries, roll: ruleOf(roll), adjust });

  it('matches a manual calculation: the volume of day 2 rolls with day 3, at the opens of 103 and 108.5', () => {
    const { series, rolls } = joined('volume', 'none');
    expect([...series.close]).toEqual([100, 101, 102, 108.5, 110]);
    expect(rolls).toEqual([
      {
        symbol: 'X',
        time: day(3),
        kind: 'roll',
        oldContract: 'H',
        newContract: 'M',
        oldPrice: '103',
        newPrice: '108.5',
      },
    ]);
    expect([...joined('volume', 'back').series.close]).toEqual([105.5, 106.5, 107.5, 108.5, 110]);
    const ratio = 108.5 / 103;
    const scaled = [100, 101, 102].map((price) => Number((price * ratio).toPrecision(12)));
    expect([...joined('volume', 'ratio').series.close]).toEqual([...scaled, 108.5, 110]);
    expect(joined('dates', 'none').rolls[0]!.time).toBe(day(2));
    expect(joined('days:2', 'none').rolls[0]!.time).toBe(day(1));
  });

  it('reports a single fault', () => {
    expect(() =>
      continuousSeries([H, M], {
        symbol: 'X',
        expiries: [expiries[0]!, { contract: 'M', expiry: expiries[0]!.expiry }],
        roll: { kind: 'volume' },
        adjust: 'none',
      }),
    ).toThrow(/M: /);
    const late = barSeries('H', [bar(0, 100, 50), bar(5, 100, 50)]);
    expect(() =>
      continuousSeries([late, M], { symbol: 'X', expiries, roll: { kind: 'volume' }, adjust: 'none' }),
    ).toThrow('H: has a bar of 2024-01-06, after it expired on 2024-01-04');
  });

  it('reports all faults together', () => {
    const late = barSeries('H', [bar(0, 100, 50), bar(5, 100, 50)]);
    const call = () =>
      continuousSeries([late, M, { ...M, symbol: 'Z' }], {
        symbol: 'X',
        expiries: [expiries[0]!, { contract: 'M', expiry: day(3) }],
        roll: { kind: 'volume' },
        adjust: 'none',
      });
    expect(call).toThrow(/H: has a bar of 2024-01-06, after it expired on 2024-01-04/);
    expect(call).toThrow(/M: expires on the same day as H/);
    expect(call).toThrow(/Z: has no expiry/);
    const apart = barSeries('M', [bar(9, 106, 20)]);
    expect(() =>
      continuousSeries([H, apart], { symbol: 'X', expiries, roll: { kind: 'volume' }, adjust: 'none' }),
    ).toThrow('H: is to be rolled into M, but no bar is shared by both contracts for the roll');
    const dear = barSeries('H', [bar(0, 5, 50), bar(3, 103, 10)]);
    const cheap = barSeries('M', [bar(3, 60, 20)]);
    expect(() =>
      continuousSeries([dear, cheap], { symbol: 'X', expiries, roll: { kind: 'volume' }, adjust: 'back' }),
    ).toThrow('X 2024-01-01: would be at -39 after all later gaps (adjust by ratio, or not at all)');
  });
});
