export { cutFeatures } from './cut.ts';
export type { Feature, GrowingFeature, KnownRow, KnownRows, NumberFeature, ValueFeature } from './feature.ts';
export { featuresOf } from './feature.ts';
export { FeatureFeed, type NewlyKnown } from './feed.ts';
export { KnownAt } from './known-at.ts';
export {
  FeatureSender,
  type FeatureShape,
  type KnownNews,
  type MirroredFeatures,
} from './mirrored.ts';
export {
  type FeatureRow,
  featureTable,
  type LoadedFeatures,
  lagOf,
  loadFeatures,
} from './read.ts';
export {
  type FeatureColumn,
  type FeatureSource,
  type FeatureTable,
  type FeatureType,
  type FeatureValue,
  featureSchema,
} from './table.ts';
