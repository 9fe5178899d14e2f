import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DataServer, type WireRequest, type WireResponse } from './testing/data-server.ts';

let server: DataServer;
beforeAll(async () => {
  server = await DataServer.open(
    `create table films (id int);
     create function wait_read() returns int language sql stable as 'select 1 from pg_advisory_xact_lock_shared(77)';
     create function wait_write() returns int language sql volatile as 'select 1 from pg_advisory_xact_lock_shared(77)';
     grant all on films to anon, authenticated`,
    { PGRST_DB_POOL: '4' },
    { trustsForwarded: true },
  );
});
afterAll(() => server.close());

const from = (address: string, request: WireRequest = {}): WireRequest => ({
  ...request,
  headers: { ...request.headers, 'x-forwarded-for': address },
});

/** Runs `work` while all functions wait, and then waits for the answers that it gives. */
async function whileWaiting(work: () => Promise<Promise<WireResponse>[]>): Promise<WireResponse[]> {
  const waiting = await server.database.admin.transaction(async (tx) => {
    await tx.query({ text: 'select pg_advisory_xact_lock(77)' });
    return { begun: await work() };
  });
  return Promise.all(waiting.begun);
}

const MINE = '203.0.113.7';

describe('slow requests of one client', () => {
  it.each([
    ['GET', '/rpc/wait_read', {}],
    ['POST', '/rpc/wait_write', {}],
    ['POST', '/rpc/wait_write', { claims: { role: 'authenticated', sub: 'ann' } }],
  ])('leave connections to other clients: %s %s', async (method, path, more) => {
    const responses = await whileWaiting(async () => {
      const begun = Array.from({ length: 20 }, () => server.request(path, from(MINE, { method, ...more })));
      const read = await server.request('/films', from('198.51.100.1'));
      const write = await server.request('/films', from('198.51.100.2', { method: 'POST', body: { id: 1 } }));
      expect([read.status, write.status]).toEqual([200, 201]);
      return begun;
    });
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it('leave connections to other addresses, regardless of their number of accounts', async () => {
    await whileWaiting(async () => {
      const begun = Array.from({ length: 20 }, (_, n) => {
        const claims = { role: 'authenticated', sub: `account ${n}` };
        return server.request('/rpc/wait_write', from(MINE, { method: 'POST', claims }));
      });
      const other = await server.request('/films', from('198.51.100.1', { method: 'POST', body: { id: 1 } }));
      expect(other.status).toBe(201);
      return begun;
    });
  });

  it('are rejected if too many are queued', async () => {
    const responses = await whileWaiting(async () => {
      const begun = Array.from({ length: 203 }, () => server.request('/rpc/wait_read', from(MINE)));
      await Promise.race(begun);
      return begun;
    });
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length + responses.filter(({ status }) => status === 200).length).toBe(responses.length);
    expect(refused[0]?.header('retry-after')).toBe('1');
    expect(refused[0]?.json).toEqual({
      code: 'PGRSTX01',
      details: null,
      hint: null,
      message: 'Too many requests of this client are waiting',
    });
  });
});
