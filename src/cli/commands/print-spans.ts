import { exportSpans } from '../../results/runs/index.ts';
import { type Io, printLine } from '../io.ts';

/** Exports a run's spans and reports their number and destination on stderr. Stdout is used for the page. */
export async function printSpans(folder: string, otel: string, io: Io): Promise<void> {
  const { spans, place } = await exportSpans(folder, otel, io.env);
  printLine(io.stderr, `Wrote ${spans} OpenTelemetry spans to ${place}.`);
}
