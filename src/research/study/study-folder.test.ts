import { expect, it } from 'vitest';
import { checkSameStudy, type StudyManifest } from './study-folder.ts';

const MANIFEST: StudyManifest = {
  schema: 1,
  type: 'study',
  studyId: 's',
  version: '1.0.0',
  file: 'study.yaml',
  sha256: 'a',
  arms: [
    { name: 'cross', sha256: 'b' },
    { name: 'trader', sha256: 'c' },
  ],
  data: [{ file: 'prices.csv', sha256: 'd' }],
};

const check = (changes: Partial<StudyManifest>): void =>
  checkSameStudy('folder', MANIFEST, { ...MANIFEST, ...changes });

it('resumes a study whose inputs are the same, or fewer', () => {
  expect(() => check({})).not.toThrow();
  expect(() => check({ arms: [{ name: 'trader', sha256: 'c' }], runs: 5 })).not.toThrow();
});

it.each<[string, Partial<StudyManifest>, string]>([
  ['its file', { sha256: 'x' }, 'study.yaml'],
  ['the program', { version: '1.1.0' }, 'Sandtable (1.0.0, now 1.1.0)'],
  ['an arm', { arms: [{ name: 'cross', sha256: 'x' }] }, 'cross'],
  ['data', { data: [{ file: 'prices.csv', sha256: 'x' }] }, 'prices.csv'],
  ['data that are new', { data: [{ file: 'other.csv', sha256: 'd' }] }, 'other.csv'],
  ['two of these', { sha256: 'x', data: [{ file: 'prices.csv', sha256: 'x' }] }, 'study.yaml, prices.csv'],
])('does not resume a study after a change of %s', (_, changes, named) => {
  expect(() => check(changes)).toThrow(`folder cannot continue: ${named} changed since the start.`);
});
