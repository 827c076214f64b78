export { HttpFailure, type HttpLimits, request, retry, retryAfter } from './request.ts';
