import type { TrialResult } from '../../src/research/sweep/executor.ts';
import type { SweepJournal } from '../../src/research/sweep/sweep-folder.ts';
/** Returns a journal of trials in memory, with the ids of the trials that are added to it. */
export function journalOf(stored: readonly (readonly [string, object])[] = []) {
  const known = new Map<string, TrialResult>(stored as never);
  const added: string[] = [];
  const journal = {
    get: (id: string) => known.get(id),
    add(one: TrialResult) {
      added.push(one.id);
      known.set(one.id, one);
    },
  } as unknown as SweepJournal;
  return { journal, added, known };
}
