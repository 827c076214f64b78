const ROOT_TWO_PI = Math.sqrt(2 * Math.PI);
/** Distance from 0 at which the continued fraction replaces the power series. */
const TAIL = 2.5;
/** Distance from 0 beyond which the density underflows. */
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
 * Inverse of the standard normal distribution function, by Newton's method. For probabilities above 0.5 use
 * `-normalQuantile(1 - p)` with an exact `1 - p`, because such probabilities are coarse in float64.
 *
 * @param probability above 0 and below 1
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1)) return Number.NaN;
  if (probability > 0.5) return -normalQuantile(1 - probability);
  // Abramowitz and Stegun, 26.2.23, with an error below 4.5e-4. Each Newton step doubles the digits.
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

/** @param x below −2.5 */
function lowerTail(x: number): number {
  if (x < -FARTHEST) return 0;
  let fraction = 0;
  for (let level = 120; level > 0; level--) fraction = level / (-x + fraction);
  return density(x) / (-x + fraction);
}
