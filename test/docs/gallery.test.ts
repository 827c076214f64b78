import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { equityPicture } from '../../docs/equity-picture.ts';
import { galleryNames } from '../../docs/make-gallery.ts';
import { ROOT } from './blocks.ts';
import { stepsOf } from './walk.ts';

const pageOf = (name: string): string => readFileSync(`${ROOT}docs/gallery/${name}.md`, 'utf8');

it('the gallery has twelve listed pages', () => {
  const index = pageOf('index');
  expect(galleryNames()).toHaveLength(12);
  for (const name of galleryNames()) expect(index).toContain(`](${name}.md)`);
});

it.each(galleryNames())('the page %s has a command with output, existing files, and a lesson', (name) => {
  const page = pageOf(name);
  const steps = stepsOf(page);
  expect(steps.some(({ expected }) => expected.length > 0)).toBe(true);
  expect(page).toContain('\n## What to learn\n');
  for (const [, path = ''] of page.matchAll(/\b((?:data|strategies|docs)\/[\w./-]+\.\w+)/g))
    expect(existsSync(`${ROOT}${path}`), path).toBe(true);
  // Each data file must be part of the repository or be created by a command on the page.
  for (const { text } of steps)
    for (const [, data = ''] of text.matchAll(/--data (\S+)/g))
      expect(data.startsWith('data/') || page.includes(`--out ${data}`), data).toBe(true);
});

it('a picture of the equity shows the first and last values and dates', () => {
  const picture = equityPicture('bar,date,cash,equity\n0,2020-01-02,100,100\n1,2020-01-03,0,1250.4\n');
  for (const text of ['>100<', '>1,250<', '>2020-01-02<', '>2020-01-03<']) expect(picture).toContain(text);
});
