import { readdirSync, readFileSync } from 'node:fs';
import type { PlacedFault } from './faults.ts';
import { faultsOfName, type StyleFault } from './plain-english.ts';

/** Beginning of a named line of Gherkin. */
const NAMED = /^\s*(Feature|Rule|Scenario Outline|Scenario|Example|Examples|Background):/;
/** Beginning of a line that ends a description: a step, a tag, a comment or a row of a table. */
const NOT_PROSE = /^\s*(Given\b|When\b|Then\b|And\b|But\b|[@#|*])/;
const DELIMITER = /^\s*("""|```)/;

/** Returns the style faults of the names and descriptions of a feature, with line numbers from 0. */
export function faultsOfFeature(text: string): StyleFault[] {
  const faults: StyleFault[] = [];
  let described = false;
  let quoted = false;
  for (const [line, words] of text.split('\n').entries()) {
    if (DELIMITER.test(words)) quoted = !quoted;
    if (quoted) continue;
    const named = NAMED.exec(words);
    if (named !== null) described = true;
    else if (NOT_PROSE.test(words)) described = false;
    if (described)
      faults.push(...faultsOfName(words.slice(named?.[0].length ?? 0)).map((fault) => ({ ...fault, line })));
  }
  return faults;
}

/** Returns the style faults of all files in features/. */
export function faultsOfFeatures(): PlacedFault[] {
  return readdirSync('features', { recursive: true, encoding: 'utf8' })
    .map((name) => `features/${name.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.feature'))
    .sort()
    .flatMap((file) =>
      faultsOfFeature(readFileSync(file, 'utf8')).map(({ line, problem }) => ({
        file,
        line: line + 1,
        problem,
      })),
    );
}
