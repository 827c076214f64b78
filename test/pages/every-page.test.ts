import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  browserPath,
  closeBrowser,
  type OpenPage,
  openPage,
  type PageOptions,
} from '../../features/support/browser.ts';
import { skipBecause } from '../missing.ts';
import { NOON } from './gallery/commands.ts';
import { type Gallery, makeGallery, PAGE_NAMES } from './gallery/gallery.ts';
import { compareWithKept } from './gallery/kept.ts';
import { accessFaults, clippedTexts, keyboardFaults, layoutShift, settle } from './gallery/looks.ts';

if (browserPath() === undefined) skipBecause('There is no Chromium: pages were not looked at.');

/** Widths of screens, in CSS pixels. */
const WIDTHS = [1440, 1024, 390] as const;

describe.skipIf(browserPath() === undefined)('pages of every kind', () => {
  let gallery: Gallery;
  let open: OpenPage;
  beforeAll(async () => {
    gallery = await makeGallery();
  });
  afterAll(async () => {
    await gallery.close();
    await closeBrowser();
  });

  async function opened(name: (typeof PAGE_NAMES)[number], width: number, options?: PageOptions) {
    open = await openPage(gallery.pages[name], width, Math.round(width > 800 ? width * 0.6 : width * 2), {
      now: NOON,
      ...options,
    });
    await settle(open.page);
    return open.page;
  }

  describe.each(PAGE_NAMES)('%s', (name) => {
    it.each(WIDTHS)('looks as kept %i wide', async (width) => {
      const page = await opened(name, width);
      expect(await compareWithKept(page, `${name}-${width}`)).toBe('');
      await page.context().close();
    });

    it.each(WIDTHS)('shows all to everybody %i wide, light and dark, and holds still', async (width) => {
      const page = await opened(name, width);
      expect(await layoutShift(page)).toBeLessThan(0.1);
      expect(await clippedTexts(page)).toEqual([]);
      expect(await accessFaults(page)).toEqual([]);
      await page.getByRole('button', { name: 'Change between light and dark' }).click();
      // The other colours change nothing else.
      expect(await accessFaults(page, ['color-contrast'])).toEqual([]);
      expect(open.complaints).toEqual([]);
      await page.context().close();
    });

    it('is whole at a zoom of 200 %', async () => {
      const page = await opened(name, 720, { scale: 2 });
      expect(await clippedTexts(page)).toEqual([]);
      expect(await accessFaults(page)).toEqual([]);
      await page.context().close();
    });

    it('is walked through by keyboard, and moves nothing for those who want it still', async () => {
      const page = await opened(name, 1440);
      const moving = await page.evaluate(() => [
        getComputedStyle(document.documentElement).scrollBehavior,
        document.getAnimations().length,
      ]);
      expect(moving).toEqual(['auto', 0]);
      expect(await keyboardFaults(page)).toEqual([]);
      await page.context().close();
    });
  });
});
