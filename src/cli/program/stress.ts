import type { Command } from 'commander';
import { addStressFlags } from '../flags/stress-flags.ts';
import type { Io, SetExitCode } from '../io.ts';

export function addStress(program: Command, io: Io, setExitCode: SetExitCode): void {
  addStressFlags(program.command('stress')).action(
    async (strategy: string | undefined, flags: Record<string, unknown>) => {
      const { stressCommand } = await import('../commands/stress.ts');
      setExitCode(await stressCommand(strategy, flags, io));
    },
  );
}
