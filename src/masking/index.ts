export { CANARY_VALUE, canarySeries, withCanary } from './canary.ts';
export { checkCanary, veilOf } from './leaks.ts';
export { createMask, priceFactorOf } from './mask.ts';
export { maskSettings } from './mask-settings.ts';
export { type GivenWorld, maskMarket, maskWorld } from './mask-world.ts';
export { veiledFiles } from './masked-files.ts';
export { checkVeiledPrompt } from './masked-prompt.ts';
export { realDate, unmasker } from './unmask.ts';
