const KEY = 'sandtable-token';

/**
 * Returns the token that changes require, from the printed address. The token is stored for this tab and
 * removed from the address, so that it is neither in the history nor in a copied address.
 */
export function startToken(): string | undefined {
  const given = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (given !== undefined) {
    sessionStorage.setItem(KEY, given);
    history.replaceState(null, '', location.pathname + location.search);
  }
  const token = given ?? sessionStorage.getItem(KEY) ?? undefined;
  const note = document.getElementById('read-only');
  if (note !== null) note.hidden = token !== undefined;
  return token;
}

/** Sends a request that changes something on the server. Returns the response. */
export async function change(
  token: string | undefined,
  method: 'DELETE' | 'PUT',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const answer = await fetch(path, {
    method,
    headers: { 'X-Sandtable-Token': token ?? '', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const value = (await answer.json()) as { error?: { message: string; remedy: string } } | null;
  if (!answer.ok)
    throw new Error(
      value?.error === undefined
        ? `The server answered ${answer.status}.`
        : `${value.error.message} ${value.error.remedy}`,
    );
  return value;
}
