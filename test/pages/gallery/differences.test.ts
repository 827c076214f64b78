import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserPath, closeBrowser, openPage } from '../../../features/support/browser.ts';
import { skipBecause } from '../../missing.ts';
import { broadDifferenceOf, differenceOf } from './differences.ts';
import { coarsened, type Picture, palettePng, readPicture, scaled } from './picture.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: pictures of pages were not compared.');

const WORDS =
  'Of all that is tried on past prices most was luck, and the rest is found in ranges and in costs. ';

const pageOf = (style: string): string =>
  `data:text/html,${encodeURIComponent(`<!doctype html><style>
body { font: 16px "DejaVu Sans"; margin: 24px; background: #f6f7f9; color: #1a2129 }
section { background: #fff; border: 1px solid #dfe3e8; border-radius: 8px; padding: 16px; margin: 0 0 16px; width: 600px; position: relative }
${style}</style>${['first', 'second', 'third'].map((id) => `<section id=${id}><h2>Card ${id}</h2><p>${WORDS.repeat(4)}</p></section>`).join('')}`)}`;

describe.skipIf(browserPath() === undefined)('a page compared with its stored picture', () => {
  let page: Page;
  let kept: Picture;
  let keptWhole: Picture;
  beforeAll(async () => {
    ({ page } = await openPage(pageOf(''), 1024, 900));
    keptWhole = await whole('');
    kept = readPicture(palettePng(halved(keptWhole)));
  });
  afterAll(closeBrowser);

  async function whole(style: string): Promise<Picture> {
    await page.goto(pageOf(style));
    return readPicture(await page.screenshot({ fullPage: true }));
  }
  const halved = (one: Picture): Picture => coarsened(scaled(one, one.width / 2, Math.round(one.height / 2)));
  const taken = async (style: string): Promise<Picture> => halved(await whole(style));

  it('is equal when taken again', async () => {
    expect(differenceOf(kept, await taken('')).said).toBe('');
  });

  it.each([
    ['a card moved by ten pixels', '#second { left: 10px }'],
    ['a card that is gone', '#second { visibility: hidden }'],
    ['another colour of a heading', 'h2 { color: #b3261e }'],
    ['a page that is longer', 'body { padding-bottom: 400px }'],
    ['text that overlaps', '#third p { margin-top: -20px }'],
  ])('differs by %s', async (_, style) => {
    const { said, picture } = differenceOf(kept, await taken(style));
    expect(said).not.toBe('');
    expect(picture).toBeDefined();
  });

  it.each([
    [
      'how edges are smoothed',
      'body { -webkit-font-smoothing: antialiased; text-rendering: geometricPrecision }',
    ],
    ['a part of a pixel', 'p { position: relative; left: 0.3px; top: 0.3px }'],
    ['a shade', 'body { color: #222a32 }'],
  ])('does not differ by %s', async (_, style) => {
    const now = await whole(style);
    expect(Buffer.compare(now.data, keptWhole.data)).not.toBe(0);
    expect(differenceOf(kept, halved(now)).said).toBe('');
  });

  it('in another font is compared by the positions of its ink', async () => {
    const other = await taken('body { font-family: "Liberation Sans"; font-size: 17.5px }');
    expect(differenceOf(kept, other).said).not.toBe('');
    expect(broadDifferenceOf(kept, other).said).toBe('');
    for (const style of [
      '#second { visibility: hidden }',
      '#second { left: 350px }',
      '#second { display: none }',
    ])
      expect(broadDifferenceOf(kept, await taken(style)).said, style).not.toBe('');
  });
});
