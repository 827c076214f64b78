import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { skipBecause } from '../missing.ts';
import { inDepth } from '../support/depth.ts';
import { ROOT } from './blocks.ts';
import { isBuilt, paste } from './paste.ts';

if (!isBuilt) skipBecause('The commands of docs/forward.md were not tested: they need a build.');

const [, section = ''] =
  /## From a backtest to a registered forward test\n([\s\S]*?)\n## /.exec(
    readFileSync(`${ROOT}docs/forward.md`, 'utf8'),
  ) ?? [];
const plan = /^PLAN=.*$/m.exec(section)?.[0] ?? '';
const commands = [...section.matchAll(/^\d+\. [^`]*`([^`]+)`/gm)].map(([, command]) => command!);

/** Prints the exit code of a command, with its number on the page. */
const reported = (place: number, command: string): string => `${command}; echo "command ${place + 1}: $?"`;

it('docs/forward.md contains ten commands from a backtest to a forward test', () => {
  expect(commands).toHaveLength(10);
});

it.runIf(isBuilt && inDepth(3))(
  'the ten commands of docs/forward.md work without changes',
  async () => {
    const [check, test, rehearse, register, tag, start, status, stop, resume, repeat] = commands.map(
      (command, place) => reported(place, command.replace('reports/RUN', '"$RUN"')),
    ) as [string, string, string, string, string, string, string, string, string, string];
    // Waits with a limit of 60 seconds, so that a failed command ends the test instead of blocking it.
    const waitFor = (condition: string): string =>
      `for attempt in {1..200}; do ${condition} && break; sleep 0.3; done`;
    const running = waitFor('npx sandtable forward status "$RUN" 2> /dev/null | grep -q "running, process"');
    const { stdout, stderr } = await paste(
      [
        plan,
        'git init -q . && git config user.email a@example.com && git config user.name A && git commit -q --allow-empty -m first',
        check,
        test,
        rehearse,
        register,
        // Creates an unsigned tag, because the test has no signing key.
        tag.replace('git tag -s', 'git tag -a'),
        `(${start}) &`,
        waitFor('RUN=$(grep -l new-bars.csv reports/*/inputs.json 2> /dev/null)'),
        'RUN=$(dirname "$RUN")',
        running,
        status,
        stop,
        'wait',
        `(${resume}) &`,
        running,
        'npx sandtable forward stop "$RUN"',
        'wait',
        repeat,
      ],
      [],
    );
    const codes = [...stdout.matchAll(/^command (\d+): (\d+)$/gm)].map(
      ([, place, code]) => `${place}: ${code}`,
    );
    expect(codes, `${stdout}\n${stderr}`).toEqual([
      '1: 0',
      '2: 0',
      '3: 0',
      '4: 0',
      '5: 0',
      '7: 0',
      '8: 0',
      // Both processes were stopped before the end of their run.
      '6: 1',
      '9: 1',
      '10: 0',
    ]);
  },
  600_000,
);
