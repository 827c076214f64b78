export type { BootFiles, PackageImage } from './boot.ts';
export { V8_OPTIONS } from './build-job.ts';
export type { ExtraWheel } from './bundled-python.ts';
export { cacheFolderOf, type Environment } from './cache-file.ts';
export { type CacheReport, describeCache, pruneCache } from './cache-report.ts';
export { type ProvisionOptions, type PythonRuntime, provisionRuntime } from './provision.ts';
export type { OnProgress, ProvisionProgress } from './wheel-store.ts';
