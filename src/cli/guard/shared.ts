/** Indices in the memory that the watchdog shares with the main thread, as 32-bit integers. */
/**
 * Current task of the strategy: 0 for none, -1 for loading its file, otherwise the bar of its decision plus
 * one.
 */
export const TASK = 0;
/** Counter that increases while the main thread is not blocked. */
export const TICK = 1;
/** Time limit of a task in milliseconds. */
export const LIMIT_MS = 2;
/** 1 after the run has ended. The watchdog then stops. */
export const STOPPED = 3;
export const PLACES = 4;

export const LOADING = -1;

/** Milliseconds between two checks of the watchdog. */
export const WATCH_STEP = 100;
/** Milliseconds after which the main thread counts as blocked. */
export const BLOCKED_MS = 700;
/** Milliseconds after which the user is informed about a long task. */
export const BUSY_NOTE_MS = 5_000;
