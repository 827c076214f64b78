import type { RunRow } from '../run-row.ts';

/** View of the list. The address contains the view, so that it can be bookmarked and shared. */
export interface ListView {
  search: string;
  key: keyof RunRow;
  direction: 1 | -1;
  isGrouped: boolean;
  readonly hidden: Set<string>;
}

const FIRST = { key: 'runId', direction: -1 } as const;

/**
 * Returns the view that an address describes. Missing or unknown parts have their default.
 *
 * @param keys keys of the columns
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

/** Returns the query part of the address for a view. Empty for the default view. */
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
