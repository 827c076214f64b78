export { type Downloaded, downloadBars } from './download.ts';
export { downloadFred, FRED } from './fred.ts';
export { Http } from './http.ts';
export type { Provider } from './provider.ts';
export { PROVIDER_NAMES, providerOf } from './providers/index.ts';
