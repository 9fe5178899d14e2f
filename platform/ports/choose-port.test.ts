import { createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { choosePort, PortTakenError } from './choose-port.ts';

const host = '127.0.0.1';
let occupied: Server;
let port: number;

beforeAll(async () => {
  occupied = createServer();
  await new Promise<void>((resolve) => occupied.listen(0, host, resolve));
  port = (occupied.address() as { port: number }).port;
});
afterAll(() => new Promise((resolve) => occupied.close(resolve)));

describe('choosePort', () => {
  it('returns for 0 a port that the system does not assign to others', async () => {
    const ports = await Promise.all(
      Array.from({ length: 20 }, () => choosePort({ host, port: 0, fixed: true })),
    );
    for (const chosen of ports) {
      expect(chosen).toBeGreaterThanOrEqual(10_000);
      expect(chosen).toBeLessThan(30_000);
    }
  });

  it('returns the next port if the preferred one is taken', async () => {
    expect(await choosePort({ host, port, fixed: false })).toBeGreaterThan(port);
  });

  it('rejects a taken port that is fixed', async () => {
    const choice = choosePort({ host, port, fixed: true });
    await expect(choice).rejects.toThrow(`port ${port} is already in use on ${host}`);
    await expect(choice).rejects.toBeInstanceOf(PortTakenError);
  });
});
