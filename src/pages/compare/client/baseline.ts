/**
 * Shows the parts of the page that belong to the selected baseline. The address contains the baseline, so
 * that the view can be shared.
 */
export function startBaseline(): void {
  const choice = document.getElementById('baseline');
  if (!(choice instanceof HTMLSelectElement)) return;
  const show = (): void => {
    for (const part of document.querySelectorAll<HTMLElement>('[data-baseline]'))
      part.hidden = part.dataset.baseline !== choice.value;
  };
  const read = (): void => {
    const asked = /^#baseline=(\d+)$/.exec(location.hash)?.[1] ?? '0';
    choice.value = [...choice.options].some(({ value }) => value === asked) ? asked : '0';
    show();
  };
  choice.addEventListener('change', () => {
    history.replaceState(null, '', `#baseline=${choice.value}`);
    show();
  });
  addEventListener('hashchange', read);
  read();
}
