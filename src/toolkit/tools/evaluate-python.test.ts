import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replied, setUp, TOOLS, write } from '../../../test/support/evaluate-python.ts';
import type { SandboxReply } from '../../sandbox/index.ts';
import { rebuildVfs, VFS_LIMITS } from '../vfs/index.ts';

describe('evaluate_python refuses, before any code runs,', () => {
  it.each<[string, object, RegExp]>([
    [
      'code over 2,000 characters',
      { code: 'x'.repeat(2_001) },
      /maximum length of 2,000 characters: it has 2,001/,
    ],
    ['control characters', { code: 'x\u0007' }, /unsupported control characters: U\+0007 at 1/],
    ['carriage returns', { code: 'x\r\ny' }, /U\+000D/],
    ['C1 control characters', { code: '\u0085' }, /U\+0085/],
    ['text that is not UTF-8', { code: '"\ud800"' }, /valid UTF-8/],
    [
      'globals that are not JSON',
      { globals: { good: '1', bad: '{', worse: 'NaN' } },
      /Invalid JSON for global "bad".*Invalid JSON for global "worse"/,
    ],
    [
      'globals that are no names',
      { globals: { 'a b': '1', __x: '1', '1a': '2' } },
      /"a b" is not.*"__x" is not.*"1a" is not/,
    ],
    [
      'a global with the name of a file',
      { globals: { old: '1' }, reads: [{ path: 'old' }] },
      /"old" has the name of a file in reads/,
    ],
    [
      'missing files',
      { reads: [{ path: 'none.txt' }] },
      /"none.txt": File does not exist in the virtual file system/,
    ],
    ['bad paths to read', { reads: [{ path: '../x' }, { path: '/x' }] }, /"\.\.\/x": .*"\/x": absolute/],
    [
      'a file read twice',
      { reads: [{ path: 'old' }, { path: 'old' }] },
      /Duplicate read targets detected: "old"/,
    ],
    ['bad paths to write', { writes: [write('a//b'), write('ü')] }, /empty part.*ASCII/],
    ['a path too deep', { writes: [write(Array(17).fill('a').join('/'))] }, /over the limit of 16/],
    ['a part too long', { writes: [write('a'.repeat(81))] }, /over the limit of 80/],
    [
      'a file written twice',
      { writes: [write('a'), write('a', 'y', 'append')] },
      /Duplicate write targets detected: "a"/,
    ],
    [
      'a file read and written',
      { reads: [{ path: 'old' }], writes: [write('old', '', 'append')] },
      /must not target the same path: "old"/,
    ],
    [
      'creating what exists',
      { writes: [write('old')] },
      /"old": File already exists; use overwrite or append/,
    ],
    [
      'content over 48,000 characters',
      { writes: [write('a', 'x'.repeat(48_001))] },
      /48,001 characters long, over the limit of 48,000/,
    ],
  ])('%s', async (_, parameters, message) => {
    const { evaluate, calls, changes } = setUp({ files: { old: 'text' } });
    const answer = await evaluate(parameters);
    expect(answer.error).toMatch(message);
    expect(answer.remediation).toMatch(/No code ran/);
    expect(calls).toEqual([]);
    expect(changes()).toEqual([]);
  });

  it('all faults together', async () => {
    const { evaluate } = setUp();
    const answer = await evaluate({
      code: 'x'.repeat(3_000),
      globals: { a: '[' },
      reads: [{ path: 'b' }],
      writes: [write('/')],
    });
    for (const part of ['2,000', 'global "a"', '"b"', 'absolute']) expect(answer.error).toContain(part);
  });

  it('arguments of other types, with their names', async () => {
    const { evaluate } = setUp();
    expect((await evaluate({ globals: { x: ['5'] } })).error).toContain('globals.x');
    expect((await evaluate({ writes: [{ path: 'a' }] })).error).toContain('writes.0.content');
    expect((await evaluate({ writes: [write('a', 'x', 'w')] })).error).toContain('writes.0.mode');
    expect((await evaluate({ code: ['5'] })).error).toContain('code');
  });
});

