import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commentsOf } from './comments.ts';
import { faultsOfComment } from './plain-english.ts';

/** Folders and files whose comments are checked by the test suite. */
const CHECKED: readonly string[] = [
  'bench',
  'docs',
  'features',
  'src',
  'test/docs',
  'test/guard',
  'test/mask-attacks',
  'test/pages',
  'test/style',
];

/** A fault with its place. */
export interface PlacedFault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/**
 * Returns the style faults of all TypeScript comments below `paths`.
 *
 * @param paths files or folders, relative to the project; all of `CHECKED` if empty
 */
export function faultsOfFolders(paths: readonly string[] = []): PlacedFault[] {
  const places = paths.length === 0 ? CHECKED : paths;
  if (places.length === 0) return [];
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...places],
    {
      encoding: 'utf8',
    },
  );
  return listed
    .split('\n')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      commentsOf(readFileSync(file, 'utf8')).flatMap(({ line, text }) =>
        faultsOfComment(text).map((fault) => ({ file, line: line + fault.line, problem: fault.problem })),
      ),
    );
}
