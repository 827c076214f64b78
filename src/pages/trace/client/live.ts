import type { StepSummary, TraceData } from '../step.ts';
import { byId } from './dom.ts';
import { shortAmount } from './numbers.ts';
import type { StepSource } from './source.ts';

/**
 * Follows an active run.
 *
 * @param onNews called with the number of bars and the new or changed steps
 */
export function follow(
  data: TraceData,
  source: StepSource,
  onNews: (bars: number, steps: readonly StepSummary[]) => void,
): void {
  const live = document.getElementById('live');
  if (data.api === null || !data.running || live === null) return;
  let { revision } = data;
  const events = new EventSource(`${data.api}/live`);
  events.addEventListener('progress', (event) => {
    const now = JSON.parse(String(event.data)) as {
      bars: number;
      planned: number;
      date: string;
      equity: string;
      outcome: string | null;
    };
    byId('processed', HTMLElement).textContent =
      `${now.bars.toLocaleString('en-US')} of ${now.planned.toLocaleString('en-US')} bars`;
    live.textContent =
      now.outcome === null
        ? `This run is under way: ${now.date}, equity ${shortAmount(now.equity)}.`
        : `This run has ended: ${now.outcome}, equity ${shortAmount(now.equity)}.`;
    if (now.outcome !== null) events.close();
    source
      .news(revision)
      .then((news) => {
        revision = news.revision;
        onNews(now.bars, news.steps);
      })
      .catch(() => {
        // The next event triggers another request.
      });
  });
}
