/** Places in the memory that the watchdog shares with the main thread, 32-bit integers. */
/** What of the strategy's is at work: 0 nothing, -1 loading its file, else the bar it decides at plus one. */
export const TASK = 0;
/** Counts up while the main thread is heard. */
export const TICK = 1;
/** Milliseconds a task may take. */
export const LIMIT_MS = 2;
/** 1 once there is nothing to watch any more. */
export const STOPPED = 3;
export const PLACES = 4;

export const LOADING = -1;

/** Milliseconds between two looks. */
export const WATCH_STEP = 100;
/** From when on a main thread counts as blocked. */
export const BLOCKED_MS = 700;
/** From when on the user reads what it is that takes so long. */
export const BUSY_NOTE_MS = 5_000;
