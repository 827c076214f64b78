import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../kernel/index.ts';
import { studyCsv, studyMarkdown, studyPage } from '../pages/index.ts';
import { registeredSchema, type StudyReport } from '../results/analysis/index.ts';
import {
  type Check,
  jsonText,
  type Publication,
  readStudy,
  readWritten,
  STUDY_FILE,
  STUDY_MANIFEST,
  STUDY_PAGE,
  studyRegistrationChecks,
} from '../results/runs/index.ts';

/** Fields of `study-manifest.json` that the checks use. */
const manifestSchema = z.looseObject({
  data: z.array(z.looseObject({ sha256: z.string() })),
  registration: registeredSchema.optional(),
});

/**
 * Checks the files of a study: its tables and its page must match `study.json`, and the study must match its
 * registration. The runs of the study are checked separately.
 *
 * @returns no checks if the folder does not contain a study
 */
export function checkStudy(folder: string, publication: Publication | undefined): Check[] {
  const file = join(folder, STUDY_MANIFEST);
  if (!existsSync(file)) return [];
  let manifest: z.infer<typeof manifestSchema>;
  let report: StudyReport | undefined;
  const checks: Check[] = [];
  try {
    manifest = readWritten(file, manifestSchema, (problem) => ({
      code: 'bad_study',
      message: problem,
      hint: '',
    }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [{ name: STUDY_MANIFEST, outcome: 'failed', detail: error.message }];
  }
  const name = STUDY_FILE;
  if (!existsSync(join(folder, name)))
    checks.push({ name, outcome: 'not checked', detail: 'the study has not ended' });
  else
    try {
      report = readStudy(folder);
      checks.push(...reportChecks(folder, report, manifest.registration));
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      checks.push({ name, outcome: 'failed', detail: error.message });
    }
  const ends = report?.windows.map(({ to }) => to) ?? [];
  const data = manifest.data.map(({ sha256 }) => sha256);
  return [...checks, ...studyRegistrationChecks(folder, manifest.registration, data, ends, publication)];
}

function reportChecks(
  folder: string,
  report: StudyReport,
  registration: z.infer<typeof registeredSchema> | undefined,
): Check[] {
  const agrees = JSON.stringify(report.registration) === JSON.stringify(registration);
  const { table, comparisons } = studyCsv(report);
  const files: readonly (readonly [string, string])[] = [
    ['study.csv', table],
    ['comparisons.csv', comparisons],
    ['study.md', studyMarkdown(report)],
    [STUDY_PAGE, studyPage(report)],
  ];
  const text = readFileSync(join(folder, STUDY_FILE), 'utf8');
  return [
    jsonText(JSON.parse(text)) !== text
      ? { name: STUDY_FILE, outcome: 'failed', detail: 'its text was edited' }
      : agrees
        ? {
            name: STUDY_FILE,
            outcome: 'not checked',
            detail:
              'intervals and comparisons are computed from the runs, baselines and random agents. sandtable study --resume computes them again',
          }
        : {
            name: STUDY_FILE,
            outcome: 'failed',
            detail: `it states another registration than ${STUDY_MANIFEST}`,
          },
    ...files.map(([name, expected]): Check => {
      const path = join(folder, name);
      if (!existsSync(path)) return { name, outcome: 'not checked', detail: 'the file is missing' };
      return readFileSync(path, 'utf8') === expected
        ? { name, outcome: 'verified', detail: `follows from ${STUDY_FILE}` }
        : { name, outcome: 'failed', detail: `differs from what ${STUDY_FILE} gives` };
    }),
  ];
}
