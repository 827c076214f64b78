import { byId } from '../../trace/client/dom.ts';
import type { BoardData } from '../board.ts';
import type { ResearchRow } from '../research-row.ts';
import type { RunRow } from '../run-row.ts';
import { stateText } from './words.ts';

interface Shown {
  readonly rows: Map<string, RunRow>;
  readonly research: Map<string, ResearchRow>;
  readonly chosen: Set<string>;
  readonly drawn: Map<string, unknown>;
  readonly onSkipped: (names: readonly string[]) => void;
  readonly draw: () => void;
}

/**
 * Applies live changes from the server. Announces to screen readers only runs that start or end, not each
 * step of progress.
 */
export function startLive(
  { since }: BoardData,
  { rows, research, chosen, drawn, onSkipped, draw }: Shown,
): void {
  const source = new EventSource(`/api/live?since=${encodeURIComponent(since)}`);
  const notLive = byId('not-live', HTMLElement);
  source.addEventListener('open', () => {
    notLive.hidden = true;
  });
  source.addEventListener('error', () => {
    notLive.hidden = false;
  });
  source.addEventListener('rows', (event) => {
    const now = JSON.parse(String(event.data)) as BoardData;
    const said: string[] = [];
    const tell = (name: string, before: string | undefined, after: string): void => {
      if (before !== after && (before !== undefined || after === 'running'))
        said.push(`${name}: ${stateText(after)}`);
    };
    for (const row of now.rows) {
      const before = rows.get(row.runId);
      tell(row.runId, before?.state, row.state);
      if (JSON.stringify(before) !== JSON.stringify(row)) rows.set(row.runId, row);
    }
    for (const row of now.research) {
      tell(row.title, research.get(row.name)?.state, row.state);
      research.set(row.name, row);
    }
    const isGone = (name: string, still: boolean): boolean =>
      now.gone.includes(name) || (now.isWhole && !still);
    const runs = new Set(now.rows.map(({ runId }) => runId));
    for (const name of [...rows.keys()])
      if (isGone(name, runs.has(name))) {
        rows.delete(name);
        chosen.delete(name);
        drawn.delete(name);
      }
    const others = new Set(now.research.map(({ name }) => name));
    for (const name of [...research.keys()]) if (isGone(name, others.has(name))) research.delete(name);
    onSkipped(now.skipped);
    if (said.length > 0) byId('announced', HTMLElement).textContent = said.slice(0, 3).join('; ');
    draw();
  });
}
