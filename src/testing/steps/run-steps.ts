import { join } from 'node:path';
import { VERDICT_WORDS } from '../../results/analysis/index.ts';
import { sha256OfFile } from '../../results/runs/index.ts';
import { CheckFailed } from './checked-run.ts';
import type { Desk } from './desk.ts';
import type { Step } from './step.ts';

const KNOWN_VERDICTS = Object.values(VERDICT_WORDS).map((word) => word.toLowerCase());

/** Steps that check how a run ended and if its result is reliable. */
export const RUN_STEPS: readonly Step[] = [
  {
    keyword: 'Then',
    pattern: 'the run ended {word}',
    example: 'the run ended failed',
    about: '`completed`, `failed`, `insolvent`, `stopped`, `budget_exhausted` or `interrupted`.',
    run(desk: Desk, outcome: string) {
      const run = desk.run(null, { anyEnd: true });
      run.endSeen = true;
      const { record } = run;
      if (record.outcome === outcome) return;
      const words = run.words === '' ? '' : `\n${run.words}`;
      throw new CheckFailed(
        `${run.name} ended "${record.outcome}" after ${record.bars.length} bars, not "${outcome}".${words}${run.place}`,
      );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the verdict is {string}',
    example: 'the verdict is "no evidence"',
    about:
      '`broke`, `incomplete`, `no evidence`, `indistinguishable`, `worse` or `better`; [metrics.md](metrics.md) says when.',
    run(desk: Desk, words: string) {
      const run = desk.run(null, { anyEnd: true });
      const { state, because } = run.summary.verdict;
      const wanted = KNOWN_VERDICTS.find((word) => word === words.trim().toLowerCase());
      if (wanted === undefined)
        throw new CheckFailed(`There is no verdict "${words}".\n  Verdicts: ${KNOWN_VERDICTS.join(', ')}.`);
      const found = VERDICT_WORDS[state].toLowerCase();
      if (found !== wanted)
        throw new CheckFailed(
          `${run.name}: the verdict is "${found}", not "${wanted}". ${because.join(' ')}${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the backtest is refused, saying {string}',
    example: 'the backtest is refused, saying "no-such-prices.csv"',
    about: 'After `the backtest runs, however it ends`: the input was not good, and no run was made.',
    run(desk: Desk, words: string) {
      const refusal = desk.seeRefusal();
      if (refusal === undefined) throw new CheckFailed('The backtest was not refused.');
      if (!refusal.includes(words)) throw new CheckFailed(`The backtest was refused, but says:\n${refusal}`);
    },
  },
  {
    keyword: 'Then',
    pattern: 'the run is sealed',
    example: 'the run is sealed',
    about: 'Nothing outside its inputs could shape it, and its journal is as its manifest vouches for it.',
    run(desk: Desk) {
      const run = desk.run();
      if (!run.summary.sealed)
        throw new CheckFailed(`${run.name} is not sealed: ${run.summary.openDoors.join(', ')}.${run.place}`);
      if (run.folder === undefined) return;
      const journal = join(run.folder, 'journal.jsonl');
      if (run.vouchedFor === undefined)
        throw new CheckFailed(`${run.name} has no manifest that vouches for its journal.${run.place}`);
      if (sha256OfFile(journal) !== run.vouchedFor)
        throw new CheckFailed(
          `The journal of ${run.name} is not the one its manifest vouches for.${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the run repeats byte for byte',
    example: 'the run repeats byte for byte',
    slow: true,
    about: 'Replays it as `sandtable replay` does and compares every line with its journal.',
    async run(desk: Desk) {
      const run = desk.run();
      if (run.folder === undefined) throw new CheckFailed(`${run.name} has no folder to replay it from.`);
      const words = await desk.replay(run.folder);
      if (words !== undefined) throw new CheckFailed(`${run.name} does not repeat:\n${words}${run.place}`);
    },
  },
  {
    keyword: 'Then',
    pattern: 'the model was asked {int} time(s)',
    example: 'the model was asked 2 times',
    run(desk: Desk, times: number) {
      const run = desk.run();
      const { model } = run.summary;
      if (model === null) throw new CheckFailed(`${run.name} has no model.${run.place}`);
      if (model.requests !== times)
        throw new CheckFailed(
          `${run.name}: the model was asked ${model.requests} times, not ${times}.${run.place}`,
        );
    },
  },
  {
    keyword: 'Then',
    pattern: 'the scripted model played to its end',
    example: 'the scripted model played to its end',
    about: 'No request came that its script does not know, and no step of it is left.',
    run({ model }: Desk) {
      if (model === undefined)
        throw new CheckFailed(
          'There is no scripted model: say Given a scripted model that plays "model.json".',
        );
      const left = model.leftover();
      if (model.unexpected.length === 0 && left.length === 0) return;
      const lines = [...model.unexpected, ...left].map((line) => `  ${line}`);
      throw new CheckFailed(`The scripted model did not play as it was written:\n${lines.join('\n')}`);
    },
  },
];
