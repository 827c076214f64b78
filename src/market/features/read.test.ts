import { describe, expect, it } from 'vitest';
import { featureTable } from './read.ts';

describe('a feature table without dates', () => {
  const faultOf = (names: readonly string[]): string => {
    try {
      featureTable([Object.fromEntries(names.map((name) => [name, 1]))] as never);
    } catch (error) {
      return String(error);
    }
    return '';
  };

  it('is refused with the names of its columns', () => {
    expect(faultOf(['mood', 'rate'])).toContain('no column "date" among "mood", "rate"');
  });

  it('is refused with the names of its first 20 columns', () => {
    const names = Array.from({ length: 22 }, (_, at) => `column${at + 1}`);
    const message = faultOf(names);
    expect(message).toContain('among "column1", ');
    expect(message).toContain('"column20"');
    expect(message).not.toContain('"column21"');
  });
});
