import { byId } from '../../trace/client/folding.ts';
import type { PageData } from '../model/page-data.ts';
import { type Range, rangeBetween, secondsOf, wholeRange } from '../model/range.ts';
import { daysOf, type ViewStore } from './view.ts';

const MONTH = 21;
/** Minimum movement of the pointer in pixels that counts as dragging. */
const DRAWN = 4;

/**
 * Connects the strip with which the user selects the period of the page. The user drags a period, moves its
 * ends, enters dates or selects a named period.
 *
 * @param onMove called while the user drags a period
 */
export function startStrip(data: PageData, view: ViewStore, onMove: (range: Range) => void): void {
  if (document.getElementById('strip') === null) return;
  const brush = byId('brush', HTMLElement);
  const shown = byId('brush-range', HTMLElement);
  const handles = [byId('brush-from', HTMLButtonElement), byId('brush-to', HTMLButtonElement)] as const;
  const preset = byId('preset', HTMLSelectElement);
  const [first, last] = [byId('range-from', HTMLInputElement), byId('range-to', HTMLInputElement)];
  const all = byId('range-all', HTMLButtonElement);
  const whole = wholeRange(data);
  document.getElementById('brush-line')?.setAttribute('d', equityPath(data));

  const ranges = data.presets.map(({ from, to }) => rangeBetween(data, from, to));
  const show = (range: Range): void => {
    const count = whole.to;
    shown.style.left = `${(range.from / count) * 100}%`;
    shown.style.right = `${(1 - range.to / count) * 100}%`;
    const days = daysOf(data, range);
    [first.value, last.value] = [days.from, days.to];
    const isWhole = range.from === whole.from && range.to === whole.to;
    all.disabled = isWhole;
    document.body.toggleAttribute('data-part', !isWhole);
    document.body.style.setProperty('--period', `"${days.from} to ${days.to}"`);
    for (const [place, handle] of handles.entries()) {
      handle.setAttribute('aria-valuemin', String(place === 0 ? 0 : range.from));
      handle.setAttribute('aria-valuemax', String(place === 0 ? range.to : whole.to));
      handle.setAttribute('aria-valuenow', String(place === 0 ? range.from : range.to));
      handle.setAttribute('aria-valuetext', place === 0 ? days.from : days.to);
    }
    const known = ranges.findIndex((own) => own?.from === range.from && own.to === range.to);
    preset.value = isWhole ? '' : known < 0 ? 'own' : String(known);
  };
  const choose = (range: Range | undefined): void => {
    if (range !== undefined) view.change({ range });
    else show(view.now.range);
  };

  preset.addEventListener('change', () => {
    choose(preset.value === '' ? whole : ranges[Number(preset.value)]);
  });
  for (const input of [first, last])
    input.addEventListener('change', () => {
      const [from, to] = [secondsOf(first.value), secondsOf(last.value)];
      choose(from === undefined || to === undefined ? undefined : rangeBetween(data, from, to));
    });
  all.addEventListener('click', () => choose(whole));
  for (const [place, handle] of handles.entries())
    handle.addEventListener('keydown', (event) => {
      const { range } = view.now;
      const steps: Readonly<Record<string, number>> = {
        ArrowLeft: -1,
        ArrowDown: -1,
        ArrowRight: 1,
        ArrowUp: 1,
        PageDown: -MONTH,
        PageUp: MONTH,
        Home: -whole.to,
        End: whole.to,
      };
      const step = steps[event.key];
      if (step === undefined) return;
      event.preventDefault();
      const next =
        place === 0
          ? { from: clamp(range.from + step, 0, range.to), to: range.to }
          : { from: range.from, to: clamp(range.to + step, range.from, whole.to) };
      view.change({ range: next }, true);
    });

  const sessionAt = (event: PointerEvent): number => {
    const box = brush.getBoundingClientRect();
    return clamp(Math.round(((event.clientX - box.left) / box.width) * whole.to), 0, whole.to);
  };
  brush.addEventListener('pointerdown', (event) => {
    const held = handles.indexOf(event.target as HTMLButtonElement);
    const { range } = view.now;
    const anchor = held === 0 ? range.to : held === 1 ? range.from : sessionAt(event);
    const startX = event.clientX;
    let drawn: Range | undefined;
    let isDrawn = held >= 0;
    brush.setPointerCapture(event.pointerId);
    const move = (now: PointerEvent): void => {
      isDrawn ||= Math.abs(now.clientX - startX) >= DRAWN;
      if (!isDrawn) return;
      const at = sessionAt(now);
      drawn = { from: Math.min(anchor, at), to: Math.max(anchor, at) };
      show(drawn);
      onMove(drawn);
    };
    const end = (): void => {
      brush.removeEventListener('pointermove', move);
      brush.removeEventListener('pointerup', end);
      brush.removeEventListener('pointercancel', end);
      if (drawn !== undefined) choose(drawn);
    };
    brush.addEventListener('pointermove', move);
    brush.addEventListener('pointerup', end);
    brush.addEventListener('pointercancel', end);
  });
  view.onChange(({ range }, before) => {
    if (range !== before.range) show(range);
  });
  show(view.now.range);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), high);
}

/** Returns the equity of the whole run as a filled SVG path. The path is 1000 units wide and 40 high. */
function equityPath({ sessions: { equity } }: PageData): string {
  const [low, high] = [Math.min(...sampled(equity)), Math.max(...sampled(equity))];
  const points = sampled(equity).map((value, at, all) => {
    const x = (at / Math.max(all.length - 1, 1)) * 1000;
    const y = 37 - ((value - low) / (high - low || 1)) * 34;
    return `${x.toFixed(1)} ${y.toFixed(1)}`;
  });
  return `M0 40L${points.join('L')}L1000 40Z`;
}

function sampled(values: readonly number[]): number[] {
  const step = Math.max(1, (values.length - 1) / 600);
  return Array.from(
    { length: Math.min(values.length, 601) },
    (_, at) => values[Math.round(at * step)] ?? values.at(-1)!,
  );
}
