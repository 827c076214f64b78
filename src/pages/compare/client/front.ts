/** Emphasises the run under the pointer, in the table or a picture, in all pictures. */
export function startFront(): void {
  const readout = document.getElementById('front');
  if (readout === null) return;
  const own = readout.textContent;
  let shown: string | undefined;
  const show = (run: string | undefined): void => {
    if (run === shown) return;
    shown = run;
    for (const old of document.querySelectorAll('.front')) old.classList.remove('front');
    if (run === undefined) {
      readout.textContent = own;
      return;
    }
    for (const mark of document.querySelectorAll<HTMLElement | SVGElement>(`[data-run="${run}"]`)) {
      mark.classList.add('front');
      // SVG draws later elements above earlier ones.
      if (mark instanceof SVGElement) mark.parentElement?.append(mark);
    }
    const title = document.querySelector(`circle[data-run="${run}"] title`)?.textContent;
    readout.textContent =
      title ?? document.querySelector(`path[data-run="${run}"] title`)?.textContent ?? own;
  };
  const runOf = ({ target }: Event): string | undefined =>
    target instanceof Element ? target.closest<HTMLElement>('[data-run]')?.dataset.run : undefined;
  for (const event of ['pointerover', 'focusin', 'click'] as const)
    document.addEventListener(event, (happened) => {
      const run = runOf(happened);
      if (run !== undefined) show(run);
    });
}
