export { type Downloaded, downloadBars } from './download.ts';
export { httpFeed, providerFeed, socketFeed } from './feed-remote.ts';
export {
  type FeedInput,
  type FeedSource,
  fileFeed,
  simulatedFeed,
  stdinFeed,
} from './feed-source.ts';
export { downloadFred, FRED } from './fred.ts';
export { Http } from './http.ts';
export type { Provider } from './provider.ts';
export { PROVIDER_NAMES, providerOf } from './providers/index.ts';
