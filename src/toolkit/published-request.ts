import { type BarContext, type Json, knownBeside } from '../engine/index.ts';
import type { PublishedTable } from '../sandbox/index.ts';

/** What a call of Python may read beside bars and features: as far as it is known, and only where a run has it. */
export interface Published {
  /** For the request: how many rows of each table are known, and the members of the universe. */
  readonly request: {
    readonly published?: Readonly<Record<string, number>>;
    readonly universe?: readonly string[];
  };
  /** Where the rows are, for a process that was not sent them yet. */
  readonly tables: readonly PublishedTable[];
}

/** @param isAsked whether a call can ask for a function by its name: only what can be asked for is sent */
export function publishedRequest(turn: BarContext, isAsked: (name: string) => boolean): Published {
  const { fundamentals, universe, documents } = knownBeside(turn);
  const tables: PublishedTable[] = [];
  if (fundamentals !== undefined && isAsked('fundamentals')) {
    const rowAt = (row: number): readonly Json[] => {
      const { symbol, field, periodEnd, availableAt, value } = fundamentals.rowAt(row);
      return [symbol, field, periodEnd, availableAt, value];
    };
    tables.push({ name: 'fundamentals', length: fundamentals.length, rowAt });
  }
  if (documents !== undefined && isAsked('documents')) {
    const rowAt = (row: number): readonly Json[] => {
      const { id, availableAt, symbols, source, kind, title, text } = documents.documentAt(row);
      return [id, availableAt, [...symbols], source, kind, title, text];
    };
    tables.push({ name: 'documents', length: documents.length, rowAt });
  }
  const published = Object.fromEntries(tables.map(({ name, length }) => [name, length]));
  return {
    request: {
      ...(tables.length === 0 ? {} : { published }),
      ...(universe !== undefined && isAsked('universe') ? { universe: [...universe()] } : {}),
    },
    tables,
  };
}
