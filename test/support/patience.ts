/**
 * Time limit in milliseconds of Python calls in tests that do not test time limits. No call needs this long,
 * even on a machine that runs two test suites.
 */
export const PATIENT_MS = 120_000;
