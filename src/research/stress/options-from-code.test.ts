import { describe, expect, it } from 'vitest';
import { simulateMarket } from '../../market/index.ts';
import { sweepFromCode as sweep } from '../sweep/sweep-from-code.ts';
import { stressFromCode as stress } from './from-code.ts';

const given = { strategy: 'strategies/sma-cross.ts', data: simulateMarket({ seed: 1, bars: 60 }).series };

describe('options of sweep', () => {
  it('are refused with every fault, and unknown ones with the closest name', async () => {
    const error = await sweep({
      ...given,
      parameters: { fast: '5' },
      walkforward: 'train=1y,test=1y',
      crossValidation: 'cpcv:groups=6,test=2',
      commissionRate: 0.001,
      trials: 0,
      keep: 'some',
    } as never).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: 'bad_options' });
    const { message } = error as Error;
    expect(message).toContain('The options of sweep: 5 faults');
    expect(message).toContain('did you mean walkForward?');
    expect(message).toContain('settings: { commissionRate: … }');
    for (const name of ['crossValidation', 'trials', 'keep']) expect(message).toContain(name);
  });

  it.each(['seal', 'modelCutoff', 'agent', 'cluster', 'feed', 'bars', 'registration', 'amend'])(
    'do not include %s',
    async (name) => {
      await expect(sweep({ ...given, [name]: 'x' } as never)).rejects.toMatchObject({
        code: 'bad_options',
        message: expect.stringContaining(`${name}: unknown option`) as string,
      });
    },
  );
});

describe('options of stress', () => {
  it('are refused with every fault, and unknown ones with the closest name', async () => {
    const error = await stress({ ...given, world: 10, kind: 'luck', noise: '5x' } as never).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code: 'bad_options' });
    const { message } = error as Error;
    expect(message).toContain('The options of stress: 3 faults');
    expect(message).toContain('did you mean worlds?');
    expect(message).toContain('Invalid noise "5x". Expected a size such as 5bp or 10%');
    expect(message).toContain('kind');
  });

  it('do not include an agent', async () => {
    await expect(stress({ ...given, agent: 'python3 a.py' } as never)).rejects.toMatchObject({
      code: 'bad_options',
      message: expect.stringContaining('An agent cannot run on generated worlds') as string,
    });
  });
});
