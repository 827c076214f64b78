/**
 * Makes the runs of the gallery: `npm run docs:gallery [-- NAME ...]`. Follows each page of docs/gallery as a reader
 * would, compares the output of its commands, and copies the pages that Sandtable wrote to docs/public/gallery, which is
 * not in git. The front matter of a page lists the pages to copy.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { plain, walk } from '../test/docs/walk.ts';
import { equityPicture } from './equity-picture.ts';

const SOURCE = join(import.meta.dirname, 'gallery');
const TARGET = join(import.meta.dirname, 'public', 'gallery');
/** Paths of the checkout that the commands use. */
const LINKS = ['data', 'strategies', 'docs', 'package.json'];
/** Folder in which the commands of each page make their runs. */
const OUT = 'out';

const frontMatter = z.object({ pages: z.array(z.string()).min(1) });

/** Returns the names of the gallery's pages, without the page that lists them. */
export function galleryNames(): string[] {
  return readdirSync(SOURCE)
    .filter((name) => name.endsWith('.md') && name !== 'index.md')
    .map((name) => basename(name, '.md'))
    .sort();
}

/** Makes one page's runs. Throws if a command fails or prints something else than the page shows. */
async function makeRun(name: string): Promise<void> {
  const page = readFileSync(join(SOURCE, `${name}.md`), 'utf8');
  const { pages } = frontMatter.parse(parse(/^---\n([\s\S]*?)\n---\n/.exec(page)?.[1] ?? ''));
  const faults: string[] = [];
  const outputs: string[] = [];
  await walk(
    page,
    ({ step, output, status }) => {
      const place = `docs/gallery/${name}.md:${step.line}`;
      outputs.push(output);
      if (status !== 0) faults.push(`${place}: exit code ${status}`);
      const printed = plain(output);
      for (const line of step.expected)
        if (!printed.includes(plain(line))) faults.push(`${place}: the commands do not print "${line}"`);
    },
    {
      links: LINKS,
      onEnd: (folder) => {
        if (faults.length > 0) return;
        const made = readdirSync(join(folder, OUT), { recursive: true }).map(String).sort();
        const shown = page.includes(`(/gallery/${name}/equity.svg)`) ? [...pages, 'equity.csv'] : pages;
        for (const wanted of shown) {
          const from = made.find((path) => basename(path) === wanted);
          if (from !== undefined) publish(join(folder, OUT, from), name, wanted);
          else faults.push(`docs/gallery/${name}.md: the commands write no ${wanted}`);
        }
      },
    },
  );
  if (faults.length > 0) throw new Error([...faults, ...outputs].join('\n'));
}

function publish(from: string, name: string, wanted: string): void {
  const text = readFileSync(from, 'utf8');
  const to = join(TARGET, name, wanted.replace('.csv', '.svg'));
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, wanted.endsWith('.csv') ? equityPicture(text) : text);
}

if (process.argv[1] === import.meta.filename) {
  const only = process.argv.slice(2);
  const names = galleryNames().filter((name) => only.length === 0 || only.includes(name));
  const began = performance.now();
  for (const name of names) {
    rmSync(join(TARGET, name), { recursive: true, force: true });
    const start = performance.now();
    try {
      await makeRun(name);
    } catch (error) {
      process.exitCode = 1;
      console.error(error instanceof Error ? error.message : error);
    }
    console.log(`${name}: ${((performance.now() - start) / 1000).toFixed(1)} s`);
  }
  console.log(`${names.length} pages of the gallery in ${((performance.now() - began) / 1000).toFixed(0)} s`);
}
