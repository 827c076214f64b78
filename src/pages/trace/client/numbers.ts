/** A number with a fraction that stands by itself: no part of a word, a version or a time. */
const FRACTION = /(?<![\w.,:/])(\d+)\.(\d+)(?!\.?[\w/:])/g;
const WHOLE = /^[-−]?\d+$/;

/** A text whose numbers with fractions are grouped and rounded to what can be read. */
export function shortNumbers(text: string): string {
  return text.replaceAll(FRACTION, (number, units: string, fraction: string) => {
    const places = units.length > 3 ? 2 : units === '0' ? 6 : 4;
    // Digits that a floating-point number cannot hold stay as they are written.
    if (units.length > 15) return number;
    const rounded = fraction.length > places ? shortest(Number(number).toFixed(places)) : number;
    // A tiny number that rounds to nothing is better long.
    if (Number(rounded) === 0 && Number(number) !== 0) return number;
    const [whole, rest] = rounded.split('.') as [string, string];
    return `${grouped(whole)}.${rest}`;
  });
}

/** Without zeros that rounding left; two places stay. */
function shortest(text: string): string {
  return text.replace(/(\.\d\d\d*?)0+$/, '$1');
}

/** An amount that may have no fraction, as in 100,000. */
export function shortAmount(text: string): string {
  return WHOLE.test(text) ? grouped(text) : shortNumbers(text);
}

function grouped(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, ',');
}
