import { describe, expect, it } from 'vitest';
import type { MaskKind } from '../../engine/index.ts';
import { AppError } from '../../kernel/index.ts';
import { simulateMarket } from '../../market/index.ts';
import { checkMaskedPrompts, createMask } from '../../masking/index.ts';
import { readLlmStrategy } from './load-llm.ts';

const market = simulateMarket({ seed: 1, bars: 60, symbols: ['SPX-DAILY'], start: '2019-06-03' });
const close = market.series[0]!.close[7]!;

/**
 * Returns the faults of a prompt that would reveal the masked market. The prompt starts at line 6 of its
 * file.
 */
function faultsOf(
  prompt: string,
  parameters = '{}',
  given: Readonly<Record<string, string>> = {},
  kinds: readonly MaskKind[] = ['symbols', 'dates', 'prices'],
): string {
  const text = `---\nmodel: m\nparameters: ${parameters}\n---\n\n${prompt}\n`;
  try {
    const { prompts } = readLlmStrategy(text, given, { file: 'trader.md', environment: {} });
    checkMaskedPrompts('trader.md', prompts, market.series, createMask(kinds, market, 4));
  } catch (error) {
    if (error instanceof AppError && error.code === 'mask_leaks') return error.message;
    throw error;
  }
  return '';
}

describe('a prompt for masked data', () => {
  it.each([
    'You trade {{symbols}} (spx-daily).',
    'Trade the SPX.',
    'since 03/10/2019',
    'Jan 3 2019',
    'since 17.12.2019',
    'on 2019.12.17',
    'It fell on 03.10.19.',
    'on Oct 3, and then',
    'since DEC 17th',
    'on the 3rd of October',
    'in ２０１９',
    '20190603',
    `support at ${close}`,
  ])('is refused with "%s", with its line in the file', (line) => {
    expect(faultsOf(`Trade.\n${line}`)).toContain('trader.md:7: the prompt has');
  });

  it.each([
    'You trade {{symbols}} on {{date}}, at most 0.5 of {{equity}} over 200 bars.',
    'Trade SPX-DAILY since 2019-06-10.',
    'Use {{parameters.spx}} bars.',
    'You may 10 times a year buy 1.2.3 of it: march 3 steps in May.',
  ])('may contain "%s"', (line) => {
    expect(faultsOf(line, '{spx: 20}')).toBe('');
  });

  it('may contain words that the mask does not hide', () => {
    expect(faultsOf('spx-daily in 2019', '{}', {}, ['prices'])).toBe('');
  });

  it('is refused if a declared or given parameter reveals data', () => {
    const prompt = 'Trade {{ parameters.theme }}.';
    expect(faultsOf(prompt, '{theme: spx-daily}')).toContain(
      'trader.md, parameter theme: has the symbol spx',
    );
    expect(faultsOf(prompt, '{theme: it}', { theme: 'the summer of 2019' })).toContain(
      'parameter theme: has 2019',
    );
    expect(faultsOf('Trade {{parameters.level}}.', `{level: ${close}}`)).toContain(`has ${close}, a price`);
    expect(faultsOf('Trade.', '{theme: spx-daily}')).toBe('');
  });
});
