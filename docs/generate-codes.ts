/** Generates docs/troubleshooting.md from the errors and refusals in the sources: `npm run docs:codes`. */
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorPlaces, sourceFiles, troubleshooting } from './error-codes.ts';

const root = resolve(import.meta.dirname, '..');
writeFileSync(
  resolve(import.meta.dirname, 'troubleshooting.md'),
  troubleshooting(errorPlaces(sourceFiles(root))),
);
