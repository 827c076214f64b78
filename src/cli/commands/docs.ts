import { readdirSync, readFileSync } from 'node:fs';
import { AppError, nearest, packagePlace, padEnd } from '../../kernel/index.ts';
import { type Io, mayColour, printLine, printText } from '../io.ts';

/** Pages that only the repository contains. They are omitted from the package to limit its size. */
const ELSEWHERE = [
  'architecture',
  'account',
  'data',
  'fill-rules',
  'llm',
  'instruments',
  'bdd',
  'benchmarks',
  'cluster',
  'coming-from',
  'concepts/a-bar',
  'concepts/ambiguity',
  'concepts/evidence',
  'concepts/exact-money',
  'concepts/isolation',
  'concepts/masks',
  'concepts/no-look-ahead',
  'concepts/parts',
  'concepts/repeatable',
  'dependencies',
  'download',
  'faq',
  'forward',
  'futures',
  'masks',
  'metrics',
  'releases',
  'reports',
  'research',
  'run-folder',
  'scripts',
  'stress',
  'study',
  'ta',
  'tools',
  'tools/session',
  'verify',
  'vfs',
];

/**
 * Arguments of `sandtable` by page, for pages that the package does not contain. The printed help covers most
 * of the content of the page.
 */
const HELP: Readonly<Record<string, string>> = {
  cluster: 'worker --help',
  data: 'data --help',
  download: 'data download --help',
  'fill-rules': 'docs orders',
  forward: 'forward --help',
  instruments: 'run --help-all',
  llm: 'run --help-all',
  masks: 'run --help-all',
  reports: 'serve --help',
  research: 'sweep --help-all',
  stress: 'stress --help-all',
  study: 'study --help',
  tools: 'tools list',
  verify: 'verify --help',
};

const DOCS = packagePlace('docs/');
const CODES = 'troubleshooting';

/**
 * Splits a Markdown text into sections that start with a heading line. The first section contains the title
 * of the page.
 */
function sectionsOf(text: string): string[] {
  const sections: string[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (line.startsWith('```')) inCode = !inCode;
    if (sections.length === 0 || (!inCode && /^#{1,3} /.test(line))) sections.push(line);
    else sections[sections.length - 1] += `\n${line}`;
  }
  return sections;
}

/** Formats Markdown for a terminal. Links become their labels. Headings are bold if colours are allowed. */
function forTerminal(markdown: string, colour: boolean): string {
  let inCode = false;
  return markdown
    .trim()
    .split('\n')
    .map((line) => {
      if (line.startsWith('```')) inCode = !inCode;
      if (inCode) return line;
      const plain = line.replaceAll(/!?\[([^\]]*)\]\([^()\s]*\)/g, '$1').replaceAll('\\_', '_');
      return colour && /^#{1,6} /.test(plain) ? `\u001b[1m${plain}\u001b[0m` : plain;
    })
    .join('\n');
}

const pageText = (topic: string): string => readFileSync(new URL(`${topic}.md`, DOCS), 'utf8');

function packedTopics(): string[] {
  return readdirSync(DOCS, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter(
      (name) => name.endsWith('.md') && !/^(\.vitepress|api|examples|reference|repository)\//.test(name),
    )
    .map((name) => name.slice(0, -3))
    .filter((name) => name !== 'index')
    .sort();
}

/** `sandtable docs`: lists the pages, or prints a page, a part of a page, or the entry of an error code. */
export function docsCommand(topic: string | undefined, part: string | undefined, io: Io): void {
  const topics = packedTopics();
  if (topic === undefined) {
    printText(io, listOf(topics));
    return;
  }
  const name = topic.replace(/^docs\//, '').replace(/\.md$/, '');
  const colour = mayColour(io.stdout, io.env);
  if (topics.includes(name)) {
    printText(io, forTerminal(part === undefined ? pageText(name) : partOf(name, part), colour));
    return;
  }
  const entries = topics.includes(CODES) ? sectionsOf(pageText(CODES)).slice(1) : [];
  const entry = entries.find((text) => text.startsWith(`## ${name}\n`));
  if (entry !== undefined) {
    printText(io, forTerminal(entry, colour));
    return;
  }
  if (ELSEWHERE.includes(name)) {
    printLine(
      io.stdout,
      `This page is docs/${name}.md in the repository of Sandtable. The package does not contain it.${Object.hasOwn(HELP, name) ? ` Run: npx sandtable ${HELP[name]}` : ''}`,
    );
    return;
  }
  const near = nearest(name, [
    ...topics,
    ...ELSEWHERE,
    ...entries.map((text) => text.slice(3, text.indexOf('\n'))),
  ]);
  throw new AppError({
    code: 'unknown_topic',
    message: `Unknown topic "${topic}".${near === undefined ? '' : ` Did you mean ${near}?`}`,
    hint: 'sandtable docs lists all topics. The code of an error is a topic, too.',
    kind: 'input',
  });
}

function listOf(topics: readonly string[]): string {
  const titled = topics.map((topic) => [topic, pageText(topic).match(/^# (.*)$/m)?.[1] ?? ''] as const);
  const width = Math.max(...topics.map((topic) => topic.length));
  const away = ELSEWHERE.filter((topic) => !topics.includes(topic));
  return [
    ...titled.map(([topic, title]) => `${padEnd(topic, width)}  ${title}`),
    ...(away.length === 0 ? [] : ['', `In the repository only: ${away.join(', ')}.`]),
    '',
    'sandtable docs TOPIC prints a page, sandtable docs TOPIC WORD the sections with this word in their heading.',
    'sandtable docs CODE explains the code of an error or of a refused order.',
  ].join('\n');
}

/** Returns the sections of a page whose headings contain a word. Throws if no heading contains it. */
function partOf(topic: string, word: string): string {
  const sections = sectionsOf(pageText(topic)).slice(1);
  const headings = sections.map((text) => text.split('\n', 1)[0]!.replace(/^#+ /, ''));
  const found = sections.filter((_, at) => headings[at]!.toLowerCase().includes(word.toLowerCase()));
  if (found.length > 0) return found.join('\n');
  throw new AppError({
    code: 'unknown_topic',
    message: `The page ${topic} has no heading with "${word}".`,
    hint: `Its headings: ${headings.join('; ')}.`,
    kind: 'input',
  });
}
