import { HttpError } from './guard.ts';

/** Target of a request. */
export type Route =
  | { readonly name: 'list' | 'runs' }
  | { readonly name: 'live'; readonly since: string | null }
  | { readonly name: 'compare' | 'curves'; readonly runs: readonly string[] }
  | { readonly name: 'research'; readonly folder: string }
  | { readonly name: 'report' | 'trace' | 'run' | 'tags' | 'runLive'; readonly run: string }
  | { readonly name: 'steps'; readonly run: string; readonly query: URLSearchParams }
  | { readonly name: 'bar'; readonly run: string; readonly bar: number }
  | { readonly name: 'overview'; readonly run: string; readonly symbol: number };

const METHODS: Readonly<Partial<Record<Route['name'], string>>> = { run: 'DELETE', tags: 'PUT' };

/**
 * Parses the target of a request. The name of a run is only decoded here; `RunStore` validates it.
 *
 * @param target path and query as received
 * @throws HttpError 400, 404, 405
 */
export function routeOf(method: string, target: string): Route {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const route = match(path.split('/').slice(1).map(decoded), new URLSearchParams(query));
  if (route === undefined)
    throw new HttpError(404, 'no_page', 'There is no such page here.', 'Go back to the list of runs.');
  const needed = METHODS[route.name];
  const allowed = needed === undefined ? method === 'GET' || method === 'HEAD' : method === needed;
  if (!allowed)
    throw new HttpError(
      405,
      'bad_method',
      `${needed ?? 'GET'} is what this address takes.`,
      'Use that method.',
    );
  return route;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new HttpError(
      400,
      'bad_address',
      'The address is wrongly encoded.',
      'Go back to the list of runs.',
    );
  }
}

function match(parts: readonly string[], query: URLSearchParams): Route | undefined {
  const [first = '', second = '', third, fourth, fifth, sixth] = parts;
  if (sixth !== undefined) return undefined;
  if (parts.length === 1 && first === '') return { name: 'list' };
  if (parts.length === 1 && first === 'compare') return { name: 'compare', runs: query.getAll('run') };
  if (first === 'runs' && parts.length === 3 && (third === 'report' || third === 'trace'))
    return { name: third, run: second };
  if (first === 'research' && parts.length === 2) return { name: 'research', folder: second };
  if (first !== 'api') return undefined;
  if (parts.length === 2 && second === 'runs') return { name: 'runs' };
  if (parts.length === 2 && second === 'live') return { name: 'live', since: query.get('since') };
  if (parts.length === 2 && second === 'curves') return { name: 'curves', runs: query.getAll('run') };
  if (second !== 'runs' || third === undefined) return undefined;
  return matchRun(third, parts.length, fourth, fifth, query);
}

function matchRun(
  run: string,
  length: number,
  what: string | undefined,
  number: string | undefined,
  query: URLSearchParams,
): Route | undefined {
  if (length === 3) return { name: 'run', run };
  if (length === 5 && what === 'bars') return { name: 'bar', run, bar: wholeNumber(number, 'bar') };
  if (length !== 4) return undefined;
  switch (what) {
    case 'tags':
      return { name: 'tags', run };
    case 'live':
      return { name: 'runLive', run };
    case 'steps':
      return { name: 'steps', run, query };
    case 'overview':
      return { name: 'overview', run, symbol: wholeNumber(query.get('symbol') ?? '0', 'symbol') };
    default:
      return undefined;
  }
}

/**
 * Parses a whole number with at most nine digits.
 *
 * @throws HttpError 400
 */
export function wholeNumber(text: string | null | undefined, name: string): number {
  if (text !== null && text !== undefined && /^\d{1,9}$/.test(text)) return Number(text);
  throw new HttpError(400, 'bad_number', `${name} must be a whole number.`, 'Give digits only.');
}
