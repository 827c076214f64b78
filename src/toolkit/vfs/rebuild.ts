import type { FileEvent, RunEvent } from '../../engine/index.ts';
import { Vfs, type VfsChange } from './vfs.ts';

/**
 * Returns the journal event of a change.
 *
 * @param availableAt date from which a given file is visible, if it has one
 */
export function fileEvent(bar: number, change: VfsChange, availableAt?: string): FileEvent {
  const { path } = change;
  if (change.kind === 'delete') return { type: 'file_deleted', bar, path };
  const { mode, content } = change;
  return {
    type: 'file_written',
    bar,
    path,
    mode,
    content,
    ...(availableAt === undefined ? {} : { availableAt }),
  };
}

/**
 * Restores the files of a run from its events, for resuming the run.
 *
 * @throws AppError if the events are not those of one run in their order
 */
export function rebuildVfs(events: Iterable<RunEvent>): Vfs {
  const vfs = new Vfs();
  for (const event of events) {
    if (event.type === 'file_written') vfs.write(event.path, event.content, event.mode);
    else if (event.type === 'file_deleted') vfs.delete(event.path);
  }
  return vfs;
}
