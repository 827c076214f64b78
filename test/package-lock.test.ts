import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  integrity?: string;
  dev?: boolean;
}

it('locks only published packages: Yarn cannot install a missing one, even for another platform', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  const packages = Object.entries<LockedPackage>(lock.packages);
  // npm writes no hash for an optional package that the registry does not have.
  const missing = packages.filter(([name, { integrity, dev }]) => name !== '' && !dev && !integrity);
  expect(missing).toEqual([]);
});
