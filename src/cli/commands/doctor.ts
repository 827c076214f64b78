import { runSettingsSchema, World } from '../../engine/index.ts';
import { AppError, messageOf, version } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { preparePython } from '../../runner/index.ts';
import { describeCache, Sandbox, type SandboxReply } from '../../sandbox/index.ts';
import { type Io, printLine } from '../io.ts';
import { printing } from '../run-context.ts';

interface Finding {
  readonly name: string;
  readonly good: boolean;
  readonly detail: string;
  /** Remedy for the problem. Absent if `good` is true and there is nothing to improve. */
  readonly remedy?: string;
}

/**
 * `sandtable doctor`: checks everything that a run needs and suggests remedies. Returns the exit code: 1 if
 * something is broken, otherwise 0.
 */
export async function doctorCommand(asJson: boolean, io: Io): Promise<number> {
  const findings: Finding[] = [];
  const add = (finding: Finding): void => {
    findings.push(finding);
    if (!asJson) printFinding(finding, io);
  };
  add(checkNode());
  for (const finding of await checkCache()) add(finding);
  await checkSandbox(io, asJson, add);
  const good = findings.every((finding) => finding.good);
  if (asJson) printLine(io.stdout, JSON.stringify({ version: version(), good, findings }, null, 2));
  else
    printLine(io.stdout, good ? '\nEverything is in place.' : '\nSome requirements are missing: see above.');
  return good ? 0 : 1;
}

function printFinding({ name, good, detail, remedy }: Finding, io: Io): void {
  printLine(io.stdout, `${good ? 'ok ' : 'BAD'}  ${name.padEnd(18)} ${detail}`);
  if (remedy !== undefined) printLine(io.stdout, `     ${' '.repeat(18)} ${remedy}`);
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const good = major > 20 || (major === 20 && minor >= 18);
  return {
    name: 'Node',
    good,
    detail: `${process.versions.node} on ${process.platform} ${process.arch}`,
    ...(good ? {} : { remedy: 'Install Node 20.18 or later.' }),
  };
}

async function checkCache(): Promise<Finding[]> {
  const { folder, bytes, wheels, image } = await describeCache();
  const damaged = wheels.filter((wheel) => wheel.state === 'damaged').map((wheel) => wheel.name);
  const absent = wheels.filter((wheel) => wheel.state === 'absent').map((wheel) => wheel.name);
  const remedy = 'Run: npx sandtable setup';
  return [
    { name: 'Cache', good: true, detail: `${folder} (${Math.round(bytes / 1e6)} MB)` },
    {
      name: 'Wheels',
      good: damaged.length === 0,
      detail:
        damaged.length > 0
          ? `damaged: ${damaged.join(', ')}`
          : absent.length > 0
            ? `not fetched yet: ${absent.join(', ')}`
            : wheels.map((wheel) => `${wheel.name} ${wheel.version}`).join(', '),
      ...(damaged.length > 0 ? { remedy } : {}),
    },
    {
      name: 'Python image',
      good: image.state !== 'damaged',
      detail: image.state === 'absent' ? 'was missing; built now' : image.state,
      ...(image.state === 'damaged' ? { remedy } : {}),
    },
  ];
}

async function checkSandbox(io: Io, silent: boolean, add: (finding: Finding) => void): Promise<void> {
  let sandbox: Sandbox | undefined;
  try {
    sandbox = new Sandbox({ runtime: await preparePython(printing(io, silent)), spares: 1 });
    const startedAt = performance.now();
    const { bootMs, descriptorsClosed } = await sandbox.describe();
    const total = performance.now() - startedAt;
    add({
      name: 'Sandbox start',
      good: true,
      detail: `${total.toFixed(0)} ms, of it Python ${bootMs.toFixed(0)} ms`,
    });
    add({
      name: 'Network',
      good: true,
      detail: descriptorsClosed
        ? 'closed: the child can open no socket and no file'
        : 'closed inside the child only',
      ...(descriptorsClosed
        ? {}
        : { remedy: 'Weaker than on Linux with prlimit (package util-linux): see SECURITY.md.' }),
    });
    await selfTest(sandbox, add);
  } catch (error) {
    const remedy = error instanceof AppError ? error.hint : 'Please report this.';
    add({ name: 'Sandbox', good: false, detail: messageOf(error), remedy });
  } finally {
    await sandbox?.close();
  }
}

async function selfTest(sandbox: Sandbox, add: (finding: Finding) => void): Promise<void> {
  const market = simulateMarket({ seed: 1, bars: 250 });
  const world = new World(market, runSettingsSchema.parse({}));
  for (let bar = 0; bar < market.clock.length; bar++) world.reveal();
  const run = async (code: string): Promise<{ reply: SandboxReply; milliseconds: number }> => {
    const startedAt = performance.now();
    const limits = {
      timeoutMs: sandbox.timeoutMs,
      resultBytes: 32_768,
      stdoutCharacters: 4_000,
      codeCharacters: 20_000,
    };
    const account = { cash: 1, equity: 1, positions: {} };
    const windows = [world.turn.window];
    const request = { code, symbol: world.symbols[0], account, limits };
    const reply = await sandbox.call({
      operation: 'compute',
      request,
      bar: world.bar,
      time: world.time,
      windows,
    });
    return { reply, milliseconds: performance.now() - startedAt };
  };
  await run('len(df)');
  const value = await run('df.close.iloc[-1]');
  add({
    name: 'compute',
    good: value.reply.ok && value.reply.result === world.turn.window.close.last,
    detail: `df.close.iloc[-1] in ${value.milliseconds.toFixed(2)} ms`,
  });
  const indicator = await run('latest(ta.rsi(df.close, 14))');
  add({ name: 'ta', good: indicator.reply.ok, detail: `RSI in ${indicator.milliseconds.toFixed(2)} ms` });
  const endless = await run('while True: pass');
  add({
    name: 'Guard',
    good: !endless.reply.ok && endless.reply.kind === 'TimeoutError',
    detail: `an endless loop was answered in ${endless.milliseconds.toFixed(0)} ms`,
  });
  const hung = await run('np.convolve(np.ones(10**6), np.ones(10**5))[0]');
  add({
    name: 'Hard limit',
    good: !hung.reply.ok && hung.reply.kind === 'TimeoutError',
    detail: `code that cannot be interrupted was answered in ${hung.milliseconds.toFixed(0)} ms`,
  });
  const after = await run('1 + 1');
  add({
    name: 'After the limit',
    good: after.reply.ok && after.reply.result === 2,
    detail: `the next call took ${after.milliseconds.toFixed(0)} ms`,
  });
  const { spares } = await sandbox.describe();
  add({
    name: 'Python pool',
    good: true,
    detail: `1 process at work; spares: ${spares.ready} ready, ${spares.starting} starting`,
  });
}

/** `sandtable setup`: downloads everything that a first run needs. */
export async function setupCommand(flags: { readonly wheels?: string }, io: Io): Promise<void> {
  const startedAt = performance.now();
  const { versions } = await preparePython(printing(io, false), flags.wheels);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const parts = Object.entries(versions).map(([name, number]) => `${name} ${number}`);
  printLine(io.stdout, `Python is ready (${seconds} s): ${parts.join(', ')}`);
}