describe('evaluate_python', () => {
  it('allows 2,000 characters, counted like Python', async () => {
    const { evaluate, calls } = setUp();
    await evaluate({ code: '😀'.repeat(2_000) });
    expect(calls).toHaveLength(1);
  });

  it('passes no bars, and files only to code that can read them', async () => {
    const { evaluate, calls } = setUp({ files: { a: '1', 'b/c': '2' } });
    await evaluate({ code: 'x', reads: [{ path: 'b/c' }] });
    await evaluate({ code: 'ｒead_text("a")' });
    expect(calls.map(({ windows, timeoutMs }) => [windows, timeoutMs])).toEqual([
      [[], 5_000],
      [[], 5_000],
    ]);
    expect(calls.map(({ request }) => [request.reads, request.files])).toEqual([
      [{ 'b/c': '2' }, {}],
      [{}, { a: '1', 'b/c': '2' }],
    ]);
  });

  it('executes the writes, returns them, and records them with a telemetry record', async () => {
    const reply = replied({
      value_repr: '1',
      stdout: 'out\n',
      globals: { x: '1' },
      writes: [write('a', 'new'), write('old', '!', 'append')],
    });
    const { evaluate, files, changes, telemetry } = setUp({ files: { old: 'text' }, reply });
    const answer = await evaluate({ code: 'c'.repeat(500), writes: [write('a', '{x}')] });
    expect(answer).toEqual({
      value_repr: '1',
      stdout: 'out\n',
      stderr: '',
      globals: { x: '1' },
      reads: [],
      writes: [write('a', 'new'), write('old', '!', 'append')],
    });
    expect(Object.keys(answer)).toEqual(['value_repr', 'stdout', 'stderr', 'globals', 'reads', 'writes']);
    expect(files.list().map(({ path, content }) => [path, content])).toEqual([
      ['a', 'new'],
      ['old', 'text!'],
    ]);
    expect(changes()).toEqual([
      { type: 'file_written', bar: 3, path: 'a', mode: 'create', content: 'new' },
      { type: 'file_written', bar: 3, path: 'old', mode: 'append', content: '!' },
    ]);
    expect(telemetry()).toEqual([
      {
        type: 'telemetry',
        bar: 3,
        event: 'asteval.run',
        stdout_len: 4,
        stderr_len: 0,
        write_count: 2,
        code: 'c'.repeat(200),
      },
    ]);
  });

  it.each<[string, SandboxReply, RegExp]>([
    [
      'code that fails',
      replied({ stderr: 'ValueError: x', failed: 'Fix it.', writes: [] }),
      /^ValueError: x$/,
    ],
    [
      'a soft time-out',
      { ok: false, kind: 'TimeoutError', error: 'any', remediation: 'any' },
      /^Execution timed out\.$/,
    ],
    [
      'a crash',
      { ok: false, kind: 'SandboxCrash', error: 'SandboxError: gone', remediation: 'less' },
      /^SandboxError: gone$/,
    ],
    ['a reply of another shape', { ok: true, result: { value_repr: 5 } }, /not readable/],
    [
      'a write the code queued that does not fit',
      replied({ writes: [write('good'), write('old'), write('../up')] }),
      /2 faults\n.*old: .*already exists\n.*\.\.\/up: /,
    ],
    [
      'a write to a path that is a folder',
      replied({ writes: [write('dir')] }),
      /^dir: a folder with that name/,
    ],
  ])('changes nothing after %s', async (_, reply, message) => {
    const { evaluate, files, changes, telemetry } = setUp({ files: { old: 'text', 'dir/file': '' }, reply });
    const before = files.snapshot();
    const answer = await evaluate({ code: 'x', writes: [write('n')] });
    expect(answer.stderr).toMatch(message);
    expect(answer).toMatchObject({
      value_repr: null,
      writes: [],
      error: answer.stderr,
      remediation: expect.any(String),
    });
    expect(files.snapshot()).toEqual(before);
    expect(changes()).toEqual([]);
    expect(telemetry()).toMatchObject([{ write_count: 0, stderr_len: String(answer.stderr).length }]);
  });

  it('truncates an answer that is too large, but not the file', async () => {
    const content = '😀'.repeat(VFS_LIMITS.fileCharacters);
    const globals = Object.fromEntries(
      Array.from({ length: 300 }, (_, index) => [`g${index}`, `"${'é'.repeat(900)}"`]),
    );
    const reply = replied({ writes: [write('big', content)], globals, stdout: '\u0001'.repeat(4_096) });
    for (const resultBytes of [32_768, 1_000, 1]) {
      const { evaluate, files } = setUp({ reply, resultBytes });
      const answer = await evaluate({ code: 'x' });
      expect(answer.error).toBeUndefined();
      expect(answer.note).toMatch(/shortened/);
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThan(resultBytes + 8_192);
      expect(files.file('big')?.characters).toBe(VFS_LIMITS.fileCharacters);
    }
  });
});

