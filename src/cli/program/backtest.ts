import type { Command } from 'commander';
import { addRunFlags } from '../flags/run-flags.ts';
import type { Io, SetExitCode } from '../io.ts';

export function addRun(program: Command, io: Io, setExitCode: SetExitCode): void {
  addRunFlags(program.command('run')).action(
    async (strategy: string | undefined, flags: { samples?: string }) => {
      if (flags.samples !== undefined) {
        const { samplesCommand } = await import('../commands/samples.ts');
        setExitCode(await samplesCommand(strategy, flags, io));
        return;
      }
      const { runCommand } = await import('../commands/run.ts');
      setExitCode(await runCommand(strategy, flags, io));
    },
  );
}
