import type { RunRow } from '../run-row.ts';

/** How the list is looked at: it is in the address, so that a view can be kept as a bookmark and shared. */
export interface ListView {
  search: string;
  key: keyof RunRow;
  direction: 1 | -1;
  isGrouped: boolean;
  readonly hidden: Set<string>;
}

const FIRST = { key: 'runId', direction: -1 } as const;

/**
 * The view that an address asks for; what it does not say, or says of no column, is as it is at first.
 *
 * @param keys of the columns
 */
export function readView(address: string, keys: readonly string[]): ListView {
  const asked = new URLSearchParams(address);
  const sort = asked.get('sort') ?? '';
  const name = sort.replace(/^-/, '');
  const isKnown = keys.includes(name);
  return {
    search: asked.get('search') ?? '',
    key: isKnown ? (name as keyof RunRow) : FIRST.key,
    direction: isKnown ? (sort.startsWith('-') ? -1 : 1) : FIRST.direction,
    isGrouped: asked.get('group') !== 'none',
    hidden: new Set((asked.get('hide') ?? '').split(',').filter((one) => one !== '')),
  };
}

/** The view as the part of an address behind its path; empty for the view at first. */
export function viewAddress({ search, key, direction, isGrouped, hidden }: ListView): string {
  const asked = new URLSearchParams();
  if (search.trim() !== '') asked.set('search', search.trim());
  if (key !== FIRST.key || direction !== FIRST.direction)
    asked.set('sort', direction === -1 ? `-${key}` : key);
  if (!isGrouped) asked.set('group', 'none');
  if (hidden.size > 0) asked.set('hide', [...hidden].join(','));
  const text = asked.toString();
  return text === '' ? '' : `?${text}`;
}
