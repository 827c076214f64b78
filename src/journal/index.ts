export { type ChainCheck, checkChain, LINK_TYPE } from './chain.ts';
export { compareJournal, continueJournal, type Difference, type FollowingJournal } from './continue.ts';
export {
  anyEvent,
  eventFault,
  eventLine,
  hasSoundBar,
  type JournalEvent,
  parseEvent,
  typeOfLine,
} from './event.ts';
export { type EarlierJournal, type Journal, linesToKeep, openJournal, readEarlier } from './journal.ts';
export { type JournalLine, journalUnreadable, linePieces, readEnds, wholeLines } from './lines.ts';
export {
  cutNote,
  damageNote,
  END_OMITTED,
  type EventOf,
  RecordBuilder,
  type RunRecord,
  readJournal,
  recordOf,
} from './read.ts';
