import { readFileSync } from 'node:fs';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { ROOT } from '../docs/blocks.ts';

const dockerfile = readFileSync(`${ROOT}Dockerfile`, 'utf8');
const faultsOf = (text: string) => validate(text).map(({ message }) => message);

it('the Dockerfile has no faults', () => {
  expect(faultsOf(dockerfile)).toEqual([]);
});

it.each([
  ['an unknown step', 'WORKDIR', 'WORKDIRS'],
  ['a command that is not JSON', 'CMD ["--help"]', "CMD ['--help']"],
  ['no base image', /^FROM .*$/m, ''],
])('a Dockerfile with %s is refused', (_, part, other) => {
  const changed = dockerfile.replace(part, other);
  expect(changed).not.toBe(dockerfile);
  expect(faultsOf(changed)).not.toEqual([]);
});
