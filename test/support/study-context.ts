import { SILENT } from '../../src/runner/index.ts';

/** Signal that never aborts. */
export const NEVER = new AbortController().signal;

/** Context of a study without environment variables and output. The study is never stopped. */
export const STUDY_CONTEXT = {
  environment: {},
  observer: SILENT,
  listen: () => ({ signal: NEVER, release: () => undefined }),
};
