import { describe, expect, it } from 'vitest';
import { routeOf } from './routes.ts';

describe('an address of the server', () => {
  it('is parsed into the run and the requested resource', () => {
    expect(routeOf('GET', '/runs/a%20b/report')).toEqual({ name: 'report', run: 'a b' });
    expect(routeOf('GET', '/compare?run=a&run=b%2Fc')).toEqual({ name: 'compare', runs: ['a', 'b/c'] });
    expect(routeOf('GET', '/api/runs/a/bars/12')).toEqual({ name: 'bar', run: 'a', bar: 12 });
    expect(routeOf('DELETE', '/api/runs/a')).toEqual({ name: 'run', run: 'a' });
  });
});
