import type { BarContext } from '../engine/index.ts';
import { fileEvent, Vfs, type VfsChange } from '../vfs/index.ts';
import type { Shared } from './tool.ts';

/** The run's in-memory files; a run that imports a folder brings its own. */
export const FILES: Shared<Vfs> = { name: 'files', make: () => new Vfs() };

/** Makes changes together, all or none, and writes them down in the journal. */
export function changeFiles(files: Vfs, turn: BarContext, changes: readonly VfsChange[]): void {
  if (changes.length === 1) files.apply(changes[0]!);
  else files.applyAll(changes);
  for (const change of changes) turn.record(fileEvent(turn.bar, change));
}
