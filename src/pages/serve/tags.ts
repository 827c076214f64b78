import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, fileProblem } from '../../kernel/index.ts';

/** Located next to the run folders. The server never changes the files of a run. */
const FILE = '.sandtable-tags.json';
const MOST_TAGS = 20;
const LONGEST_TAG = 40;

const tagsSchema = z.array(z.string().trim().min(1).max(LONGEST_TAG)).max(MOST_TAGS);
const fileSchema = z.record(z.string(), z.array(z.string()));

/** Tags of all runs in a folder, by run id. */
export class Tags {
  readonly #file: string;

  constructor(root: string) {
    this.#file = join(root, FILE);
  }

  /** Returns all tags. A damaged or missing file counts as empty. */
  all(): ReadonlyMap<string, readonly string[]> {
    try {
      const read = fileSchema.safeParse(JSON.parse(readFileSync(this.#file, 'utf8')));
      return new Map(read.success ? Object.entries(read.data) : []);
    } catch {
      return new Map();
    }
  }

  /**
   * Replaces the tags of a run.
   *
   * @param given tags as received, not validated
   * @returns the stored tags: trimmed, without duplicates
   * @throws AppError `bad_tags`, `tags_unwritable`
   */
  set(runId: string, given: unknown): readonly string[] {
    const read = tagsSchema.safeParse(given);
    if (!read.success) {
      throw new AppError({
        code: 'bad_tags',
        message: 'These are no tags.',
        hint: `Give a list of at most ${MOST_TAGS} texts of 1 to ${LONGEST_TAG} characters.`,
      });
    }
    const tags = [...new Set(read.data)];
    const all = new Map(this.all());
    if (tags.length === 0) all.delete(runId);
    else all.set(runId, tags);
    this.#write(all);
    return tags;
  }

  #write(all: ReadonlyMap<string, readonly string[]>): void {
    const temporary = `${this.#file}.${process.pid}.tmp`;
    const text = JSON.stringify(Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1))), null, 2);
    try {
      writeFileSync(temporary, `${text}\n`);
      renameSync(temporary, this.#file);
    } catch (cause) {
      rmSync(temporary, { force: true });
      throw new AppError({
        code: 'tags_unwritable',
        message: `The tags cannot be kept: ${fileProblem(cause)}.`,
        hint: 'Check who may write to the folder of the runs.',
        kind: 'run',
        cause,
      });
    }
  }
}
