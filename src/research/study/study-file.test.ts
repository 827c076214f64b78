import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readStudyFile } from './study-file.ts';
import { notesOf } from './study-sums.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandtable-study-'));
afterAll(() => rmSync(folder, { recursive: true }));

function read(windows: string) {
  const file = join(folder, 'study.yaml');
  writeFileSync(file, `strategies: [cross.ts]\ndata: prices.csv\nwindows: ${windows}\n`);
  return readStudyFile(file);
}

describe('rolling windows', () => {
  it('name the days that no window covers', () => {
    const request = read('{ rolling: { from: 2020-01-01, to: 2020-05-20, length: 2m } }');
    expect(request.windows.map(({ to }) => to)).toEqual(['2020-02-29', '2020-04-30']);
    expect(request.remainder).toEqual({ from: '2020-05-01', to: '2020-05-20' });
    expect(notesOf(request, [])[0]).toContain('No window covers 2020-05-01 to 2020-05-20');
  });

  it('have nothing to name where they cover all days, or are listed', () => {
    expect(read('{ rolling: { from: 2020-01-01, to: 2020-04-30, length: 2m } }').remainder).toBeUndefined();
    expect(read('[{ from: 2020-01-01, to: 2020-04-30 }]').remainder).toBeUndefined();
  });
});
