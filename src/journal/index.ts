export { compareJournal, continueJournal, type FollowingJournal } from './continue.ts';
export type { Difference } from './difference.ts';
export { type EarlierJournal, linesToKeep, readEarlier } from './earlier.ts';
export { anyEvent, eventFault, hasSoundBar, type JournalEvent, parseEvent, typeOfLine } from './event.ts';
export { eventLine } from './event-line.ts';
export { type Journal, openJournal } from './journal.ts';
export { type JournalLine, journalUnreadable, linePieces, wholeLines } from './lines.ts';
export {
  cutNote,
  damageNote,
  END_LEFT_OUT,
  type EventOf,
  RecordBuilder,
  type RunRecord,
  readJournal,
  recordOf,
} from './read.ts';
export { readEnds } from './read-ends.ts';
