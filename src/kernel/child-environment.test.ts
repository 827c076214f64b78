import { expect, it } from 'vitest';
import { childEnvironment } from './processes.ts';

it('a child process inherits no keys, tokens or proxy addresses', () => {
  const own = {
    HOME: '/home/a',
    LC_ALL: 'C',
    PATH: '/bin',
    OPENAI_API_KEY: 'sk-1',
    APCA_API_SECRET_KEY: 'secret',
    SANDTABLE_SWEEP_SECRET: 'secret',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=secret',
    HTTPS_PROXY: 'http://user:secret@proxy',
    AWS_SECRET_ACCESS_KEY: 'secret',
  };
  expect(childEnvironment(own, ['PATH'])).toEqual({ HOME: '/home/a', LC_ALL: 'C', PATH: '/bin' });
  expect(childEnvironment({ Path: 'C:\\bin' }, ['PATH'])).toEqual({ Path: 'C:\\bin' });
});
