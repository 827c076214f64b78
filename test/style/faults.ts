import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { commentsOf } from './comments.ts';
import { messagesOf } from './messages.ts';
import { faultsOfComment, faultsOfMessage, faultsOfName } from './plain-english.ts';
import { testNamesOf } from './test-names.ts';

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

/** Folders with tests, whose names are checked. */
const TEST_FOLDERS: readonly string[] = ['bench', 'src', 'strategies', 'test'];

/** `npm run test:shots` selects tests by this name. */
const SELECTED_NAME = 'looks as kept';

/** Style fault with its file and line. */
export interface PlacedFault {
  readonly file: string;
  /** Line number, from 1. */
  readonly line: number;
  readonly problem: string;
}

/**
 * Returns the style faults of all TypeScript comments, messages and names of tests below `paths`.
 *
 * @param paths files or folders, relative to the project; all checked folders if empty
 */
export function faultsOfFolders(paths: readonly string[] = []): PlacedFault[] {
  const places = paths.length === 0 ? [...CHECKED, ...TEST_FOLDERS] : paths;
  const listed = execFileSync(
    'git',
    ['ls-files', '--cached', '--others', '--exclude-standard', '--', ...places],
    {
      encoding: 'utf8',
    },
  );
  const hasCheckedComments = (file: string): boolean => paths.length > 0 || isBelow(CHECKED, file);
  return listed
    .split('\n')
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => {
      const code = readFileSync(file, 'utf8');
      const texts = [
        ...(hasCheckedComments(file) ? commentsOf(code) : []).map((comment) => ({
          ...comment,
          check: faultsOfComment,
        })),
        ...(hasCheckedMessages(file) ? messagesOf(code) : []).map((message) => ({
          ...message,
          check: faultsOfMessage,
        })),
        ...(file.endsWith('.test.ts') ? testNamesOf(code) : [])
          .filter(({ text }) => text !== SELECTED_NAME)
          .map((name) => ({ ...name, check: faultsOfName })),
      ];
      return texts.flatMap(({ line, text, check }) =>
        check(text).map((fault) => ({ file, line: line + fault.line, problem: fault.problem })),
      );
    });
}

const hasCheckedMessages = (file: string): boolean =>
  !file.endsWith('.test.ts') && isBelow(CHECKED_MESSAGES, file);

const isBelow = (folders: readonly string[], file: string): boolean =>
  folders.some((folder) => file === folder || file.startsWith(`${folder}/`));
