export { replayText } from './commands/replay.ts';
export type { Io } from './io.ts';
export { main } from './main.ts';
export { outcomeText } from './print-outcome.ts';
export { readRunRequest } from './read-run-request.ts';
