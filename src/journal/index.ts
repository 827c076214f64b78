export { compareJournal, continueJournal, type FollowingJournal } from './continue.ts';
export type { Difference } from './difference.ts';
export { type EarlierJournal, linesToKeep, readEarlier } from './earlier.ts';
export { type Journal, openJournal } from './journal.ts';
export {
  cutNote,
  damageNote,
  END_LEFT_OUT,
  type EventOf,
  eventFault,
  type RunRecord,
  readJournal,
  recordOf,
} from './read.ts';
