import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { AppError, fileProblem } from '../../kernel/index.ts';
import { jsonIn } from './run-facts.ts';

/**
 * File with tags and notes in a run folder. `verify` and replay ignore it, because it does not belong to the
 * run itself.
 */
const NOTES_FILE = 'notes.json';
/** File in the results folder with the tags of all runs by run id. Earlier versions stored tags there. */
const EARLIER_FILE = '.sandtable-tags.json';
const MOST_TAGS = 20;
const LONGEST_TAG = 40;
const LONGEST_NOTES = 4_000;

const notesSchema = z.strictObject({
  tags: z.array(z.string().trim().min(1).max(LONGEST_TAG)).max(MOST_TAGS),
  notes: z.string().trim().max(LONGEST_NOTES),
});
const earlierSchema = z.record(z.string(), z.array(z.string()));

/** Tags and notes that a user gave to a run. */
export type Notes = Readonly<z.infer<typeof notesSchema>>;

/** Returns the notes in a run folder. `undefined` if the file is missing, damaged or a symbolic link. */
export function notesIn(folder: string): Notes | undefined {
  return notesSchema.safeParse(jsonIn(folder, NOTES_FILE)).data;
}

/** Returns the tags that an earlier version stored, by run id. Empty if the file is missing or damaged. */
export function earlierTags(root: string): ReadonlyMap<string, readonly string[]> {
  try {
    const read = earlierSchema.safeParse(JSON.parse(readFileSync(join(root, EARLIER_FILE), 'utf8')));
    return new Map(read.success ? Object.entries(read.data) : []);
  } catch {
    return new Map();
  }
}

/**
 * Replaces the tags and notes of a run.
 *
 * @param given notes as received, not validated
 * @returns the stored notes, without surrounding spaces and duplicate tags
 * @throws AppError `bad_tags`, `tags_unwritable`
 */
export function writeNotes(folder: string, given: unknown): Notes {
  const read = notesSchema.safeParse(given);
  if (!read.success) {
    throw new AppError({
      code: 'bad_tags',
      message: 'These tags or notes are not valid.',
      hint: `Give at most ${MOST_TAGS} tags of 1 to ${LONGEST_TAG} characters, and notes of at most ${LONGEST_NOTES} characters.`,
    });
  }
  const notes = { tags: [...new Set(read.data.tags)], notes: read.data.notes };
  const file = join(folder, NOTES_FILE);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, `${JSON.stringify(notes, null, 2)}\n`);
    // Renaming also replaces a symbolic link itself. The file to which a link points is not changed.
    renameSync(temporary, file);
  } catch (cause) {
    rmSync(temporary, { force: true });
    throw new AppError({
      code: 'tags_unwritable',
      message: `The notes cannot be stored: ${fileProblem(cause)}.`,
      hint: 'Check who may write to the folder of the run.',
      kind: 'run',
      cause,
    });
  }
  return notes;
}
