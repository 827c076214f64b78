export type { BootFiles, PackageImage } from './boot.ts';
export { cacheFolderOf, type Environment } from './cache-file.ts';
export { type CacheReport, describeCache, pruneCache } from './cache-report.ts';
export type { ExtraWheel } from './own-python.ts';
export type { OnProgress, ProvisionProgress } from './progress.ts';
export { type ProvisionOptions, type PythonRuntime, provisionRuntime } from './provision.ts';
