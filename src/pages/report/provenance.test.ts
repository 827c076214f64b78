import { describe, expect, it } from 'vitest';
import { cellsIn, textIn } from '../../../test/support/page-sketch.ts';
import { type RecordSketch, runRecord } from '../../../test/support/records.ts';
import type { RunRecord } from '../../journal/index.ts';
import type { Manifest } from '../../results/runs/index.ts';
import { provenance } from './caveats.ts';
import { openingReasons } from './key-facts.ts';

const FILL = { quantity: '1', price: '100' };

interface Sketch {
  readonly record?: Partial<RecordSketch>;
  readonly own?: Partial<RunRecord>;
  readonly started?: object;
  readonly manifest?: object | null;
}

/** Returns a run and its manifest, in which `sketch` replaces facts. */
function facts({ record: made, own, started, manifest }: Sketch) {
  const plain = runRecord({ equity: [100, 101, 102], fills: [FILL], ...made });
  const record = { ...plain, ...own, started: { ...plain.started, ...started } } as RunRecord;
  const whole = { openDoors: [], data: { adjustments: [], sources: [] }, inputs: null, ...manifest };
  return { record, manifest: manifest === null ? undefined : (whole as unknown as Manifest) };
}

describe('the inputs of a run in its report', () => {
  const source = { file: 'a.csv', symbols: ['A', 'B'], bars: 9, firstBar: 'x', lastBar: 'y', sha256: 'h' };
  const manifest = {
    ...{
      openDoors: [],
      strategy: { file: 's.ts', sha256: 'code' },
      versions: { node: '20' },
      journal: { sha256: 'j' },
    },
    data: {
      ...{
        sources: [source, { ...source, file: null, sha256: null }],
        detail: [source],
        adjustments: ['1 gap'],
      },
      actions: { file: 'c.csv', actions: 3, sha256: 'k' },
      futures: [
        { file: 'r.csv', kind: 'rolls', rows: 2, sha256: 'l' },
        { file: 'f.csv', kind: 'funding', rows: 4, sha256: 'm' },
      ],
    },
  };
  const shown = (sketch: Sketch) => {
    const { record, manifest: given } = facts(sketch);
    return provenance(record, given, [{ text: 'Careful.', isSevere: false, isSmall: false }]).text;
  };
  const reasonsFor = (sketch: Sketch) =>
    [...shown(sketch).matchAll(/<li class="for">(.*?)<\/li>/g)].map(([, text]) => textIn(text!));

  it('are listed with their hashes', () => {
    const text = shown({
      manifest,
      started: { strategy: { name: 's', kind: 'rules', parameters: { fast: 5 } } },
    });
    expect(cellsIn(text)).toEqual([
      ['What', 'Value'],
      ...[
        ['Outcome', 'completed'],
        ['Sealed', 'yes: nothing outside could change a result'],
        ['Strategy', 's (rules)'],
      ],
      ...[
        ['Strategy file', 's.ts, SHA-256 code'],
        ['Parameter fast', '5'],
        ['Setting cash', '100'],
        ['Setting seed', '7'],
      ],
      ['Data', 'a.csv: A, B, 9 bars, x to y, SHA-256 h'],
      ['Data', 'simulated: A, B, 9 bars, x to y'],
      ['Finer bars', 'a.csv: A, B, 9 bars, x to y, SHA-256 h'],
      ...[
        ['Corporate actions', 'c.csv: 3, SHA-256 k'],
        ['Rolls', 'r.csv: 2, SHA-256 l'],
        ['Funding', 'f.csv: 4, SHA-256 m'],
      ],
      ...[
        ['Changed in the data', '1 gap'],
        ['node', '20'],
        ['Journal', 'SHA-256 j'],
      ],
    ]);
    expect(text).toContain('<li class="against">Careful.</li>');
    const bare = cellsIn(
      shown({ manifest: null, started: { sealed: false, openDoors: ['network'], settings: [] } }),
    );
    expect(bare.slice(1)).toEqual([
      ['Outcome', 'completed'],
      ['Sealed', 'no: network'],
      ['Strategy', 'test (rules)'],
    ]);
    const code = { ...manifest, strategy: { file: null, sha256: null } };
    expect(textIn(shown({ manifest: code }))).not.toContain('Strategy file');
  });

  it('are followed by the reasons to trust the run', () => {
    const all = 'The run processed all of its bars.';
    const unambiguous = 'No bar was ambiguous: every path that the bars allow gives these fills.';
    const saw =
      'No decision saw a bar that had not closed, and every order filled on a later bar, inside its high and low.';
    const showed =
      'The engine showed no decision a bar that had not closed, and every order filled on a later bar, inside its high and low.';
    const sealed =
      'Sealed: data, strategy, settings and versions decide every figure. npx sandtable replay runs it again and compares it byte for byte.';
    expect(reasonsFor({ manifest })).toEqual([all, saw, sealed, unambiguous]);
    expect(reasonsFor({ manifest: null })).toEqual([all, showed, unambiguous]);
    expect(reasonsFor({ manifest: { ...manifest, openDoors: ['network'] } })).toEqual([
      all,
      showed,
      unambiguous,
    ]);
    expect(reasonsFor({ manifest: { ...manifest, openDoors: ['signals of x'] } })).toEqual([
      all,
      unambiguous,
    ]);
    expect(reasonsFor({ manifest, started: { stamps: ['x'] } })).toEqual([all, sealed, unambiguous]);
    expect(reasonsFor({ manifest, record: { outcome: 'failed', fills: [] } })).toEqual([saw, sealed]);
    expect(reasonsFor({ manifest, own: { rejections: [{}, {}] as never } }).at(-1)).toBe(
      '2 of the orders were refused, with their reasons in “Orders and decisions”.',
    );
  });
});

describe('the reasons of opening fills', () => {
  it('are counted, the most frequent first', () => {
    const fill = (side: 'buy' | 'sell', quantity: string, reason: string | undefined, bar: number) => ({
      ...{ side, quantity, price: '1', bar, orderId: bar, ...(reason === undefined ? {} : { reason }) },
    });
    const record = runRecord({
      equity: [1, 1, 1, 1, 1, 1, 1, 1, 1],
      fills: [
        ...[
          fill('buy', '0.3', 'b', 0),
          fill('buy', '0.1', 'a', 1),
          fill('sell', '0.4', 'exit', 2),
          fill('sell', '1', 'b', 3),
        ],
        ...[
          fill('buy', '3', 'turn', 4),
          fill('sell', '1', 'less', 5),
          fill('buy', '1', undefined, 6),
          fill('sell', '8', 'split', 8),
        ],
      ],
      events: [
        {
          type: 'split',
          bar: 7,
          symbol: 'AAA',
          ratio: '2',
          quantityBefore: '3',
          quantityAfter: '8',
        } as never,
      ],
    });
    expect(openingReasons(record)).toEqual([
      ['b', 2],
      ['a', 1],
      ['turn', 1],
    ]);
  });
});
