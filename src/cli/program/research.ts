import type { Command } from 'commander';
import { addSweepFlags } from '../flags/sweep-flags.ts';
import type { Io, SetExitCode } from '../io.ts';

export function addSweep(program: Command, io: Io, setExitCode: SetExitCode): void {
  addSweepFlags(program.command('sweep')).action(
    async (strategy: string | undefined, folder: string | undefined, flags: unknown) => {
      const { sweepCommand } = await import('../commands/sweep.ts');
      setExitCode(await sweepCommand(strategy, folder, flags, io));
    },
  );
}
