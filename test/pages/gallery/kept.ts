import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Page } from 'playwright-core';
import { broadDifferenceOf, differenceOf } from './differences.ts';
import { coarsened, type Picture, palettePng, pngOf, readPicture, scaled } from './picture.ts';

/** Folder of the reference pictures, which have half the size of the pages. */
const KEPT = join(import.meta.dirname, '../kept');
const FONTS = join(KEPT, 'fonts.json');
const SCALE = 2;

/** Folder for pictures that show differences: the current page, and the changed parts. */
const DIFFERENCES = process.env.SANDTABLE_SHOTS ?? join(tmpdir(), 'sandtable-shots');

/**
 * Style that makes Chromium draw all sections. With `content-visibility: auto`, sections outside of the
 * window may be missing in a picture of the whole page.
 */
const DRAWN = 'main > section { content-visibility: visible !important; }';

const isRenewing = (): boolean => process.env.SANDTABLE_RENEW_SHOTS === '1';

/**
 * Compares a page with its reference picture, or replaces the picture if `SANDTABLE_RENEW_SHOTS` is 1.
 * Returns the difference as a sentence, empty if equal.
 */
export async function compareWithKept(page: Page, name: string): Promise<string> {
  const whole = readPicture(
    await page.screenshot({ fullPage: true, animations: 'disabled', caret: 'hide', style: DRAWN }),
  );
  const taken = coarsened(scaled(whole, Math.round(whole.width / SCALE), Math.round(whole.height / SCALE)));
  const [file, fonts] = [join(KEPT, `${name}.png`), await fontsOf(page)];
  if (isRenewing()) {
    keep(file, taken);
    writeFileSync(FONTS, `[${fonts.join(', ')}]\n`);
    return '';
  }
  if (!existsSync(file))
    return process.env.CI === 'true' ? `${name} has no kept picture. SANDTABLE_RENEW_SHOTS=1 keeps one.` : '';
  const kept = readPicture(readFileSync(file));
  const isSameFont = isDeepStrictEqual(JSON.parse(readFileSync(FONTS, 'utf8')), fonts);
  const { said, picture } = (isSameFont ? differenceOf : broadDifferenceOf)(kept, taken);
  if (said === '') return '';
  mkdirSync(DIFFERENCES, { recursive: true });
  const places = { now: join(DIFFERENCES, `${name}.now.png`), what: join(DIFFERENCES, `${name}.diff.png`) };
  writeFileSync(places.now, pngOf(whole));
  if (picture !== undefined) writeFileSync(places.what, picture);
  return `${name}: ${said}. See ${picture === undefined ? places.now : `${places.what} and ${places.now}`}.`;
}

/** Writes a picture only if it differs beyond the tolerance, so that unchanged files remain untouched. */
function keep(file: string, taken: Picture): void {
  mkdirSync(KEPT, { recursive: true });
  if (existsSync(file) && differenceOf(readPicture(readFileSync(file)), taken).said === '') return;
  writeFileSync(file, palettePng(taken));
}

/** Returns widths of sample letters in the page's font, which identify the font. */
async function fontsOf(page: Page): Promise<readonly number[]> {
  return page.evaluate(() => {
    const context = document.createElement('canvas').getContext('2d')!;
    const { fontFamily } = getComputedStyle(document.body);
    return ['400', '700'].map((weight) => {
      context.font = `${weight} 100px ${fontFamily}`;
      return Math.round(context.measureText('Hamburgefonstiv 0123456789').width);
    });
  });
}
