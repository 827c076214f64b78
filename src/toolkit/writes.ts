import { ALL_TOOLS } from './registry.ts';

/** Whether a tool changes anything: reads may run together, writes run in order. A tool nobody knows changes nothing. */
export function toolWrites(name: string): boolean {
  return Object.hasOwn(ALL_TOOLS, name) && ALL_TOOLS[name]!.writes;
}
