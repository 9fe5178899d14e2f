/** Joins while the feed reconnects after a suspension: messages from SQL after the reply must arrive. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openFeed } from '../feed/open-feed.ts';
import { RealtimeServer } from '../testing/realtime-server.ts';

let server: RealtimeServer;
let isSuspended = false;

beforeAll(async () => {
  server = await RealtimeServer.open({
    openFeed: async ({ realtimeUrl, authenticatorUrl }) => {
      const log = { info() {}, warn() {} };
      const urls = { replicationUrl: realtimeUrl, url: authenticatorUrl };
      const feed = openFeed({ ...urls, log, suspendAfterMs: 20 });
      feed.onStatus((status) => {
        isSuspended = status === 'suspended';
      });
      return feed;
    },
  });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

it.each([1, 2, 3])('delivers a message from SQL right after a join, attempt %i', async (time) => {
  await expect.poll(() => isSuspended, { timeout: 15_000 }).toBe(true);
  await server.instance.requireReady();
  const client = await server.connect('2.0.0');
  await client.join('realtime:room', {});
  await server.run(`select realtime.send('{"time": ${time}}', 'said', 'room', false)`);
  const { payload } = await client.next('broadcast');
  expect(payload).toMatchObject({ event: 'said', payload: { time } });
});
