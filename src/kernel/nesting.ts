/** Whether objects and lists are nested deeper. Level by level: a deep value would overflow the stack of a function that calls itself. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    // Aliases of YAML repeat a value: each is read once on a level.
    const next = new Set<unknown>();
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one))
          if (typeof inner === 'object' && inner !== null) next.add(inner);
    level = [...next];
  }
  return false;
}
