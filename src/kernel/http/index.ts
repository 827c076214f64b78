export { HttpFailure, type HttpLimits, request } from './request.ts';
export { retry, retryAfter } from './retry.ts';
