import { mergeConfig, type ViteUserConfig } from 'vitest/config';
import { testFilesWhere } from './test-files.ts';
import whole from './vitest.config.ts';

const [part, parts] = (process.env.SANDTABLE_DEEP ?? 'all').split('/').map(Number);

/** Returns true if a file has a sweep of which `npm test` runs a sample, or a slow case of this part. */
function isInPart(text: string): boolean {
  if (!text.includes("/depth.ts'")) return false;
  if (parts === undefined || /\b(?:sampled|randomCases)\(/.test(text)) return true;
  return [...text.matchAll(/\binDepth\((\d+)\)/g)].some(([, place]) => Number(place) % parts === part! - 1);
}

const include = testFilesWhere((_, text) => isInPart(text));
const { projects: _, ...test } = whole.test ?? {};

/** Runs every case of the exhaustive sweeps, or the part that `SANDTABLE_DEEP` selects, such as `2/5`. */
export default mergeConfig<ViteUserConfig, ViteUserConfig>(
  { ...whole, test },
  { test: { include, env: { SANDTABLE_DEEP: process.env.SANDTABLE_DEEP ?? 'all' } } },
);
