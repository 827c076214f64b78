import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fillIn, redactor, secretsOfUrl, withEnvFile } from './environment.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sandtable-env-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a .env file', () => {
  it('adds variables that the environment does not define', () => {
    const file = join(folder, '.env');
    writeFileSync(file, '# mine\nOPENAI_API_KEY="sk-from-file"\nOTHER=1 # note\nexport THIRD=x\n');
    expect(withEnvFile({ OTHER: '2', NONE: undefined }, file)).toMatchObject({
      OPENAI_API_KEY: 'sk-from-file',
      OTHER: '2',
      THIRD: 'x',
    });
  });

  it('is optional', () => {
    const environment = { OTHER: '2' };
    expect(withEnvFile(environment, join(folder, '.env'))).toBe(environment);
  });

  it('that cannot be read is reported with a way to fix it', () => {
    mkdirSync(join(folder, '.env'));
    expect(() => withEnvFile({}, join(folder, '.env'))).toThrow(
      expect.objectContaining({ code: 'env_unreadable', hint: expect.stringContaining('NAME=value') }),
    );
  });
});

describe('fillIn', () => {
  it('uses given values, then defaults, and reports variables without either', () => {
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: the strategy's own notation
    expect(fillIn('${A}/${B:-b}/${C:-}/${D}', { A: 'a', B: '' })).toEqual({ text: 'a/b//', missing: ['D'] });
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the strategy's own notation
  });
});

describe('secrets', () => {
  it('include the password and the query of an address', () => {
    const secrets = secretsOfUrl('http://me:p%40ssword@host/v1?key=abcdefgh');
    const clean = redactor(secrets)('p@ssword p%40ssword abcdefgh');
    expect(clean).toBe('[redacted] [redacted] [redacted]');
  });
});
