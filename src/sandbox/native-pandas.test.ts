import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { skipBecause } from '../../test/missing.ts';
import { allowed } from '../../test/policy/allowed.ts';
import { type ChainedSnippet, chained, chainedOtherwise, lineOf } from '../../test/policy/chained.ts';
import { pandasSnippets } from '../../test/policy/pandas-snippets.ts';
import { closeOf, RuntimeUnderTest } from '../../test/support/python-runtime.ts';

// The first `python3` in PATH may be an installation without pandas. The Python of Debian is then tried.
const interpreter = ['python3', '/usr/bin/python3'].find(
  (name) => spawnSync(name, ['-c', 'import pandas']).status === 0,
);
const loaded = interpreter === undefined ? undefined : await RuntimeUnderTest.load();
if (interpreter === undefined)
  skipBecause('Values were not compared with native pandas: no python3 has pandas (Debian: python3-pandas).');
else if (loaded === undefined)
  skipBecause('Values were not compared with native pandas: no Python wheels at hand.');

interface NativeReply {
  readonly ok: boolean;
  readonly result?: unknown;
  readonly kind?: string;
  readonly error?: string;
}

/** Snippets whose code native pandas 1.5 cannot run, and why. */
const WITHOUT_NATIVE_VALUE: Readonly<Record<string, string>> = {
  'resample apply': 'the frequency ME is of pandas 2.2',
  'fenced code': 'compute reads code in a Markdown fence',
  'indented code': 'compute reads indented code',
  to_markdown: 'needs the package tabulate there',
};

/** Bars as RuntimeUnderTest feeds them to the sandbox. */
function barsOf(period: number): Record<string, number[]> {
  const places = Array.from({ length: 60 }, (_, bar) => bar);
  const close = places.map((bar) => closeOf(bar, period));
  return {
    date: places.map((bar) => Date.UTC(2020, 0, 1 + bar)),
    open: places.map((bar) => close[bar]! - Math.cos(bar) / 2),
    high: close.map((price) => price + 1),
    low: close.map((price) => price - 1),
    close,
    volume: places.map((bar) => 1_000 + bar),
  };
}

function runNatively(snippets: readonly string[]): { version: string; replies: NativeReply[] } {
  const { stdout, stderr, status } = spawnSync(interpreter!, ['-m', 'tests.run_snippets'], {
    cwd: fileURLToPath(new URL('python/', import.meta.url)),
    encoding: 'utf8',
    input: JSON.stringify({
      bars: { AAPL: barsOf(7), SPY: barsOf(6.5) },
      account: { cash: 100_000, equity: 110_000, positions: { AAPL: { size: 10, avg_price: 99 } } },
      snippets,
    }),
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: '1' },
    maxBuffer: 64 * 1024 * 1024,
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return JSON.parse(stdout);
}

/**
 * Rounds all numbers in a value to nine significant digits, because versions of pandas sum in different
 * orders.
 */
function rounded(value: unknown): unknown {
  if (typeof value === 'number') return Number(value.toPrecision(9));
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, rounded(item)]));
  return value;
}

const snippets = [
  ...allowed.map(({ name, code, native }) => ({ name, code, ...native })),
  ...chained.map(({ code }) => ({ name: code, code, refused: 'ChainedAssignmentError' })),
  ...chainedOtherwise.map((code) => ({ name: code, code, refused: 'ChainedAssignmentError' })),
  ...pandasSnippets.map((snippet) => ({ name: snippet.code, ...snippet })),
];

/**
 * Replaces the line of a refused snippet that changes a copy. The returned code stores the index, columns and
 * values of the changed DataFrame in `result`.
 */
function changedBy({ code, frame = 'df' }: ChainedSnippet, replacement: string): string {
  const lines = code.split('\n');
  const place = lineOf(code) - 1;
  lines[place] = `${/^ */.exec(lines[place]!)![0]}${replacement}`;
  const numbers = `${frame}.drop(columns="date", errors="ignore").astype(float)`;
  return `${lines.join('\n')}\nresult = [[str(x) for x in ${frame}.index], list(${frame}.columns), ${numbers}.values.tolist()]`;
}

describe.skipIf(loaded === undefined)('values compared with native pandas', () => {
  const { version, replies } =
    loaded === undefined ? { version: '', replies: [] } : runNatively(snippets.map(({ code }) => code));
  const page = readFileSync(new URL('../../docs/tools.md', import.meta.url), 'utf8');

  test('have at least 300 snippets', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(300);
    // At least 80% of the snippets run in native pandas, whatever its version.
    expect(replies.filter(({ ok }) => ok).length).toBeGreaterThan(0.8 * snippets.length);
    expect(version).toMatch(/^\d+\.\d+/);
  });

  test.each(snippets.map((snippet, place) => [snippet.name, snippet, place] as const))(
    '%s',
    (_, snippet: { name: string; code: string; refused?: string; differs?: string }, place) => {
      const { code, refused, differs } = snippet;
      const reply = loaded!.compute(code, { limits: { timeoutMs: 5_000 } });
      const native = replies[place]!;
      if (refused !== undefined) {
        expect(reply).toMatchObject({ ok: false, kind: refused });
        return;
      }
      expect(reply).toMatchObject({ ok: true });
      if (differs !== undefined) {
        expect(page).toContain(differs);
        return;
      }
      if (snippet.name in WITHOUT_NATIVE_VALUE && !native.ok) return;
      expect(native).toMatchObject({ ok: true });
      expect(rounded(reply.result)).toEqual(rounded(native.result));
    },
  );
});

describe.skipIf(loaded === undefined)('the code of a hint compared with native pandas', () => {
  const { replies } =
    loaded === undefined
      ? { replies: [] }
      : runNatively(
          chained.map((snippet) => {
            const refused = snippet.code.split('\n')[lineOf(snippet.code) - 1]!.trim();
            return changedBy(snippet, snippet.meant ?? refused);
          }),
        );

  test.each(chained.map((snippet, place) => [snippet.code, snippet.hint, snippet, place] as const))(
    '%s: %s',
    (_, hint, snippet, place) => {
      const reply = loaded!.compute(changedBy(snippet, hint), { limits: { timeoutMs: 5_000 } });
      expect(reply).toMatchObject({ ok: true });
      expect(replies[place]).toMatchObject({ ok: true });
      expect(rounded(reply.result)).toEqual(rounded(replies[place]!.result));
    },
  );
});
