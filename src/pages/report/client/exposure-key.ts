import { percent } from '../../shared/number-formats.ts';
import { element } from '../../trace/client/dom.ts';
import type { PageData } from '../model/page-data.ts';
import type { Exposures } from './exposures.ts';
import { stackColour } from './theme.ts';
import type { ViewStore } from './view.ts';

/**
 * Shows the key of the exposure pane: each layer with its mean exposure. Pressing an entry selects its
 * symbol.
 */
export function startExposureKey(data: PageData, exposures: Exposures | undefined, view: ViewStore): void {
  const place = document.getElementById('exposure-key');
  if (place === null || exposures === undefined) return;
  const { stack } = exposures;
  const rest = stack.filter(({ symbol }) => symbol === undefined);
  const chip = (name: string, mean: number, colour: string): (HTMLElement | string)[] => {
    const mark = element('i', { 'aria-hidden': 'true' });
    mark.style.background = colour;
    return [mark, `${name} ${percent(mean, 1)}`];
  };
  const named = stack.flatMap(({ symbol, mean }, at) => {
    if (symbol === undefined) return [];
    const name = data.symbols[symbol] ?? '';
    const button = element(
      'button',
      { type: 'button', class: 'plain' },
      chip(name, mean, stackColour(symbol, at)),
    );
    button.addEventListener('click', () => view.change({ symbol }));
    return [button];
  });
  const others =
    rest.length === 0
      ? []
      : [
          element(
            'span',
            {},
            chip(
              'others',
              rest.reduce((sum, { mean }) => sum + mean, 0),
              stackColour(undefined, 0),
            ),
          ),
        ];
  place.replaceChildren('Mean exposure: ', ...named, ...others);
}
