import { mergeConfig, type ViteUserConfig } from 'vitest/config';
import { testFilesWhere } from './test-files.ts';
import whole from './vitest.config.ts';

/** Files with a sweep of which `npm test` runs a sample. */
const include = testFilesWhere((_, text) => text.includes("/depth.ts'"));
const { projects: _, ...test } = whole.test ?? {};

/** Runs every case of the exhaustive sweeps, or the part that `SANDTABLE_DEEP` selects, such as `2/5`. */
export default mergeConfig<ViteUserConfig, ViteUserConfig>(
  { ...whole, test },
  { test: { include, env: { SANDTABLE_DEEP: process.env.SANDTABLE_DEEP ?? 'all' } } },
);
