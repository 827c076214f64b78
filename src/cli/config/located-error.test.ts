import { expect, it } from 'vitest';
import { AppError } from '../../kernel/index.ts';
import { locatedError, rememberConfigured } from './origins.ts';

const error = new AppError({
  code: 'bad_space',
  message:
    'The parameters of the sweep: 2 faults\n  --param low: unknown parameter\n  --param fast: no values',
  hint: 'Write them as --param fast=5:50:5.',
});

it('an error about parameters of a sweep reports the line of the project file that sets them', () => {
  const flags = {};
  rememberConfigured(flags, {
    file: 'sandtable.yaml',
    origins: new Map([['--param low', { place: 'sandtable.yaml:5', key: 'param.low', variables: [] }]]),
    faults: [],
  });
  expect(locatedError(flags, error)).toMatchObject({
    code: 'bad_space',
    message:
      'The parameters of the sweep: 2 faults\n  sandtable.yaml:5 param.low: unknown parameter\n  --param fast: no values',
    hint: expect.stringContaining('Fix these lines.'),
  });
});

it('an error without a project file does not change', () => {
  expect(locatedError({}, error)).toBe(error);
});
