/**
 * Returns a function that runs pieces of work one by one and lets the page repaint in between. New work
 * replaces the remaining pieces of earlier work.
 */
export function startLater(): (pieces: readonly (() => void)[]) => void {
  let newest = 0;
  return (pieces) => {
    newest += 1;
    const own = newest;
    document.body.dataset.working = '';
    const goOn = async (): Promise<void> => {
      for (const piece of pieces) {
        await painted();
        if (own !== newest) return;
        piece();
      }
      delete document.body.dataset.working;
    };
    void goOn();
  };
}

/** Milliseconds after which work continues if the page is hidden and therefore not painted. */
const UNSEEN = 200;

function painted(): Promise<void> {
  return new Promise((resolve) => {
    const unseen = setTimeout(resolve, UNSEEN);
    requestAnimationFrame(() => {
      clearTimeout(unseen);
      setTimeout(resolve, 0);
    });
  });
}
