/**
 * Sobol's quasi-random sequence in Gray-code order (Antonov and Saleev 1979) with the direction numbers `new-joe-kuo-6` of
 * S. Joe and F. Kuo, "Constructing Sobol sequences with better two-dimensional projections", SIAM J. Sci. Comput. 30 (2008).
 */

/** Parameters of each dimension from the second one: degree s, coefficients a, and m_1 … m_s. */
const DIRECTIONS: readonly (readonly [number, number, readonly number[]])[] = [
  [1, 0, [1]],
  [2, 1, [1, 3]],
  [3, 1, [1, 3, 1]],
  [3, 2, [1, 1, 1]],
  [4, 1, [1, 1, 3, 3]],
  [4, 4, [1, 3, 5, 13]],
  [5, 2, [1, 1, 5, 5, 17]],
  [5, 4, [1, 1, 5, 5, 5]],
  [5, 7, [1, 1, 7, 11, 19]],
  [5, 11, [1, 1, 5, 1, 1]],
  [5, 13, [1, 1, 1, 3, 11]],
  [5, 14, [1, 3, 5, 5, 31]],
  [6, 1, [1, 3, 3, 9, 7, 49]],
  [6, 13, [1, 1, 1, 15, 21, 21]],
  [6, 16, [1, 3, 1, 13, 27, 49]],
  [6, 19, [1, 1, 1, 15, 7, 5]],
  [6, 22, [1, 3, 1, 15, 13, 25]],
  [6, 25, [1, 1, 5, 5, 19, 61]],
  [7, 1, [1, 3, 7, 11, 23, 15, 103]],
  [7, 4, [1, 3, 7, 13, 13, 15, 69]],
];

export const MOST_DIMENSIONS = DIRECTIONS.length + 1;
const BITS = 32;

/**
 * Yields the points of the sequence, beginning with the origin.
 *
 * @param dimensions at most `MOST_DIMENSIONS`
 */
export function* sobolPoints(dimensions: number): Generator<number[]> {
  if (dimensions > MOST_DIMENSIONS) throw new RangeError(`at most ${MOST_DIMENSIONS} dimensions`);
  const directions = Array.from({ length: dimensions }, (_, index) => directionNumbers(index));
  const state = new Uint32Array(dimensions);
  for (let index = 0; ; index++) {
    yield Array.from(state, (value) => value / 2 ** BITS);
    // Position of the lowest zero bit of the index.
    let place = 0;
    while ((index >>> place) & 1) place += 1;
    for (let dimension = 0; dimension < dimensions; dimension++)
      state[dimension] = (state[dimension]! ^ directions[dimension]![place]!) >>> 0;
  }
}

function directionNumbers(dimension: number): Uint32Array {
  const numbers = new Uint32Array(BITS);
  if (dimension === 0) {
    for (let bit = 0; bit < BITS; bit++) numbers[bit] = 2 ** (BITS - 1 - bit);
    return numbers;
  }
  const [degree, coefficients, first] = DIRECTIONS[dimension - 1]!;
  for (let bit = 0; bit < BITS; bit++) {
    if (bit < degree) {
      numbers[bit] = first[bit]! * 2 ** (BITS - 1 - bit);
      continue;
    }
    let value = numbers[bit - degree]! ^ (numbers[bit - degree]! >>> degree);
    for (let term = 1; term < degree; term++)
      if ((coefficients >>> (degree - 1 - term)) & 1) value ^= numbers[bit - term]!;
    numbers[bit] = value >>> 0;
  }
  return numbers;
}
