import { describe, expect, it } from 'vitest';
import { ENCODING, type Encoded, type UserBroadcast, type Version } from '../frames/frame.ts';
import { metaJson } from '../presence/presence.ts';
import { createLocalBus } from './bus.ts';
import { Hub, type Member } from './hub.ts';

const PUBLIC = { name: 'room', isPrivate: false };
const PRIVATE = { name: 'room', isPrivate: true };

interface TestMember extends Member {
  frames: Encoded[];
  diffs: Encoded[];
  ids: (string | undefined)[];
}

function member(id: string, version: Version = '2.0.0'): TestMember {
  const testMember: TestMember = {
    id,
    version,
    frames: [],
    diffs: [],
    ids: [],
    receiveBroadcast: (frame, message) => {
      testMember.frames.push(frame);
      testMember.ids.push(message);
    },
    receivePresenceDiff: (frame) => testMember.diffs.push(frame),
  };
  return testMember;
}

const bytes = (encoding: UserBroadcast['encoding'] = ENCODING.json): UserBroadcast => ({
  kind: 'user-broadcast',
  event: 'e',
  meta: '',
  encoding,
  bytes: Buffer.from('1'),
});

/** Waits for the next turn of the event loop, in which presence changes are sent. */
const presencesSent = () => new Promise((resolve) => setImmediate(resolve));

describe('Hub', () => {
  it('delivers to all members except the sender, with one encoding per version', () => {
    const hub = new Hub(createLocalBus());
    const [one, two, three, sender] = [member('1'), member('2'), member('3', '1.0.0'), member('4')];
    for (const each of [one, two, three, sender]) hub.join(PUBLIC, each);
    hub.publish({ kind: 'broadcast', topic: PUBLIC, broadcast: bytes(), except: '4' });
    expect(one.frames[0]?.data).toBe(two.frames[0]?.data);
    expect(one.frames[0]?.isBinary).toBe(true);
    expect(JSON.parse(String(three.frames[0]?.data))).toMatchObject({ topic: 'realtime:room', ref: null });
    expect(sender.frames).toEqual([]);
  });

  it('separates public and private topics with the same name', async () => {
    const hub = new Hub(createLocalBus());
    const [open, closed] = [member('1'), member('2')];
    hub.join(PUBLIC, open);
    hub.join(PRIVATE, closed);
    hub.publish({ kind: 'broadcast', topic: PUBLIC, broadcast: { kind: 'text', payload: '{"a":1}' } });
    expect([open.frames.length, closed.frames.length]).toEqual([1, 0]);
    expect(String(open.frames[0]?.data)).toBe('[null,null,"realtime:room","broadcast",{"a":1}]');
    hub.publish({
      kind: 'presence',
      topic: PRIVATE,
      joins: [{ key: 'a', ref: '1', meta: '{}' }],
      leaves: [],
    });
    await presencesSent();
    expect([open.diffs.length, closed.diffs.length]).toEqual([0, 1]);
    expect([hub.presencesJson(PUBLIC), hub.presencesJson(PRIVATE)]).toEqual(['{}', '{"a":{"metas":[{}]}}']);
  });

  it('skips binary payloads for version 1.0.0, and sends the id of a row', () => {
    const hub = new Hub(createLocalBus());
    const [old, young] = [member('1', '1.0.0'), member('2')];
    for (const each of [old, young]) hub.join(PUBLIC, each);
    hub.deliver({ kind: 'broadcast', topic: PUBLIC, broadcast: bytes(ENCODING.bytes) }, 'row');
    expect([old.frames.length, young.ids]).toEqual([0, ['row']]);
  });

  it('delivers only published messages to members of another node', () => {
    const bus = createLocalBus();
    const [local, remote] = [new Hub(bus), new Hub(bus)];
    const far = member('1');
    remote.join(PUBLIC, far);
    local.publish({ kind: 'broadcast', topic: PUBLIC, broadcast: bytes() });
    local.deliver({ kind: 'broadcast', topic: PUBLIC, broadcast: bytes() });
    local.publish({
      kind: 'presence',
      topic: PUBLIC,
      joins: [{ key: 'a', ref: 'r', meta: metaJson({}, 'r') }],
      leaves: [],
    });
    expect([far.frames.length, remote.presencesJson(PUBLIC)]).toEqual([
      1,
      '{"a":{"metas":[{"phx_ref":"r"}]}}',
    ]);
    remote.close();
    local.publish({ kind: 'broadcast', topic: PUBLIC, broadcast: bytes() });
    expect(far.frames.length).toBe(1);
  });

  it('sends simultaneous presence changes in one diff, without presences that joined and left', async () => {
    const hub = new Hub(createLocalBus());
    const one = member('1');
    hub.join(PUBLIC, one);
    const [a, b, c] = ['a', 'b', 'c'].map((key) => ({ key, ref: key, meta: `{"phx_ref":"${key}"}` }));
    if (a === undefined || b === undefined || c === undefined) throw new Error('nobody');
    for (const presence of [a, b])
      hub.publish({ kind: 'presence', topic: PUBLIC, joins: [presence], leaves: [] });
    hub.publish({ kind: 'presence', topic: PUBLIC, joins: [c], leaves: [b] });
    expect(one.diffs).toEqual([]);
    await presencesSent();
    const diffs = one.diffs.map(({ data }) => JSON.parse(String(data))[4]);
    expect(diffs).toEqual([
      { joins: { a: { metas: [{ phx_ref: 'a' }] }, c: { metas: [{ phx_ref: 'c' }] } }, leaves: {} },
    ]);
    hub.publish({ kind: 'presence', topic: PUBLIC, joins: [], leaves: [a] });
    expect(JSON.parse(hub.presencesJson(PUBLIC))).toEqual({ c: { metas: [{ phx_ref: 'c' }] } });
    expect(one.diffs).toHaveLength(2);
    await presencesSent();
    expect(one.diffs).toHaveLength(2);
  });

  it('removes topics without members', async () => {
    const hub = new Hub(createLocalBus());
    const one = member('1');
    hub.join(PUBLIC, one);
    const presence = { key: 'a', ref: 'r', meta: '{}' };
    hub.publish({ kind: 'presence', topic: PUBLIC, joins: [presence], leaves: [] });
    hub.leave(PUBLIC, one);
    expect(hub.topics).toBe(1);
    hub.publish({ kind: 'presence', topic: PUBLIC, joins: [], leaves: [presence] });
    hub.leave(PRIVATE, one);
    await presencesSent();
    expect(hub.topics).toBe(0);
  });
});
