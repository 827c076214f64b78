import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { AppError, type Fault, faultsError, issueText, valueAt } from '../../kernel/index.ts';

/** A Markdown file with settings at its head. */
export interface FrontMatter {
  readonly value: unknown;
  readonly body: string;
  /** Lines of the file before the body. */
  readonly bodyLine: number;
  /** The line of the file a setting stands on, from 1. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Parts a Markdown file into settings and prompt.
 *
 * @throws AppError `bad_strategy` with the line of every fault of its YAML
 */
export function readFrontMatter(text: string, file: string): FrontMatter {
  const match = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)^---[ \t]*\r?$\n?/m.exec(text);
  if (match === null || match.index !== 0) {
    throw new AppError({
      code: 'bad_strategy',
      message: `${file}:1: the file does not begin with settings between two lines of ---.`,
      hint: 'Begin it with ---, lines such as "model: gpt-4.1-mini", and ---; see docs/llm.md.',
    });
  }
  const counter = new LineCounter();
  const document = parseDocument(match[2] ?? '', { lineCounter: counter, prettyErrors: false });
  const inFile = (offset: number): number => counter.linePos(offset).line + 1;
  if (document.errors.length > 0) {
    const faults = document.errors.map((error) => ({
      where: `${file}:${inFile(error.pos[0])}`,
      message: error.message,
    }));
    throw faultsError('bad_strategy', file, faults, 'Fix the settings between the lines of ---.');
  }
  return {
    value: document.toJS() ?? {},
    body: text.slice(match[0].length),
    bodyLine: match[0].split('\n').length - 1,
    lineOf(path) {
      // The nearest setting that is there: a missing field is reported at its parent.
      for (let length = path.length; length > 0; length--) {
        const node = document.getIn(path.slice(0, length), true) as { range?: readonly number[] } | undefined;
        if (node?.range?.[0] !== undefined) return inFile(node.range[0]);
      }
      return 1;
    },
  };
}

/** The faults of settings that a schema refuses, each with its line. */
export function settingFaults(file: string, front: FrontMatter, error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return { where: `${file}:${front.lineOf(path)}`, message: `there is no setting ${path.join('.')}` };
      });
    }
    const name = issue.path.join('.');
    const message = issueText(issue, valueAt(front.value, issue.path));
    return [
      {
        where: `${file}:${front.lineOf(issue.path)}`,
        message: name === '' ? message : `${name}: ${message}`,
      },
    ];
  });
}
