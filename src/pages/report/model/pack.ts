/** JSON value in a form that compresses well. See `packed`. */
export type Packed = unknown;

/** Maximum number of decimal places of numbers that are stored as integers. */
const MOST_PLACES = 8;
/** Maximum magnitude of integers that are stored. Differences of larger integers may be inexact. */
const LARGEST = 2 ** 50;
/** Powers of ten, by exponent. */
const POWERS = Array.from({ length: MOST_PLACES + 1 }, (_, places) => 10 ** places);

/**
 * Converts a value so that its JSON is smaller. The numbers of a list become integers (multiplied by a power
 * of ten), each stored as the difference from the previous integer. A list of objects with the same fields
 * becomes columns. A list of texts becomes numbers that refer to the distinct texts. `unpacked` restores the
 * value.
 */
export function packed(value: unknown): Packed {
  if (Array.isArray(value)) return packedList(value);
  if (typeof value !== 'object' || value === null) return value;
  return { o: Object.fromEntries(Object.entries(value).map(([name, one]) => [name, packed(one)])) };
}

export function unpacked(value: Packed): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { o, n, t, w, r, k, a } = value as Readonly<Record<string, unknown>>;
  if (o !== undefined)
    return Object.fromEntries(Object.entries(o as object).map(([name, one]) => [name, unpacked(one)]));
  if (n !== undefined) return numbersOf(n as (number | null)[], t as number);
  if (w !== undefined) return (r as number[]).map((place) => (w as string[])[place]);
  if (k !== undefined) return rowsOf(k as Readonly<Record<string, Packed>>);
  return (a as Packed[]).map(unpacked);
}

function packedList(list: readonly unknown[]): Packed {
  if (list.length > 0 && list.every((one) => one === null || typeof one === 'number')) {
    const places = placesOf(list);
    if (places !== undefined) return { n: differences(list, places), t: places };
  }
  if (list.length > 1 && list.every((one) => typeof one === 'string')) return words(list);
  const names = sharedNames(list);
  if (names !== undefined) {
    const rows = list as readonly Readonly<Record<string, unknown>>[];
    return { k: Object.fromEntries(names.map((name) => [name, packed(rows.map((row) => row[name]))])) };
  }
  return { a: list.map(packed) };
}

/**
 * Returns the number of decimal places with which all numbers are exact. `undefined` if a number needs more
 * than `MOST_PLACES`, or is too large to be stored as an integer.
 */
function placesOf(list: readonly (number | null)[]): number | undefined {
  let [places, power, largest] = [0, 1, 0];
  for (const one of list) {
    if (one === null) continue;
    if (!Number.isFinite(one) || Object.is(one, -0)) return undefined;
    while (Math.round(one * power) / power !== one) {
      if (places === MOST_PLACES) return undefined;
      places += 1;
      power = POWERS[places]!;
    }
    largest = Math.max(largest, Math.abs(one));
  }
  return largest * power < LARGEST ? places : undefined;
}

function differences(list: readonly (number | null)[], places: number): (number | null)[] {
  const power = POWERS[places]!;
  let before = 0;
  return list.map((one) => {
    if (one === null) return null;
    const whole = Math.round(one * power);
    const difference = whole - before;
    before = whole;
    return difference;
  });
}

function numbersOf(differences: readonly (number | null)[], places: number): (number | null)[] {
  let whole = 0;
  return differences.map((difference) => {
    if (difference === null) return null;
    whole += difference;
    return whole / 10 ** places;
  });
}

function words(list: readonly string[]): Packed {
  const places = new Map<string, number>();
  const numbers = list.map((text) => {
    const place = places.get(text) ?? places.size;
    places.set(text, place);
    return place;
  });
  return { w: [...places.keys()], r: numbers };
}

function sharedNames(list: readonly unknown[]): readonly string[] | undefined {
  const [first] = list;
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return undefined;
  const names = Object.keys(first);
  const same = JSON.stringify(names);
  const isSame = (one: unknown): boolean =>
    typeof one === 'object' &&
    one !== null &&
    !Array.isArray(one) &&
    JSON.stringify(Object.keys(one)) === same;
  return names.length > 0 && list.every(isSame) ? names : undefined;
}

function rowsOf(columns: Readonly<Record<string, Packed>>): Record<string, unknown>[] {
  const all = Object.entries(columns).map(([name, column]) => [name, unpacked(column) as unknown[]] as const);
  const count = all[0]?.[1].length ?? 0;
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(all.map(([name, column]) => [name, column[row]])),
  );
}
