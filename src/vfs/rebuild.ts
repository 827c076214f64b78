import type { FileEvent, RunEvent } from '../engine/index.ts';
import { Vfs, type VfsChange } from './vfs.ts';

/**
 * A change as the event that the journal keeps of it.
 *
 * @param availableAt of a file that the run was given with a date
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
 * The files of a run as they were after these events: what a resumed run goes on with.
 *
 * @throws AppError when the events are not those of one run in their order
 */
export function rebuildVfs(events: Iterable<RunEvent>): Vfs {
  const vfs = new Vfs();
  for (const event of events) {
    if (event.type === 'file_written') vfs.write(event.path, event.content, event.mode);
    else if (event.type === 'file_deleted') vfs.delete(event.path);
  }
  return vfs;
}
