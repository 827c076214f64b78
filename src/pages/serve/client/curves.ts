const [WIDE, TALL] = [96, 26];
/** Maximum number of runs per request. */
const MOST = 40;
const SVG = 'http://www.w3.org/2000/svg';

/** Draws the equity curves of rows that become visible. Each run's curve is requested only one time. */
export function startCurves(): (row: HTMLTableRowElement, runId: string) => void {
  const known = new Map<string, readonly number[] | null>();
  const waiting = new Map<string, HTMLTableRowElement>();
  let asking = false;
  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = true;
    // Rows that become visible within 50 ms share one request.
    await new Promise((done) => setTimeout(done, 50));
    while (waiting.size > 0) {
      const some = [...waiting].slice(0, MOST);
      for (const [run] of some) waiting.delete(run);
      const query = some.map(([run]) => `run=${encodeURIComponent(run)}`).join('&');
      try {
        const answer = await fetch(`/api/curves?${query}`);
        const curves = (await answer.json()) as Record<string, readonly number[] | null>;
        for (const [run, row] of some) {
          known.set(run, curves[run] ?? null);
          draw(row, curves[run]);
        }
      } catch {
        // The server does not answer, and the page already shows this. A row is complete without its curve.
        break;
      }
    }
    asking = false;
  };
  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting || !(target instanceof HTMLTableRowElement)) continue;
      observer.unobserve(target);
      waiting.set(target.dataset.run ?? '', target);
    }
    if (waiting.size > 0) void ask();
  });
  return (row, runId) => {
    const curve = known.get(runId);
    if (curve === undefined) observer.observe(row);
    else draw(row, curve);
  };
}

function draw(row: HTMLTableRowElement, curve: readonly number[] | null | undefined): void {
  const cell = row.querySelector('.curve');
  if (cell === null || curve === null || curve === undefined) return;
  const [low, high] = [Math.min(...curve), Math.max(...curve)];
  const y = (value: number): string =>
    (TALL - 1 - ((value - low) / (high - low || 1)) * (TALL - 2)).toFixed(1);
  const points = curve.map((value, at) => `${((at / (curve.length - 1)) * WIDE).toFixed(1)} ${y(value)}`);
  const picture = document.createElementNS(SVG, 'svg');
  picture.setAttribute('viewBox', `0 0 ${WIDE} ${TALL}`);
  picture.setAttribute('aria-hidden', 'true');
  const path = (d: string, name: string): void => {
    const made = document.createElementNS(SVG, 'path');
    made.setAttribute('d', d);
    made.setAttribute('class', name);
    picture.append(made);
  };
  path(`M0 ${y(curve[0]!)}H${WIDE}`, 'start');
  path(`M${points.join('L')}`, 'equity');
  cell.replaceChildren(picture);
}
