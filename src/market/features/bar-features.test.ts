import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { loadSeries } from '../reading/load.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-bar-features-'));
afterAll(() => rmSync(folder, { recursive: true }));
const DAY = Date.UTC(2024, 0, 2);
const DAYS = [0, 1, 2].map((day) => DAY + day * 86_400_000);

async function load(files: Readonly<Record<string, readonly string[]>>, options: object = {}) {
  const paths = Object.entries(files).map(([name, lines]) => {
    const file = join(folder, name);
    writeFileSync(file, `${lines.join('\n')}\n`);
    return file;
  });
  const { features, adjustments } = await loadSeries({ paths, keepColumns: true, ...options });
  return { features, adjustments: adjustments.map((text) => text.replace(`${folder}/`, '')) };
}
const PRICES = '10,11,9,10,5';

describe('additional columns of a file of bars', () => {
  it('become features with numbers, booleans or texts', async () => {
    const { features, adjustments } = await load(
      {
        'a.csv': [
          'date,symbol,open,high,low,close,volume,Mood,up,said,blank,Adj Close',
          `2024-01-02,AAA,${PRICES},1.5,TRUE,calm,,9`,
          `2024-01-03,AAA,${PRICES},n/a,false,5,,9`,
          `2024-01-04,AAA,${PRICES},-2e1,-,,null,9`,
          `2024-01-02,BBB,${PRICES},7,true,x,,9`,
        ],
      },
      { symbols: ['AAA'] },
    );
    expect(features).toHaveLength(1);
    expect(features![0]).toMatchObject({
      ...{ isOfBars: true, symbols: ['AAA', 'AAA', 'AAA'], known: [undefined, undefined, undefined] },
      dates: DAYS.map((instant) => ({ instant, wholeDay: false })),
      columns: [
        { name: 'mood', type: 'number', values: [1.5, null, -20] },
        { name: 'up', type: 'boolean', values: [true, false, null] },
        { name: 'said', type: 'text', values: ['calm', '5', null] },
        { name: 'blank', type: 'number', values: [null, null, null] },
      ],
    });
    expect(adjustments).toEqual([
      expect.stringMatching(/^a\.csv: the column "Adj Close" is not a feature, /),
    ]);
  });

  it('that are numbers in one file and texts in another are texts in both', async () => {
    const header = 'date,open,high,low,close,volume,rating';
    const { features } = await load({
      'one.csv': [header, `2024-01-02,${PRICES},1`, `2024-01-03,${PRICES},`],
      'two.csv': [header, `2024-01-02,${PRICES},A+`, `2024-01-03,${PRICES},2`],
    });
    expect(features!.map(({ columns }) => columns)).toEqual([
      [{ name: 'rating', type: 'text', values: ['1', null] }],
      [{ name: 'rating', type: 'text', values: ['A+', '2'] }],
    ]);
    const { features: none } = await load({
      'three.csv': ['date,open,high,low,close,volume', `2024-01-02,${PRICES}`],
    });
    expect(none ?? []).toEqual([]);
  });
});
