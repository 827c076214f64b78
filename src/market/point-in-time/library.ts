import { AppError, type Instant, parseInstant } from '../../kernel/index.ts';
import { WordIndex } from './word-index.ts';

/** Visible document without its text. */
export interface DocumentHit {
  readonly id: string;
  readonly availableAt: Instant;
  readonly symbols: readonly string[];
  readonly source: string;
  readonly kind: string;
  readonly title: string;
  /** BM25 score, computed from the statistics of all visible documents. 0 without search words. */
  readonly score: number;
}

/** Visible document. */
export interface KnownDocument extends Omit<DocumentHit, 'score'> {
  readonly text: string;
}

/** Search query. Omitted fields do not restrict the result. */
export interface DocumentQuery {
  /** Search words. A document must contain at least one. Default: all documents, newest first. */
  readonly query?: string;
  /** Symbol that a document must list. Documents about all symbols list no symbol, so they do not match. */
  readonly symbol?: string;
  /** Earliest publication date, inclusive: as text, or milliseconds since 1970. */
  readonly since?: string | Instant;
  /** Kind of the documents, for example `news`. */
  readonly kind?: string;
  /** Maximum number of results, at most 100. Default: 20. */
  readonly limit?: number;
}

/** Result of a search. */
export interface DocumentMatches {
  /** Matching documents, best first. Without search words, newest first. */
  readonly hits: readonly DocumentHit[];
  /** Number of all matching documents, including those beyond the limit. */
  readonly total: number;
}

/** Documents visible at a bar. Later documents are not in memory. */
export interface Documents {
  /** Number of visible documents. */
  readonly length: number;
  /**
   * Searches documents, best match first.
   *
   * @throws AppError `bad_query` for an invalid date or limit
   */
  search(query?: DocumentQuery): DocumentMatches;
  /** Returns a document. `undefined` if no visible document has the id. */
  read(id: string): KnownDocument | undefined;
  /** Returns the newest `count` documents, oldest first. */
  tail(count: number): readonly DocumentHit[];
}

/** Maximum number of results of one search. */
export const MOST_DOCUMENTS = 100;
const USUAL_LIMIT = 20;

// Appends a document. Not exported by `src/market/index.ts`, so that a strategy cannot change the library.
export let pushDocument: (library: Library, document: KnownDocument) => void;

/** Visible documents with a full-text index. Documents are added to the index at the next search. */
export class Library implements Documents {
  static {
    pushDocument = (library, document) => {
      library.#places.set(document.id, library.#known.length);
      library.#known.push(document);
    };
  }

  readonly #known: KnownDocument[] = [];
  readonly #places = new Map<string, number>();
  readonly #index = new WordIndex();

  get length(): number {
    return this.#known.length;
  }

  read(id: string): KnownDocument | undefined {
    const place = this.#places.get(id);
    return place === undefined ? undefined : this.#known[place];
  }

  /** Returns a document by index, in the order in which they became visible. */
  documentAt(place: number): KnownDocument {
    return this.#known[place]!;
  }

  tail(count: number): readonly DocumentHit[] {
    const from = Math.max(this.#known.length - Math.max(count, 0), 0);
    return this.#known.slice(from).map((document) => hitOf(document, 0));
  }

  search({ query = '', symbol, since, kind, limit = USUAL_LIMIT }: DocumentQuery = {}): DocumentMatches {
    const from = since === undefined ? Number.NEGATIVE_INFINITY : instantOf(since);
    if (!Number.isInteger(limit) || limit < 1 || limit > MOST_DOCUMENTS)
      throw badQuery(
        `The limit ${limit} is not a whole number from 1 to ${MOST_DOCUMENTS}.`,
        'Omit the limit, or use a number in this range.',
      );
    const allows = (place: number): boolean => {
      const document = this.#known[place]!;
      return (
        document.availableAt >= from &&
        (symbol === undefined || document.symbols.includes(symbol)) &&
        (kind === undefined || document.kind === kind)
      );
    };
    if (query.trim() === '') return this.#newest(limit, allows);
    this.#catchUp();
    const isFree = since === undefined && symbol === undefined && kind === undefined;
    const { matches, total } = this.#index.search(query, limit, isFree ? undefined : allows);
    return { total, hits: matches.map(({ text, score }) => hitOf(this.#known[text]!, score)) };
  }

  #newest(limit: number, allows: (place: number) => boolean): DocumentMatches {
    const hits: DocumentHit[] = [];
    let total = 0;
    for (let place = this.#known.length - 1; place >= 0; place--) {
      if (!allows(place)) continue;
      total += 1;
      if (hits.length < limit) hits.push(hitOf(this.#known[place]!, 0));
    }
    return { hits, total };
  }

  #catchUp(): void {
    for (let next = this.#index.length; next < this.#known.length; next++) {
      const { title, text } = this.#known[next]!;
      this.#index.add(`${title}\n${text}`);
    }
  }
}

function hitOf({ text: _, ...document }: KnownDocument, score: number): DocumentHit {
  return { ...document, score };
}

function instantOf(since: string | Instant): Instant {
  const instant = typeof since === 'number' ? since : parseInstant(since);
  if (instant !== undefined && !Number.isNaN(instant)) return instant;
  throw badQuery(`"${String(since)}" is not a date.`, 'Write since as 2024-01-31 or 2024-01-31T09:30.');
}

function badQuery(message: string, hint: string): AppError {
  return new AppError({ code: 'bad_query', message, hint, kind: 'run' });
}
