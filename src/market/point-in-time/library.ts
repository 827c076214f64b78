import { AppError, type Instant, parseInstant } from '../../kernel/index.ts';
import { WordIndex } from './word-index.ts';

/** A document that is known, without its text. */
export interface DocumentHit {
  readonly id: string;
  readonly availableAt: Instant;
  readonly symbols: readonly string[];
  readonly source: string;
  readonly kind: string;
  readonly title: string;
  /** BM25 among all that is known; 0 where nothing was searched for. */
  readonly score: number;
}

/** A document that is known. */
export interface KnownDocument extends Omit<DocumentHit, 'score'> {
  readonly text: string;
}

/** What is searched for; what is left out leaves nothing out. */
export interface DocumentQuery {
  /** Words, any of which a document must hold; all documents, newest first, without. */
  readonly query?: string;
  /** A symbol that they must be about. */
  readonly symbol?: string;
  /** Known at this date or after it: as text, or milliseconds since 1970. */
  readonly since?: string | Instant;
  /** As the documents have it, such as `news`. */
  readonly kind?: string;
  /** At most 100; 20 when left out. */
  readonly limit?: number;
}

/** What a search came to. */
export interface DocumentMatches {
  /** Best first. */
  readonly hits: readonly DocumentHit[];
  /** How many match, those beyond the limit too. */
  readonly total: number;
}

/** The documents that are known at a bar; a later one is not there. */
export interface Documents {
  /** How many are known. */
  readonly length: number;
  /**
   * Those that match, best first.
   *
   * @throws AppError `bad_query` for a date or a limit that is none
   */
  search(query?: DocumentQuery): DocumentMatches;
  /** One of them; undefined for an id that is not known. */
  read(id: string): KnownDocument | undefined;
  /** The newest so many, oldest first. */
  tail(count: number): readonly DocumentHit[];
}

/** Most of one search. */
export const MOST_DOCUMENTS = 100;
const USUAL_LIMIT = 20;

// Only the feed makes a library grow: a decider that is handed one cannot.
export let pushDocument: (library: Library, document: KnownDocument) => void;

/** The documents that were pushed, and an index of them that is brought up to date when it is asked. */
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

  /** One of them, in the order they became known. */
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
      throw badQuery(`The limit ${limit} is no whole number from 1 to ${MOST_DOCUMENTS}.`, 'Leave it out.');
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
  throw badQuery(`"${String(since)}" is no date.`, 'Write since as 2024-01-31 or 2024-01-31T09:30.');
}

function badQuery(message: string, hint: string): AppError {
  return new AppError({ code: 'bad_query', message, hint, kind: 'run' });
}
