/**
 * The watchdog thread (`watchdog.ts`, detects endless loops of a strategy) and the main thread share an array
 * of 32-bit integers. `TASK`, `TICK`, `LIMIT_MS` and `STOPPED` are indices into this array.
 */
/**
 * Index of the current task. The task is 0 if the strategy does not run, −1 while its file is loaded, and the
 * number of the bar plus one during a decision.
 */
export const TASK = 0;
/** Index of a counter. It increases as long as the main thread is not blocked. */
export const TICK = 1;
/** Index of the time limit of a task, in milliseconds. 0 means no limit. */
export const LIMIT_MS = 2;
/** Index of a value that is 1 after the run has ended. The watchdog then stops. */
export const STOPPED = 3;
export const PLACES = 4;

export const LOADING = -1;

/** Milliseconds between two checks of the watchdog. */
export const WATCH_STEP = 100;
/** Milliseconds without a change of the counter after which the main thread counts as blocked. */
export const BLOCKED_MS = 700;
/** Milliseconds after which the user is informed that a task is still running. */
export const BUSY_NOTE_MS = 5_000;
