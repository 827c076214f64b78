/**
 * Regenerates the reference in docs/tools.md from the tool registry: `npm run docs:tools`, after `npm run
 * build`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { withReference } from './tools-reference.ts';

const page = new URL('tools.md', import.meta.url);
writeFileSync(page, await withReference(readFileSync(page, 'utf8')));
