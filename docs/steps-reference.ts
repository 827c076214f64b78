import { CATALOGUE } from '../src/testing/steps/define.ts';
import { figureNames } from '../src/testing/steps/figures.ts';
import type { Step } from '../src/testing/steps/step.ts';

const BEGIN = '<!-- The steps, made by `npm run docs:steps`. -->';
const END = '<!-- End of the steps. -->';

/** Returns docs/bdd.md with its reference regenerated from the step definitions. */
export function withSteps(page: string): string {
  const [before, rest] = page.split(BEGIN);
  const after = rest?.split(END)[1];
  if (before === undefined || after === undefined)
    throw new Error('docs/bdd.md has lost the marks of its reference');
  return `${before}${BEGIN}\n\n${reference()}\n${END}${after}`;
}

function reference(): string {
  const names = figureNames().map((name) => `\`${name}\``);
  const others =
    'Other figures have the words of their names in `summary.json` and in [metrics.md](metrics.md). An unknown name is an error that lists all names.';
  const sections = Object.entries<readonly Step[]>(CATALOGUE).map(([heading, steps]) => {
    const figures = heading === 'Figures' ? `The figures: ${names.join(', ')}. ${others}\n\n` : '';
    return `### ${heading}\n\n${figures}${steps.map(entry).join('\n')}`;
  });
  return sections.join('\n');
}

function entry({ keyword, example, about }: Step): string {
  const [first = '', ...more] = example.split('\n');
  const code = `\`\`\`gherkin\n${[`${keyword} ${first}`, ...more].join('\n')}\n\`\`\`\n`;
  return about === undefined ? code : `${code}\n${about}\n`;
}
