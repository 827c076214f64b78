export { HttpFailure, type HttpLimits, request, retry, retryAfter } from './request.ts';
export { socketMessages } from './socket.ts';
