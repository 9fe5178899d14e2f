/** Limits of database changes per client. Each loopback address counts as a separate client. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openFeed } from '../feed/open-feed.ts';
import { RealtimeServer } from '../testing/realtime-server.ts';

const ANN = '127.0.0.2';
const BOB = '127.0.0.3';
const NOTES = { event: '*', schema: 'public', table: 'notes' };
const SUBSCRIBED = 'Subscribed to PostgreSQL';
const TOO_MANY = 'Too many database change subscriptions, trying again later';

let server: RealtimeServer;

beforeAll(async () => {
  server = await RealtimeServer.open({
    sql: `create table public.notes (id int primary key);
      alter publication supabase_realtime add table public.notes`,
    limitsLoopback: true,
    settings: {
      GREENROOM_REALTIME_PER_CLIENT_CHANGE_SUBSCRIPTIONS: '3',
      GREENROOM_REALTIME_PER_CLIENT_CHANGE_IDENTITIES: '2',
    },
    timings: { resubscribeMs: 20 },
    openFeed: async ({ realtimeUrl, authenticatorUrl }) =>
      openFeed({
        replicationUrl: realtimeUrl,
        url: authenticatorUrl,
        log: { info() {}, warn() {} },
      }),
  });
  await server.instance.context.feed?.waitUntilStreaming();
});
afterEach(async () => {
  server.closeClients();
  const { changeIdentities, changeSubscriptions } = server.instance.context.limits;
  await expect
    .poll(() => [changeIdentities.total, changeSubscriptions.total], { interval: 5 })
    .toEqual([0, 0]);
});
afterAll(() => server.close());

async function join(address: string, topic: string, entries: number, token?: string) {
  const client = await server.connectFrom(address);
  const changes = Array.from({ length: entries }, (_, n) => ({ ...NOTES, filter: `id=gt.${n}` }));
  const more = token === undefined ? {} : { access_token: token };
  expect(await client.join(topic, { postgres_changes: changes }, more)).toMatchObject({ status: 'ok' });
  return { client, message: (await client.next('system')).payload.message };
}

it('rejects entries above the limit of a client until others are closed, and accepts those of other clients', async () => {
  const first = await join(ANN, 'realtime:a', 2);
  expect(first.message).toBe(SUBSCRIBED);
  const second = await join(ANN, 'realtime:b', 2);
  expect(second.message).toBe(TOO_MANY);
  expect((await join(BOB, 'realtime:a', 3)).message).toBe(SUBSCRIBED);
  first.client.push('realtime:a', 'phx_leave', {});
  await second.client.next(({ payload }) => payload.message === SUBSCRIBED);
});

it('rejects roles and claims above the limit of a client, regardless of the number of channels that share each', async () => {
  const token = (n: number) => server.token({ sub: 'ada', n });
  const [one, two, three] = [await token(1), await token(2), await token(3)];
  expect((await join(ANN, 'realtime:a', 1, one)).message).toBe(SUBSCRIBED);
  expect((await join(ANN, 'realtime:b', 1, one)).message).toBe(SUBSCRIBED);
  const second = await join(BOB, 'realtime:c', 1, two);
  expect(second.message).toBe(SUBSCRIBED);
  second.client.push('realtime:c', 'access_token', { access_token: three });
  expect((await second.client.next('system')).payload.message).toBe(TOO_MANY);
});
