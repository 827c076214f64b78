import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolderOf } from './cache-file.ts';

describe('cacheFolderOf', () => {
  it.each([
    ['linux', {}, '/home/ann', '/home/ann/.cache/sandtable'],
    ['linux', { XDG_CACHE_HOME: '/scratch' }, '/home/ann', '/scratch/sandtable'],
    ['linux', { XDG_CACHE_HOME: 'relative' }, '/home/ann', '/home/ann/.cache/sandtable'],
    ['linux', { XDG_CACHE_HOME: '' }, '/home/ann', '/home/ann/.cache/sandtable'],
    ['darwin', {}, '/Users/ann', '/Users/ann/Library/Caches/sandtable'],
    ['darwin', { XDG_CACHE_HOME: '/scratch' }, '/Users/ann', '/scratch/sandtable'],
    ['win32', { LOCALAPPDATA: 'C:\\Local' }, 'C:\\Users\\ann', 'C:\\Local\\sandtable\\Cache'],
    ['win32', {}, 'C:\\Users\\ann', 'C:\\Users\\ann\\AppData\\Local\\sandtable\\Cache'],
  ] as const)('on %s with %o', (platform, env, home, expected) => {
    expect(cacheFolderOf(env, platform, home)).toBe(expected);
  });

  it('gives priority to SANDTABLE_CACHE_DIR and makes it absolute', () => {
    const env = { SANDTABLE_CACHE_DIR: 'here', XDG_CACHE_HOME: '/scratch' };
    expect(cacheFolderOf(env)).toBe(path.resolve('here'));
  });
});