describe('any arguments of a model', () => {
  const path = fc.constantFrom(
    'a',
    'a/b',
    'old',
    '../x',
    '',
    '/etc/hosts',
    'a\\b',
    'é',
    '__proto__',
    'x'.repeat(90),
  );
  const text = fc.oneof(fc.string(), fc.constantFrom('{x}', '\ud800', 'x'.repeat(50_000), '1', '[1]'));
  const mode = fc.constantFrom('create', 'overwrite', 'append', 'w');
  const good: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    evaluate_python: fc.record(
      {
        code: fc.oneof(text, fc.constant('y'.repeat(2_500))),
        globals: fc.dictionary(fc.constantFrom('x', 'a', '__class__', '__proto__', 'a b'), text, {
          maxKeys: 3,
        }),
        reads: fc.array(fc.record({ path }), { maxLength: 3 }),
        writes: fc.array(fc.record({ path, content: text, mode }, { requiredKeys: ['path', 'content'] }), {
          maxLength: 3,
        }),
      },
      { requiredKeys: ['code'] },
    ),
    vfs_list: fc.record({ folder: path }, { requiredKeys: [] }),
    vfs_read: fc.record({ path, offset: fc.nat(9), limit: fc.nat(20_000) }, { requiredKeys: ['path'] }),
    vfs_write: fc.record({ path, content: text, mode }, { requiredKeys: ['path', 'content'] }),
    vfs_delete: fc.record({ path }),
  };

  it.each(TOOLS)(
    '%s answers in JSON under the limit, and the files can be rebuilt from the journal',
    async (name) => {
      const reply = replied({ value_repr: '1', writes: [write('queued', 'x', 'append')] });
      const { call, files, changes } = setUp({ reply });
      await call('vfs_write', { path: 'old', content: 'x' });
      let worked = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.oneof({ weight: 5, arbitrary: good[name]! }, { weight: 1, arbitrary: fc.jsonValue() }),
          async (given) => {
            const before = changes().length;
            const answer = await call(name, given);
            const json = JSON.stringify(answer);
            expect(JSON.parse(json)).toEqual(answer);
            expect(Buffer.byteLength(json)).toBeLessThan(32 * 1024 + 8_192);
            if (answer.error === undefined) worked += 1;
            else {
              expect(answer.remediation).toBeTruthy();
              expect(changes()).toHaveLength(before);
            }
            if (name === 'vfs_delete')
              await call('vfs_write', { path: 'old', content: 'x', mode: 'overwrite' });
          },
        ),
        { numRuns: 1_000 },
      );
      expect(worked).toBeGreaterThan(0);
      expect(rebuildVfs(changes()).list()).toEqual(files.list());
    },
  );
});
