import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosePort, PortTakenError } from './index.ts';

const host = '127.0.0.1';
let taken: Server;
let port: number;

beforeAll(async () => {
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, host, resolve));
  port = (taken.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => taken.close(resolve)));

describe('choosePort', () => {
  it('returns any free port for 0', async () => {
    expect(await choosePort({ host, port: 0, fixed: true })).toBeGreaterThan(1023);
  });

  it('returns the next port if the preferred one is taken', async () => {
    expect(await choosePort({ host, port, fixed: false })).toBeGreaterThan(port);
  });

  it('rejects a taken port that is fixed', async () => {
    const wish = choosePort({ host, port, fixed: true });
    await expect(wish).rejects.toThrow(`port ${port} is already in use on ${host}`);
    await expect(wish).rejects.toBeInstanceOf(PortTakenError);
  });
});
