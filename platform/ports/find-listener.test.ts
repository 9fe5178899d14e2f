import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { findListener, listeningSockets } from './find-listener.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:D431 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711 1 0 100 0 0 10 0
   1: 0100007F:D431 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 4712 1 0 20 4 30 10 -1
   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4713 1 0 100 0 0 10 0
`;

describe('listeningSockets', () => {
  it.each([
    [54321, ['socket:[4711]']],
    [80, ['socket:[4713]']],
    [4321, []],
    [8080, []],
  ])('returns the sockets of port %i: %j', (port, sockets) => {
    expect(listeningSockets(TABLE, port)).toEqual(sockets);
  });
});

describe.runIf(process.platform === 'linux')('findListener', () => {
  it.each(['127.0.0.1', '0.0.0.0', '::'])('returns the process that listens on %s', async (host) => {
    const source = `const server = require('node:net').createServer();
      server.listen(0, ${JSON.stringify(host)}, () => console.log(server.address().port));`;
    const child = spawn(process.execPath, ['-e', source], {
      cwd: '/',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = await once(child.stdout, 'data');
    const found = await findListener(Number(port));
    expect(found).toEqual({ pid: child.pid, command: 'node', workingDirectory: '/' });
    child.kill();
    await once(child, 'exit');
    expect(await findListener(Number(port))).toBeUndefined();
  });
});
