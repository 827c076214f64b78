import { describe, expect, it } from 'vitest';
import { openDoorsOf, platformDoors } from './start.ts';

describe('the unprotected inputs of a run', () => {
  it('are listed in its journal', () => {
    const openDoors = ['undated files'];
    expect(openDoorsOf({ sealed: false, openDoors, strategy: { kind: 'rules' } })).toEqual(openDoors);
  });

  it.each([
    [{ sealed: true, strategy: { kind: 'order-script' } }, []],
    [{ sealed: true, strategy: { kind: 'llm' } }, []],
    [{ sealed: true, strategy: { kind: 'rules' } }, ['strategy code runs with your rights']],
    [
      { sealed: true, strategy: { kind: 'rules' }, stamps: ['same-bar fills', 'custom commission model'] },
      ['strategy code runs with your rights', 'custom cost model'],
    ],
    [{ sealed: true, strategy: { kind: 'llm' }, files: { count: 1 } }, ['undated files']],
    [{ sealed: true, openDoors: [], strategy: { kind: 'llm' }, files: { count: 1, dated: 1 } }, []],
    [{ sealed: false, strategy: { kind: 'llm' } }, ['scripts']],
    [{ sealed: false, strategy: { kind: 'mcp' } }, ['an MCP client drives the run']],
    [{ sealed: 'maybe', strategy: 7, stamps: 'none' }, []],
  ])('are derived from an older journal: %j', (started, doors) => {
    expect(openDoorsOf(started)).toEqual(doors);
  });

  it('include those of the machine', () => {
    expect(platformDoors({ sandboxDescriptors: 'open' })).toEqual(['no descriptor limit on this platform']);
    expect(platformDoors({ sandboxDescriptors: 'closed' })).toEqual([]);
    expect(platformDoors({})).toEqual([]);
  });
});
