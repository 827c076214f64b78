export {
  type FeatureColumn,
  type FeatureSource,
  type FeatureTable,
  type FeatureType,
  type FeatureValue,
  featureSchema,
} from './bar-columns.ts';
export {
  type Feature,
  featuresOf,
  type GrowingFeature,
  type KnownRow,
  type KnownRows,
  type NumberFeature,
  type ValueFeature,
} from './feature.ts';
export { cutFeatures, FeatureFeed, KnownAt, type NewlyKnown } from './feed.ts';
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
