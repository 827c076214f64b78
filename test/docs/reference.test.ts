import { expect, it } from 'vitest';
import { printedSchema, referencePages } from '../../docs/generate-reference.ts';
import { journalEvents } from '../../docs/journal-events.ts';
import type { RunEvent } from '../../src/engine/index.ts';

it('the generated reference has every command, key, name and metric with a description', async () => {
  const pages = await referencePages(await printedSchema());
  expect(pages['commands.md']).toContain('\n## sandtable data simulate\n');
  expect(pages['commands.md']).toContain('| `--commission <rate>` | Commission as a fraction of each fill');
  expect(pages['project-file.md']).toMatch(/^\| `costs\.commission` \| .+ \|$/m);
  expect(pages['figures.md']).toContain('| `sharpe` | Sharpe ratio | ratio | higher |');
  const python = pages['python.md']!;
  expect(python).toContain('| `equity` | `float` | Cash plus every position at its last price. |');
  const bar = python.slice(python.indexOf('\n## Bar\n'));
  expect([...bar.matchAll(/^\| (`.*`) \| `.*` \|\s*\|$/gm)].map(([, name]) => name)).toEqual([]);
});

/** All types of events. The compiler reports a type that is missing here. */
const EVENT_TYPES: Readonly<Record<RunEvent['type'], true>> = {
  tool_called: true,
  note: true,
  telemetry: true,
  file_written: true,
  file_deleted: true,
  cash_entry: true,
  split: true,
  rolled: true,
  delisted: true,
  features_known: true,
  context_known: true,
  documents_known: true,
  fundamentals_known: true,
  universe_changed: true,
  bar: true,
  decision_missed: true,
  run_started: true,
  run_finished: true,
  order_accepted: true,
  order_cancelled: true,
  order_rejected: true,
  order_filled: true,
  risk_halted: true,
  trade_closed: true,
  order_adjusted: true,
  model_configured: true,
  model_called: true,
  limit_reached: true,
  model_unavailable: true,
  role_spoke: true,
  decision_made: true,
  agent_asked: true,
  agent_replied: true,
};

it('the page of journal events has every event type of the engine with a description', () => {
  const events = journalEvents();
  expect(events.map(({ type }) => type).sort()).toEqual(Object.keys(EVENT_TYPES).sort());
  expect(events.filter(({ text }) => text === '')).toEqual([]);
  expect(events.find(({ type }) => type === 'role_spoke')?.fields.map(({ name }) => name)).toContain('cost');
});
