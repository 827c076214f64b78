import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type StudyReport, studyReportSchema } from '../analysis/index.ts';
import { readWritten } from './files.ts';

export const STUDY_MANIFEST = 'study-manifest.json';
export const STUDY_FILE = 'study.json';
export const STUDY_PAGE = 'study.html';

/** Whether a folder is that of a study, finished or not. */
export function isStudyFolder(folder: string): boolean {
  return existsSync(join(folder, STUDY_MANIFEST));
}

/** A finished study in a results folder. */
export interface StoredStudy {
  readonly studyId: string;
  readonly folder: string;
  readonly report: StudyReport;
}

/** @throws AppError `not_a_study` for a folder without a finished study */
export function readStudy(folder: string): StudyReport {
  const file = join(folder, STUDY_FILE);
  return readWritten(file, studyReportSchema, (problem) => ({
    code: 'not_a_study',
    message: `${folder} holds no finished study: ${file}: ${problem}.`,
    hint: `Name a folder that sandtable study made; an unfinished one goes on with: npx sandtable study --resume ${folder}`,
  }));
}

/**
 * The finished studies of a results folder, and the names of those that are not finished or cannot be read.
 *
 * @throws Error where the folder cannot be read
 */
export function listStudies(folder: string): {
  readonly studies: readonly StoredStudy[];
  readonly unreadable: readonly string[];
} {
  const studies: StoredStudy[] = [];
  const unreadable: string[] = [];
  for (const name of readdirSync(folder).sort()) {
    const own = join(folder, name);
    if (!isStudyFolder(own)) continue;
    try {
      studies.push({ studyId: basename(own), folder: own, report: readStudy(own) });
    } catch {
      unreadable.push(name);
    }
  }
  return { studies, unreadable };
}
