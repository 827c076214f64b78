import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { STUDY_FILE, STUDY_MANIFEST } from '../results/runs/index.ts';
import { checkStudy } from './verify-study.ts';

const root = mkdtempSync(join(tmpdir(), 'sandtable-verify-study-'));
afterAll(() => rmSync(root, { recursive: true }));
/** Returns the checks of a folder with these files. */
function checksOf(files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(root, 'study-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return checkStudy(folder, undefined);
}

describe('the checks of a study', () => {
  it('are empty for a folder without a study', () => {
    expect(checksOf({})).toEqual([]);
    expect(checksOf({ [STUDY_FILE]: '{}' })).toEqual([]);
  });

  it('fail if the manifest is invalid', () => {
    for (const text of ['{', '{"data": 5}'])
      expect(checksOf({ [STUDY_MANIFEST]: text })).toEqual([
        { name: STUDY_MANIFEST, outcome: 'failed', detail: expect.any(String) as string },
      ]);
  });

  it('skip the result until the study has ended, and fail if the result is damaged', () => {
    const manifest = { [STUDY_MANIFEST]: '{"data": [{"sha256": "a"}]}' };
    expect(checksOf(manifest)[0]).toEqual({
      ...{ name: STUDY_FILE, outcome: 'not checked', detail: 'the study has not ended' },
    });
    expect(checksOf({ ...manifest, [STUDY_FILE]: '{}' })[0]).toMatchObject({
      name: STUDY_FILE,
      outcome: 'failed',
    });
  });
});
