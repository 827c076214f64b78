import { execFileSync } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { HEADER, inOwnFolders, load, write } from '../../../test/support/data-folder.ts';
import { rejectionOf } from '../../../test/support/error-of.ts';
import { loadActions } from './actions.ts';

inOwnFolders();

const makeFifo = (path: string): unknown => execFileSync('sh', ['-c', `mkfifo ${path}`]);

describe.skipIf(process.platform === 'win32')('a path that is not a regular file', () => {
  it('is reported without waiting if a folder contains a FIFO', async () => {
    write('prices/a.csv', [HEADER, '2020-01-01,2,4,1,3,7']);
    makeFifo('prices/b.csv');
    const { code, message } = await rejectionOf(load('prices'));
    expect([code, message.split('\n', 1)[0]]).toEqual(['bad_data', 'The data cannot be read: 1 fault']);
    expect(message).toContain('prices/b.csv: is a FIFO (named pipe), not a regular file');
  });

  it('is reported if a FIFO is passed as a side file', async () => {
    makeFifo('actions.csv');
    const { message } = await rejectionOf(loadActions('actions.csv'));
    expect(message).toContain('actions.csv: is a FIFO (named pipe), not a regular file');
  });

  it('is reported if it is a socket or a device', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen('s.csv', resolve));
    const { message } = await rejectionOf(load(['s.csv', '/dev/zero']));
    server.close();
    expect(message).toContain('s.csv: is a socket, not a regular file');
    expect(message).toContain('/dev/zero: is a device, not a regular file');
  });
});
