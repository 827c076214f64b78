/**
 * Probability that Student's t is at least as far from 0 as `t`, in either direction.
 *
 * Regularised incomplete beta function I(ν / (ν + t²); ν / 2, 1 / 2) by its continued fraction (NIST Digital
 * Library of Mathematical Functions, 8.17.22), to ten digits.
 *
 * @param degrees degrees of freedom, above 0, may be fractional
 */
export function studentTwoSided(t: number, degrees: number): number {
  if (t === 0) return 1;
  const square = t * t;
  // `share` and `rest` add up to 1. Both are computed directly, because a subtraction from 1 would lose
  // digits for large t.
  const [share, rest] = [degrees / (degrees + square), square / (degrees + square)];
  const [a, b] = [degrees / 2, 0.5];
  return share < (a + 1) / (a + b + 2) ? betaPart(share, rest, a, b) : 1 - betaPart(rest, share, b, a);
}

/**
 * Returns the two-sided quantile of Student's t: the absolute value of t is below the result with the
 * probability `confidence`. Infinite for zero degrees of freedom.
 */
export function studentQuantile(confidence: number, degrees: number): number {
  if (!(degrees > 0)) return Number.POSITIVE_INFINITY;
  const beyond = 1 - confidence;
  let [low, high] = [0, 1];
  while (studentTwoSided(high, degrees) > beyond) high *= 2;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentTwoSided(middle, degrees) > beyond) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * Regularised incomplete beta function I(x; a, b) for x below (a + 1) / (a + b + 2), where the continued
 * fraction converges fast. `rest` is 1 − x.
 */
function betaPart(x: number, rest: number, a: number, b: number): number {
  if (x === 0) return 0;
  const front = Math.exp(
    a * Math.log(x) + b * Math.log(rest) - logGamma(a) - logGamma(b) + logGamma(a + b) - Math.log(a),
  );
  let fraction = 1;
  for (let step = 240; step > 0; step--) {
    const half = Math.floor(step / 2);
    const term =
      step % 2 === 0
        ? (half * (b - half) * x) / ((a + step - 1) * (a + step))
        : (-(a + half) * (a + b + half) * x) / ((a + step - 1) * (a + step));
    fraction = 1 + term / fraction;
  }
  return front / fraction;
}

/**
 * Logarithm of the gamma function. From 10 on, the first terms of Stirling's series give twelve digits.
 * Smaller arguments are raised to 10 by recurrence.
 */
function logGamma(x: number): number {
  if (x < 10) return logGamma(x + 1) - Math.log(x);
  const square = x * x;
  return (
    (x - 0.5) * Math.log(x) -
    x +
    Math.log(2 * Math.PI) / 2 +
    (1 / 12 - (1 / 360 - (1 / 1260 - 1 / (1680 * square)) / square) / square) / x
  );
}

const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);
/** Absolute value of x above which the continued fraction replaces the power series. */
const TAIL = 2.5;
/** Absolute value of x above which the tail probability is returned as 0, because the density underflows. */
const FARTHEST = 38;

/**
 * Standard normal distribution function. The relative error is below 1e-13 in the body and the lower tail.
 *
 * Power series of G. Marsaglia, "Evaluating the Normal Distribution" (2004); beyond ±2.5 Laplace's continued
 * fraction of the tail.
 */
export function normalCdf(x: number): number {
  if (Number.isNaN(x)) return Number.NaN;
  if (x > TAIL) return 1 - lowerTail(-x);
  if (x < -TAIL) return lowerTail(x);
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * 1e-17; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + sum * density(x);
}

/**
 * Inverse of the standard normal distribution function, by Newton's method. For a probability p near 1,
 * `-normalQuantile(q)` with an exactly known q = 1 − p is more precise, because float64 is coarse near 1.
 *
 * @param probability above 0 and below 1
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) return Number.NaN;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  // Initial estimate by Abramowitz and Stegun, 26.2.23, with an error below 4.5e-4. Each of the following
  // steps multiplies the number of correct digits.
  const t = Math.sqrt(-2 * Math.log(probability));
  let x = -(
    t -
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
  );
  for (let step = 0; step < 4; step++) {
    // Halley's form of Newton's step: the second derivative of the distribution is −x times its density.
    const miss = (normalCdf(x) - probability) / density(x);
    x -= miss / (1 + (x * miss) / 2);
  }
  return x;
}

function density(x: number): number {
  return Math.exp((-x * x) / 2) / ROOT_TWO_PI;
}

/**
 * Lower tail of the normal distribution, by Laplace's continued fraction.
 *
 * @param x below −2.5
 */
function lowerTail(x: number): number {
  if (x < -FARTHEST) return 0;
  let fraction = 0;
  for (let level = 120; level > 0; level--) fraction = level / (-x + fraction);
  return density(x) / (-x + fraction);
}
