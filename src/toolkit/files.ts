import type { BarContext } from '../engine/index.ts';
import { fileEvent, Vfs, type VfsChange } from '../vfs/index.ts';
import type { Shared } from './tool.ts';

/** In-memory files of the run. A run that imports a folder provides them. */
export const FILES: Shared<Vfs> = { name: 'files', make: () => new Vfs() };

/**
 * Applies several changes in one step and records them in the journal. Applies all of them or, on an error,
 * no change.
 */
export function changeFiles(files: Vfs, turn: BarContext, changes: readonly VfsChange[]): void {
  if (changes.length === 1) files.apply(changes[0]!);
  else files.applyAll(changes);
  for (const change of changes) turn.record(fileEvent(turn.bar, change));
}
