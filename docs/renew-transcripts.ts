/**
 * Updates the terminal output of runs in README.md and docs/strategies.md. Run `npm run docs:transcripts`
 * after a change of figures or layout.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { printedBy, renewed, TRANSCRIPT_PAGES, transcriptsOf } from './transcripts.ts';

for (const file of TRANSCRIPT_PAGES) {
  let page = readFileSync(file, 'utf8');
  for (const { command, text } of transcriptsOf(page))
    page = page.replace(text, renewed(text, await printedBy(command)).replaceAll('$', '$$$$'));
  writeFileSync(file, page);
}
