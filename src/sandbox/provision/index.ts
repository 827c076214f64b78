export { V8_OPTIONS } from './build-job.ts';
export type { ExtraWheel } from './bundled-python.ts';
export { cacheFolderOf, type Environment } from './cache-file.ts';
export {
  type CacheReport,
  describeCache,
  type ProvisionOptions,
  type PythonRuntime,
  provisionRuntime,
  pruneCache,
} from './provision.ts';
export type { BootFiles, PackageImage } from './start-python.ts';
export type { OnProgress, ProvisionProgress } from './wheel-store.ts';
