import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserPath,
  closeBrowser,
  type OpenPage,
  openPage,
  type PageOptions,
} from '../../features/support/browser.ts';
import { skipBecause } from '../missing.ts';
import { sampled } from '../support/depth.ts';
import { accessFaults, clippedTexts, keyboardFaults, layoutShift, settle } from './gallery/appearance.ts';
import { NOON } from './gallery/commands.ts';
import { type Gallery, makeGallery, PAGE_NAMES } from './gallery/gallery.ts';
import { compareWithKept } from './gallery/kept.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: pages were not looked at.');

/** Widths of screens, in CSS pixels. */
const WIDTHS = [1440, 1024, 390] as const;
/** Each page at each width. A sample contains every second page at one width, and the widths alternate. */
const OPENED = sampled(
  PAGE_NAMES.flatMap((name, place) =>
    WIDTHS.map((_, turn) => [name, WIDTHS[(place + turn) % WIDTHS.length]!] as const),
  ),
  2 * WIDTHS.length,
);

describe.skipIf(browserPath() === undefined)('pages of every kind', () => {
  let gallery: Gallery;
  beforeAll(async () => {
    gallery = await makeGallery();
  });
  afterAll(async () => {
    await gallery.close();
    await closeBrowser();
  });

  async function opened(name: (typeof PAGE_NAMES)[number], width: number, options?: PageOptions) {
    const height = Math.round(width > 800 ? width * 0.6 : width * 2);
    const open = await openPage(gallery.pages[name], width, height, { now: NOON, ...options });
    await settle(open.page);
    return open;
  }

  describe.each(OPENED)('%s, %i wide', (name, width) => {
    let open: OpenPage;
    let shift: number;
    beforeAll(async () => {
      open = await opened(name, width);
      shift = await layoutShift(open.page);
    });
    afterAll(() => open?.page.context().close());

    it('looks as kept', async () => {
      expect(await compareWithKept(open.page, `${name}-${width}`)).toBe('');
    });

    it('does not shift or animate, also with reduced motion', async () => {
      expect(shift).toBeLessThan(0.1);
      const moving = await open.page.evaluate(() => [
        getComputedStyle(document.documentElement).scrollBehavior,
        document.getAnimations().length,
      ]);
      expect(moving).toEqual(['auto', 0]);
    });

    // Before any click, because Tab continues from the last clicked element.
    if (width === WIDTHS[0])
      it('can be used by keyboard', async () => {
        expect(await keyboardFaults(open.page)).toEqual([]);
      });

    it('is accessible and has no truncated text, in light and dark', async () => {
      const { page, complaints } = open;
      expect(await clippedTexts(page)).toEqual([]);
      expect(await accessFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Change between light and dark' }).click();
      // The other theme changes only colours, so only the contrast is checked.
      expect(await accessFaults(page, ['color-contrast'])).toEqual([]);
      expect(complaints).toEqual([]);
    });
  });

  it.each(sampled(PAGE_NAMES, 11, 5))('%s is complete at 200 % zoom', async (name) => {
    const { page } = await opened(name, 720, { scale: 2 });
    expect(await clippedTexts(page)).toEqual([]);
    expect(await accessFaults(page)).toEqual([]);
    await page.context().close();
  });
});
