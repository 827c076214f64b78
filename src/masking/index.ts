export { CANARY_VALUE, canaryFeatures, canaryPointInTime, canarySeries, withCanary } from './canary.ts';
export { checkCanary, textMasker } from './leaks.ts';
export { createMask, priceFactorOf } from './mask.ts';
export { maskSettings } from './mask-settings.ts';
export { type GivenWorld, maskMarket, maskWorld } from './mask-world.ts';
export { maskFeatures } from './masked-features.ts';
export { maskFiles } from './masked-files.ts';
export { checkMaskedPrompt } from './masked-prompt.ts';
export { realDate, unmasker } from './unmask.ts';
