import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { issueText, valueAt } from './describe.ts';
import { type Fault, faultsError } from './errors.ts';

/** What a text of YAML says, and on which lines. */
export interface YamlDocument {
  /** An object where the text says nothing. */
  readonly value: unknown;
  /** The line of the file a setting stands on, from 1. */
  lineOf(path: readonly PropertyKey[]): number;
}

/**
 * Reads YAML, or the JSON that it includes.
 *
 * @param before lines of the file before the text
 * @param refused code and hint of the error
 * @throws AppError with the line of every fault of notation
 */
export function readYaml(
  text: string,
  file: string,
  before: number,
  refused: { readonly code: string; readonly hint: string },
): YamlDocument {
  const counter = new LineCounter();
  const document = parseDocument(text, { lineCounter: counter, prettyErrors: false });
  const inFile = (offset: number): number => counter.linePos(offset).line + before;
  if (document.errors.length > 0) {
    const faults = document.errors.map((error) => ({
      where: `${file}:${inFile(error.pos[0])}`,
      message: error.message,
    }));
    throw faultsError(refused.code, file, faults, refused.hint);
  }
  return {
    value: document.toJS() ?? {},
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
export function yamlFaults(file: string, document: YamlDocument, error: z.ZodError): Fault[] {
  return error.issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const path = [...issue.path, key];
        return {
          where: `${file}:${document.lineOf(path)}`,
          message: `there is no setting ${path.join('.')}`,
        };
      });
    }
    const name = issue.path.join('.');
    const message = issueText(issue, valueAt(document.value, issue.path));
    return [
      {
        where: `${file}:${document.lineOf(issue.path)}`,
        message: name === '' ? message : `${name}: ${message}`,
      },
    ];
  });
}
