import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  openJob,
  openResult,
  PROTOCOL,
  readDocument,
  type Signed,
  signerFrom,
  signerOf,
  WRITER,
} from './messages.ts';
import { maskPassword, readQueueAddress } from './redis.ts';

describe('a signed document', () => {
  it('is read with the same secret, for any secret and document', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (secret, document) => {
        const signer = signerFrom({ SANDTABLE_SWEEP_SECRET: secret });
        const plain: unknown = JSON.parse(JSON.stringify(document));
        expect(signer.open('job', signer.sign('job', document))).toEqual({ document: plain });
      }),
    );
  });

  it('is refused after any change of one character', () => {
    const signer = signerOf('secret');
    const signed = signer.sign('job', { trials: [{ id: 'a' }] });
    fc.assert(
      fc.property(
        fc.constantFrom<keyof Signed>('body', 'signature'),
        fc.nat(),
        fc.constantFrom(...'abcdef0123456789'),
        (part, at, other) => {
          const text = signed[part];
          const place = at % text.length;
          const changed = `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
          fc.pre(changed !== text);
          expect(signer.open('job', { ...signed, [part]: changed })).toHaveProperty('refused');
        },
      ),
    );
  });

  it.each([
    undefined,
    null,
    1,
    'x',
    {},
    { body: 'x' },
    { body: 'x', signature: '' },
    { body: 1, signature: 'ff' },
  ])('is refused if it is %j', (given) => {
    expect(signerOf('secret').open('result', given)).toEqual({ refused: 'it is not signed' });
  });

  it('is refused as another kind, and with another secret', () => {
    const signed = signerOf('secret').sign('job', {});
    expect(signerOf('secret').open('result', signed)).toHaveProperty('refused');
    expect(signerOf('secret ').open('job', signed)).toHaveProperty('refused');
  });

  it('requires a secret', () => {
    for (const environment of [{}, { SANDTABLE_SWEEP_SECRET: '' }])
      expect(() => signerFrom(environment)).toThrow(/SANDTABLE_SWEEP_SECRET is not set/);
  });
});

describe('a document of another version', () => {
  const job = { ...WRITER, sweep: 's', plan: 'a'.repeat(64), batch: 'b', trials: [{ id: 't', input: 1 }] };
  it.each([
    [{ ...job, protocol: PROTOCOL + 1 }, `protocol ${PROTOCOL + 1}`],
    [{ ...job, sandtable: '9.9.9' }, 'Sandtable 9.9.9'],
    [{ protocol: 7, sandtable: '9.9.9', anything: 'else' }, 'Sandtable 9.9.9 (protocol 7)'],
  ])('is refused with its version', (document, named) => {
    expect(readDocument('job', document)).toEqual({ refused: expect.stringContaining(named) });
  });

  it('is distinguished from an invalid document', () => {
    expect(readDocument('job', job)).toEqual({ read: job });
    expect(readDocument('job', { ...job, trials: [] })).toHaveProperty('refused');
    expect(readDocument('job', null)).toHaveProperty('refused');
  });
});

describe('a signed result', () => {
  const signer = signerOf('secret');
  const result = { ...WRITER, sweep: 's', batch: 'j1', worker: 'w', outcomes: [{ id: 't', lost: 'x' }] };
  it('is read for its own job only: a copy in another job or sweep is refused', () => {
    const signed = signer.sign('result', result);
    expect(openResult(signer, 's', 'j1', signed)).toEqual({ read: result });
    for (const [sweep, job] of [
      ['s', 'j2'],
      ['s', undefined],
      ['other', 'j1'],
    ] as const)
      expect(openResult(signer, sweep, job, signed)).toEqual({ refused: 'it belongs to another job' });
  });

  it('of a later version is refused, and so is a signed job in its place', () => {
    const later = signer.sign('result', { ...result, protocol: PROTOCOL + 1 });
    expect(openResult(signer, 's', 'j1', later)).toEqual({
      refused: expect.stringContaining(`protocol ${PROTOCOL + 1}`) as unknown,
    });
    expect(openResult(signer, 's', 'j1', signer.sign('job', result))).toHaveProperty('refused');
  });
});

describe('a signed job', () => {
  const signer = signerOf('secret');
  const announcement = { sweep: 's', plan: 'a'.repeat(64) };
  const job = { ...WRITER, ...announcement, batch: 'j1', trials: [{ id: 't', input: 1 }] };
  it('is read for its own sweep, plan and name only', () => {
    const signed = signer.sign('job', job);
    expect(openJob(signer, announcement, 'j1', signed)).toEqual({ read: job });
    for (const [other, id] of [
      [announcement, 'j2'],
      [{ ...announcement, sweep: 'other' }, 'j1'],
      [{ ...announcement, plan: 'b'.repeat(64) }, 'j1'],
    ] as const)
      expect(openJob(signer, other, id, signed)).toEqual({ refused: 'it belongs to another sweep or job' });
  });

  it('of a later version is refused', () => {
    const later = signer.sign('job', { ...job, protocol: PROTOCOL + 1 });
    expect(openJob(signer, announcement, 'j1', later)).toEqual({
      refused: expect.stringContaining(`protocol ${PROTOCOL + 1}`) as unknown,
    });
  });
});

describe('the name of a sweep', () => {
  const announcement = { ...WRITER, plan: 'a'.repeat(64), lockSeconds: 1, trialSeconds: null };
  const named = (sweep: string): unknown =>
    readDocument('sweep', { ...announcement, rate: null, budget: null, sweep });
  it.each(['x}:trials:y', 'a{b', 'a:b', '', '../a', 'a b', 'x'.repeat(101)])(
    'is refused if it could form a key of another sweep: "%s"',
    (sweep) => expect(named(sweep)).toHaveProperty('refused'),
  );

  it('is accepted if it is random hexadecimal', () => {
    expect(named('0123456789abcdef')).toHaveProperty('read');
  });
});

describe('the address of a queue', () => {
  it('uses a password from the environment', () => {
    const { options, shown, warnings } = readQueueAddress('rediss://ann@[::1]:7000/3', {
      SANDTABLE_REDIS_PASSWORD: 'pässword',
    });
    expect(options).toMatchObject({ host: '::1', port: 7000, db: 3, username: 'ann', password: 'pässword' });
    expect(shown).toBe('rediss://ann@[::1]:7000/3');
    expect(warnings).toEqual([]);
  });

  it('may contain a password, which is never shown', () => {
    const { options, shown, warnings } = readQueueAddress('redis://:p%40ss@host', {});
    expect(options).toMatchObject({ host: 'host', port: 6379, password: 'p@ss' });
    expect(`${shown} ${warnings.join()}`).not.toMatch(/p@ss|p%40ss/);
    expect(warnings.join()).toMatch(/list of processes.*SANDTABLE_REDIS_PASSWORD/);
    expect(warnings.join()).toMatch(/not encrypted/);
  });

  it.each([
    '',
    'localhost:6379',
    'http://host',
    'redis://',
    'redis://host/x',
    'redis://:geheim@host?x=1',
    'redis://:geheim@host:port',
  ])('is refused if it is "%s"', (text) => {
    expect(() => readQueueAddress(text, {})).toThrow(
      expect.objectContaining({ code: 'bad_queue', kind: 'input' }),
    );
    expect(() => readQueueAddress(text, {})).toThrow(/^(?!.*geheim)/);
  });

  it('is masked in any text', () => {
    expect(maskPassword('cannot reach rediss://ann:geheim@host:1 or redis://:geheim@b')).toBe(
      'cannot reach rediss://ann:***@host:1 or redis://:***@b',
    );
    expect(maskPassword('redis://:ge@he/im@host/0: no')).toBe('redis://:***@host/0: no');
  });
});
