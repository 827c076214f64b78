export { type Journal, openJournal } from './journal.ts';
export { type EventOf, type RunRecord, readJournal, recordOf } from './read.ts';
