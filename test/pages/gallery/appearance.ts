import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

let axeSource: string | undefined;

/** Returns the accessibility faults found by axe, one line per rule. Empty without faults. */
export async function accessFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  axeSource ??= readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Evaluated through the browser driver, because the page's policy forbids additional script elements.
  await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const { axe } = window as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const found = await axe.run(only === undefined ? {} : { runOnly: { type: 'rule', values: only } });
    return found.violations.map(
      ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`,
    );
  }, rules);
}

/** Waits until everything is drawn, including parts that are drawn only when visible. */
export async function settle(page: Page): Promise<void> {
  if ((await page.locator('script[type="application/json"]#data').count()) > 0)
    await page.locator('main').waitFor();
  if ((await page.locator('#time-chart').count()) > 0)
    await page.locator('body[data-ready]').waitFor({ state: 'attached' });
  if ((await page.locator('#strip').count()) > 0)
    await page.locator('body[data-whole]').waitFor({ state: 'attached' });
  if ((await page.locator('table#runs').count()) > 0) {
    await page.locator('#runs tr[data-run]').first().waitFor();
    // The time at which the server read the folder differs in every test run.
    await page.locator('.stamp').evaluateAll((stamps) => {
      for (const stamp of stamps) stamp.textContent = 'Results folder read on 2026-01-05 12:00 UTC.';
    });
  }
  const isList = (await page.locator('table#runs').count()) > 0;
  if ((await page.locator('#overview').count()) > 0) await page.locator('#overview canvas').first().waitFor();
  const chart = page.locator('#time-chart');
  if ((await chart.count()) > 0) {
    // The chart is made when it comes into view, which may take longer than a frame on a busy machine.
    await chart.scrollIntoViewIfNeeded();
    await chart.locator('canvas').first().waitFor();
  }
  await page.evaluate(async () => {
    const frame = (): Promise<void> =>
      new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(() => done()));
      });
    await document.fonts.ready;
    for (let top = 0; top < document.documentElement.scrollHeight; top += innerHeight) {
      scrollTo(0, top);
      await frame();
    }
    scrollTo(0, 0);
    await frame();
  });
  // Curves are requested when their rows become visible.
  if (isList)
    await page.waitForFunction(() =>
      [...document.querySelectorAll('tr[data-run] .curve')].every((cell) => cell.firstChild !== null),
    );
}

/** Returns the cumulative layout shift while the page opened, measured by the browser. */
export async function layoutShift(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((done) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) sum += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        // The observer reports past shifts in a later task.
        setTimeout(() => done(sum), 200);
      }),
  );
}

/**
 * Returns texts that are not visible: outside the screen without scrolling, or clipped by their container.
 */
export async function clippedTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const root = document.documentElement;
    const faults: string[] = [];
    const named = (one: Element): string =>
      `${one.tagName.toLowerCase()}${one.id === '' ? '' : `#${one.id}`}.${one.getAttribute('class') ?? ''}`;
    if (root.scrollWidth > root.clientWidth) {
      const wide = [...document.querySelectorAll('body *')].filter(
        (one) =>
          one.getBoundingClientRect().right > root.clientWidth + 1 && one.closest('.frame, .hidden') === null,
      );
      faults.push(
        `the page is ${root.scrollWidth} wide: ${wide
          .slice(0, 6)
          .map((one) => `${one.parentElement === null ? '' : named(one.parentElement)} > ${named(one)}`)
          .join(', ')}`,
      );
    }
    const scrolls = (one: Element): boolean => /auto|scroll/.test(getComputedStyle(one).overflowX);
    const isHidden = (one: Element): boolean => one.closest('.hidden') !== null || !one.checkVisibility();
    for (const one of document.querySelectorAll('body *')) {
      const text = [...one.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && (node.textContent ?? '').trim() !== '',
      );
      if (!text || isHidden(one) || one.closest('script, style, canvas, svg, select') !== null) continue;
      const { left, right, width } = one.getBoundingClientRect();
      if (width < 2) continue;
      for (
        let holder = one.parentElement;
        holder !== null && holder !== document.body;
        holder = holder.parentElement
      ) {
        if (scrolls(holder)) break;
        const { overflowX } = getComputedStyle(holder);
        const box = holder.getBoundingClientRect();
        if (/hidden|clip/.test(overflowX) && (right > box.right + 1 || left < box.left - 1))
          faults.push(`"${(one.textContent ?? '').trim().slice(0, 40)}" is cut by ${named(holder)}`);
      }
      if (/hidden|clip/.test(getComputedStyle(one).overflowX) && one.scrollWidth > one.clientWidth + 1)
        faults.push(`"${(one.textContent ?? '').trim().slice(0, 40)}" is cut in ${named(one)}`);
    }
    return [...new Set(faults)];
  });
}

/** Moves the focus through the page with Tab. Returns the faults of its order and visibility. */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const count = await page.evaluate(() => {
    const state = window as unknown as { stops: Element[]; expected: Element[]; faults: string[] };
    const named = (one: Element): string =>
      `${one.tagName.toLowerCase()}${one.id === '' ? '' : `#${one.id}`} "${(one.getAttribute('aria-label') ?? one.textContent ?? '').trim().slice(0, 40)}"`;
    state.stops = [];
    state.faults = [];
    const selector =
      'a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^="-"]), [contenteditable]';
    state.expected = [...document.querySelectorAll<HTMLElement>(selector)].filter(
      (one) =>
        one.checkVisibility({ visibilityProperty: true }) &&
        one.tabIndex >= 0 &&
        !one.matches(':disabled, [inert] *'),
    );
    for (const one of state.expected)
      if (one instanceof HTMLElement && one.tabIndex > 0) state.faults.push(`${named(one)} jumps the queue`);
    for (const chart of document.querySelectorAll('canvas')) {
      const holder = chart.closest('[tabindex="0"], [role="application"], figure, section');
      if (holder === null || !state.expected.some((one) => one.contains(chart) || holder.contains(one)))
        state.faults.push(`no way leads to the chart in ${named(chart.parentElement!)}`);
    }
    document.addEventListener('focusin', ({ target }) => {
      const one = target as HTMLElement;
      if (state.stops.includes(one)) state.faults.push(`${named(one)} is met twice`);
      state.stops.push(one);
      if (one.closest('#tv-attr-logo') !== null) state.faults.push(`${named(one)} is a logo`);
      const { outlineStyle, boxShadow } = getComputedStyle(one);
      if (one.matches(':focus-visible') && outlineStyle === 'none' && boxShadow === 'none')
        state.faults.push(`${named(one)} does not show that it has the focus`);
    });
    scrollTo(0, 0);
    (document.activeElement as HTMLElement | null)?.blur();
    return state.expected.length;
  });
  // Additional key presses, because browsers add scrollable frames as Tab stops.
  for (let press = 0; press < count; press++) await page.keyboard.press('Tab');
  for (let press = 0; press < 60; press++) {
    if (await page.evaluate(() => document.activeElement === document.body)) break;
    await page.keyboard.press('Tab');
  }
  return page.evaluate(() => {
    const { stops, expected, faults } = window as unknown as {
      stops: Element[];
      expected: Element[];
      faults: string[];
    };
    const missed = expected
      .filter((one) => !stops.includes(one))
      .map((one) => `never met: ${one.outerHTML.slice(0, 120)}`);
    const places = stops.filter((one) => expected.includes(one)).map((one) => expected.indexOf(one));
    const disorder = places.some((place, at) => at > 0 && place < places[at - 1]!);
    return [
      ...new Set(faults),
      ...missed.slice(0, 5),
      ...(disorder ? ['Tab does not follow the page’s order'] : []),
    ];
  });
}
