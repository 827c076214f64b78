import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commentsOf } from './comments.ts';
import { messagesOf } from './messages.ts';
import { faultsOfComment, faultsOfMessage } from './plain-english.ts';

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

/** Folders whose messages, manuals and descriptions are checked too. */
const CHECKED_MESSAGES: readonly string[] = [
  'src/agents',
  'src/broker',
  'src/cli',
  'src/engine',
  'src/journal',
  'src/kernel',
  'src/market',
  'src/masking',
  'src/research',
  'src/results',
  'src/runner',
  'src/sandbox',
  'src/testing',
  'src/toolkit',
];

/** A fault with its place. */
export interface PlacedFault {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly problem: string;
}

/**
 * Returns the style faults of all TypeScript comments and messages below `paths`.
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
    .flatMap((file) => {
      const code = readFileSync(file, 'utf8');
      const texts = [
        ...commentsOf(code).map((comment) => ({ ...comment, check: faultsOfComment })),
        ...(hasCheckedMessages(file) ? messagesOf(code) : []).map((message) => ({
          ...message,
          check: faultsOfMessage,
        })),
      ];
      return texts.flatMap(({ line, text, check }) =>
        check(text).map((fault) => ({ file, line: line + fault.line, problem: fault.problem })),
      );
    });
}

const hasCheckedMessages = (file: string): boolean =>
  !file.endsWith('.test.ts') && CHECKED_MESSAGES.some((folder) => file.startsWith(`${folder}/`));
