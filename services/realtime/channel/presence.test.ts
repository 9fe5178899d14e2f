import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { RealtimeServer } from '../testing/realtime-server.ts';

let server: RealtimeServer;
let topics = 0;

beforeAll(async () => {
  server = await RealtimeServer.open({ settings: { GREENROOM_REALTIME_MAX_PAYLOAD_SIZE_IN_KB: '1' } });
});
afterEach(() => server.closeClients());
afterAll(() => server.close());

async function joined(topic: string, presence: object = { enabled: true }, vsn = '2.0.0') {
  const client = await server.connect(vsn);
  await client.join(topic, { presence });
  return client;
}

function newTopic(): string {
  topics += 1;
  return `realtime:room ${topics}`;
}

const tracked = (payload: unknown, event = 'track') => ({ type: 'presence', event, payload });

describe.each(['1.0.0', '2.0.0'])('presence in version %s', (vsn) => {
  it('is sent as state to new members and as diff to the others', async () => {
    const topic = newTopic();
    const ada = await joined(topic, { enabled: true, key: 'ada' }, vsn);
    expect((await ada.next('presence_state')).payload).toEqual({});
    expect(await ada.reply(ada.push(topic, 'presence', tracked({ at: 'home' })))).toEqual({
      status: 'ok',
      response: {},
    });
    const { payload: diff, ref, joinRef } = await ada.next('presence_diff');
    const meta = { phx_ref: expect.any(String), at: 'home' };
    expect([diff, ref, joinRef]).toEqual([{ joins: { ada: { metas: [meta] } }, leaves: {} }, null, null]);
    const bob = await joined(topic, { enabled: true, key: 'bob' }, vsn);
    expect((await bob.next('presence_state')).payload).toEqual({ ada: diff.joins.ada });
    ada.close();
    expect((await bob.next('presence_diff')).payload).toEqual({ joins: {}, leaves: diff.joins });
  });
});

describe('presence', () => {
  it('with a changed payload leaves with the old ref and joins with a new one; an equal payload changes nothing', async () => {
    const topic = newTopic();
    const client = await joined(topic, { enabled: true, key: 'ada' });
    client.push(topic, 'presence', tracked({ n: 1 }));
    const first = (await client.next('presence_diff')).payload.joins.ada.metas[0];
    expect(await client.reply(client.push(topic, 'presence', tracked({ n: 1 })))).toMatchObject({
      status: 'ok',
    });
    client.push(topic, 'presence', tracked({ n: 2 }, 'TRACK'));
    const { joins, leaves } = (await client.next('presence_diff')).payload;
    expect(leaves).toEqual({ ada: { metas: [first] } });
    expect(joins.ada.metas).toEqual([{ phx_ref: expect.any(String), phx_ref_prev: first.phx_ref, n: 2 }]);
    expect(joins.ada.metas[0].phx_ref).not.toBe(first.phx_ref);
    client.push(topic, 'presence', { type: 'presence', event: 'Untrack' });
    expect((await client.next('presence_diff')).payload).toEqual({ joins: {}, leaves: joins });
  });

  it('with a shared key has one meta per channel', async () => {
    const topic = newTopic();
    const tabs = [
      await joined(topic, { enabled: true, key: '__proto__' }),
      await joined(topic, { enabled: true, key: '__proto__' }),
    ];
    for (const [index, tab] of tabs.entries())
      await tab.reply(tab.push(topic, 'presence', tracked({ index })));
    const other = await joined(topic);
    const state = (await other.next('presence_state')).payload;
    expect(Object.getOwnPropertyDescriptor(state, '__proto__')?.value.metas).toMatchObject([
      { index: 0 },
      { index: 1 },
    ]);
    tabs[0]?.push(topic, 'phx_leave', {});
    const { leaves } = (await other.next('presence_diff')).payload;
    expect(Object.getOwnPropertyDescriptor(leaves, '__proto__')?.value.metas).toMatchObject([{ index: 0 }]);
  });

  it('has a generated key if the join has none', async () => {
    const topic = newTopic();
    const [one, other] = [await joined(topic), await joined(topic, { enabled: true, key: '' })];
    for (const each of [one, other]) await each.reply(each.push(topic, 'presence', tracked({})));
    const { payload } = await (await joined(topic)).next('presence_state');
    expect(Object.keys(payload).map((key) => key.length)).toEqual([36, 36]);
  });

  it('is enabled by tracking', async () => {
    const topic = newTopic();
    const client = await joined(topic, {});
    const other = await joined(topic, { enabled: true });
    other.push(topic, 'presence', tracked({}));
    await other.next('presence_diff');
    await client.settled();
    expect(client.frames).toEqual([]);
    client.push(topic, 'presence', tracked({ a: 1 }));
    expect(Object.values((await client.next('presence_diff')).payload.joins)).toMatchObject([
      { metas: [{ a: 1 }] },
    ]);
  });

  it('in the public topic does not appear in the private one', async () => {
    const topic = newTopic();
    const open = await joined(topic, { enabled: true, key: 'open' });
    await open.reply(open.push(topic, 'presence', tracked({})));
    const key = server.apiKeys.serviceRole;
    const closed = await server.connect('2.0.0', key);
    await closed.join(topic, { private: true, presence: { enabled: true } });
    expect((await closed.next('presence_state')).payload).toEqual({});
  });

  it.each<[unknown, unknown]>([
    [tracked('here'), { reason: 'Presence track payload must be a map' }],
    [tracked(undefined), { reason: 'Presence track payload must be a map' }],
    [tracked({}, 'dance'), {}],
    [{ event: 7 }, {}],
    ['x', {}],
    [null, {}],
  ])('with the payload %j is rejected', async (payload, response) => {
    const topic = newTopic();
    const client = await joined(topic);
    expect(await client.reply(client.push(topic, 'presence', payload))).toEqual({
      status: 'error',
      response,
    });
  });

  it('is limited to five calls per window', async () => {
    const topic = newTopic();
    const client = await joined(topic);
    for (let call = 1; call <= 6; call += 1) client.push(topic, 'presence', tracked({ call }));
    expect((await client.next('system')).payload).toEqual({
      extension: 'system',
      status: 'error',
      message: 'Client presence rate limit exceeded',
      channel: topic.slice('realtime:'.length),
    });
    expect(await client.next('phx_close')).toMatchObject({ ref: '1', joinRef: '1' });
    expect(client.frames.filter(({ event }) => event === 'phx_reply')).toHaveLength(5);
    expect(server.instance.context.hub.presencesJson({ name: topic.slice(9), isPrivate: false })).toBe('{}');
  });

  it('above the size limit ends the channel', async () => {
    const topic = newTopic();
    const client = await joined(topic);
    client.push(topic, 'presence', tracked({ a: 'x'.repeat(1500) }));
    expect((await client.next('system')).payload.message).toBe('Track message size exceeded');
    await client.next('phx_close');
  });
});
