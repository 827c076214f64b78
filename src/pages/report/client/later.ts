/** Does work piece by piece, each once the page has been painted; newer work takes the place of what is left of older. */
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

/** Milliseconds after which a page that nobody sees, and that is not painted, goes on. */
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
