export {
  CANARY_VALUE,
  canaryFeatures,
  canaryPointInTime,
  canarySeries,
  checkCanary,
  exampleMasker,
  type GivenClock,
  textMasker,
  withCanary,
} from './leaks.ts';
export { createMask } from './mask.ts';
export { maskSettings } from './mask-settings.ts';
export { checkMaskVersion, type MaskView, maskView, realDate, shownDate, viewOf } from './mask-view.ts';
export { maskMarket, maskWorld } from './mask-world.ts';
export { maskFeatures } from './masked-features.ts';
export { checkMaskedPrompts, maskFiles } from './masked-files.ts';
export type { GivenWorld } from './shape.ts';
export { unmasker } from './unmask.ts';
