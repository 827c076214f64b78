/** Regenerates the reference in docs/bdd.md from the step definitions: `npm run docs:steps`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { withSteps } from './steps-reference.ts';

const page = new URL('bdd.md', import.meta.url);
writeFileSync(page, withSteps(readFileSync(page, 'utf8')));
