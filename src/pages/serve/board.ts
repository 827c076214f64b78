import { randomBytes } from 'node:crypto';
import type { LiveEvent } from './live.ts';
import type { ResearchRow } from './research-row.ts';
import { ResearchStore } from './research-store.ts';
import type { RunRow } from './run-row.ts';
import type { RunStore } from './run-store.ts';
import type { Tags } from './tags.ts';

/** Rows of the list page, or the rows that have changed. */
export interface BoardData {
  /** Revision. A page sends it back to get only later changes. */
  readonly since: string;
  /** True if all rows are included, not only changed ones. */
  readonly isWhole: boolean;
  readonly rows: readonly RunRow[];
  readonly research: readonly ResearchRow[];
  /** Names of removed runs and research folders. */
  readonly gone: readonly string[];
  /** Folders that are neither runs nor research results. */
  readonly skipped: readonly string[];
}

/** Milliseconds for which a scan of the folder is reused. Several open pages share a scan. */
const SHARED = 400;

/** Contents of a results folder, with a revision number for each change. */
export class Board {
  readonly #store: RunStore;
  readonly #tags: Tags;
  readonly #research: ResearchStore;
  /** Identifies this start of the server. Revisions from an earlier start are not valid. */
  readonly #epoch = randomBytes(6).toString('hex');
  readonly #seen = new Map<string, { readonly row: RunRow | ResearchRow; readonly revision: number }>();
  readonly #gone = new Map<string, number>();
  #revision = 0;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #now: Omit<BoardData, 'since' | 'isWhole' | 'gone'> = { rows: [], research: [], skipped: [] };

  constructor(store: RunStore, tags: Tags) {
    this.#store = store;
    this.#tags = tags;
    this.#research = new ResearchStore(store.root);
  }

  /** Returns all current rows. */
  all(): BoardData {
    this.#look();
    return { ...this.#now, since: this.#sinceNow(), isWhole: true, gone: [] };
  }

  /**
   * Returns a function that polls for changes. Each call returns the rows that changed since the previous
   * call.
   */
  follow(since: string | null): () => Promise<{ events: LiveEvent[]; last: boolean }> {
    const [epoch, given] = (since ?? '').split('.');
    let told = epoch === this.#epoch && /^\d+$/.test(given ?? '') ? Number(given) : -1;
    return () => {
      if (performance.now() - this.#lookedAt > SHARED) this.#look();
      const isTold = told === this.#revision;
      const events = isTold ? [] : [{ name: 'rows', data: this.#after(told) }];
      told = this.#revision;
      return Promise.resolve({ events, last: false });
    };
  }

  #after(told: number): BoardData {
    const isNew = ({ name, key }: { name: string; key: string }): boolean =>
      (this.#seen.get(`${key}${name}`)?.revision ?? 0) > told;
    return {
      since: this.#sinceNow(),
      isWhole: told < 0,
      rows: this.#now.rows.filter(({ runId }) => isNew({ name: runId, key: 'run ' })),
      research: this.#now.research.filter(({ name }) => isNew({ name, key: 'research ' })),
      gone: [...this.#gone].filter(([, revision]) => revision > told).map(([name]) => name),
      skipped: this.#now.skipped,
    };
  }

  #sinceNow(): string {
    return `${this.#epoch}.${this.#revision}`;
  }

  #look(): void {
    const rows = this.#store.rows(this.#tags.all());
    const runs = new Set(rows.map(({ runId }) => runId));
    const others = this.#store.folders().filter((name) => !runs.has(name));
    const { rows: research, skipped } = this.#research.look(others);
    const next = this.#revision + 1;
    const present = new Map<string, RunRow | ResearchRow>([
      ...rows.map((row) => [`run ${row.runId}`, row] as const),
      ...research.map((row) => [`research ${row.name}`, row] as const),
    ]);
    let isChanged = skipped.join('/') !== this.#now.skipped.join('/');
    for (const [key, row] of present) {
      if (this.#seen.get(key)?.row === row) continue;
      this.#seen.set(key, { row, revision: next });
      this.#gone.delete(nameIn(key));
      isChanged = true;
    }
    for (const key of this.#seen.keys()) {
      if (present.has(key)) continue;
      this.#seen.delete(key);
      if (!present.has(`run ${nameIn(key)}`) && !present.has(`research ${nameIn(key)}`))
        this.#gone.set(nameIn(key), next);
      isChanged = true;
    }
    if (isChanged) this.#revision = next;
    this.#now = { rows, research, skipped };
    this.#lookedAt = performance.now();
  }
}

function nameIn(key: string): string {
  return key.slice(key.indexOf(' ') + 1);
}
