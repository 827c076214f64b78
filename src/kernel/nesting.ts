/**
 * True if objects and lists are nested deeper than `levels`. Works level by level: recursion would overflow
 * the stack on deep values.
 */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > levels) return true;
    // Aliases of YAML repeat a value. The set visits each value only once per level.
    const next = new Set<unknown>();
    for (const one of level)
      if (typeof one === 'object' && one !== null)
        for (const inner of Object.values(one))
          if (typeof inner === 'object' && inner !== null) next.add(inner);
    level = [...next];
  }
  return false;
}
