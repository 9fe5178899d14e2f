import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SharedMemory } from './testing/memory-log.ts';
import { TestNode } from './testing/test-node.ts';
import { decodeEntry, encodeEntry } from './wire.ts';

const POLL = { timeout: 20_000, interval: 2 };
const DEAD_MS = 300;

let memory: SharedMemory;
const open: TestNode[] = [];

beforeEach(() => {
  memory = new SharedMemory();
});
afterEach(async () => {
  memory.isUnavailable = false;
  memory.appendBarrier = undefined;
  for (const node of open.splice(0)) await node.close();
});

async function openNode(timings: object = {}): Promise<TestNode> {
  const node = await TestNode.open((name) => memory.open(name), { deadAfterMs: DEAD_MS, ...timings });
  open.push(node);
  return node;
}

/** Returns the kinds of messages appended since the last call. */
function appended(): string[] {
  return memory.entries.splice(0).flatMap(({ entry }) => decodeEntry(entry.bytes).map(({ kind }) => kind));
}

const waitUntilAlone = (node: TestNode) =>
  expect.poll(() => node.broadcast('is anybody there?') === undefined, POLL).toBe(true);

describe('a single node', () => {
  it('appends no broadcasts and presences, and acknowledges at once', async () => {
    const node = await openNode();
    await waitUntilAlone(node);
    appended();
    expect(node.broadcast('hello')).toBe(undefined);
    node.track('ada');
    await expect.poll(() => memory.entries.length, POLL).toBeGreaterThan(1);
    expect(new Set(appended())).toEqual(new Set(['beat']));
    expect([node.received.at(-1), node.present]).toEqual(['hello', ['ada']]);
  });

  it('stops appending when the other node says goodbye, but not when it disappears', async () => {
    const node = await openNode();
    await openNode();
    const third = await openNode();
    await open.pop()?.close();
    await expect.poll(() => node.bus.counts().nodes, POLL).toBe(2);
    memory.kill(open[1]?.name ?? '');
    memory.isLost = (name) => name !== node.name;
    await expect.poll(() => node.bus.counts().nodes, POLL).toBe(1);
    expect(node.broadcast('for those who were only paused')).toBeInstanceOf(Promise);
    expect(third.received).toEqual([]);
  });
});

describe('broadcasts', () => {
  it('are delivered locally at once, and acknowledged when the log has stored them', async () => {
    const [one, two] = [await openNode(), await openNode()];
    const barrier = Promise.withResolvers<void>();
    memory.appendBarrier = barrier.promise;
    let isStored = false;
    const stored = Promise.resolve(one.broadcast('x')).then(() => {
      isStored = true;
    });
    expect(one.received).toEqual(['x']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([isStored, two.received]).toEqual([false, []]);
    barrier.resolve();
    await stored;
    await expect.poll(() => two.received, POLL).toEqual(['x']);
    expect(one.received).toEqual(['x']);
  });

  it('are delivered once if an entry is repeated', async () => {
    const [one, two] = [await openNode(), await openNode()];
    await one.broadcast('x');
    const last = memory.entries.findLast(({ node }) => node === one.name);
    await one.broadcast('y');
    if (last) memory.repeat(one.name, last.entry);
    await one.broadcast('z');
    await expect.poll(() => two.received, POLL).toEqual(['x', 'y', 'z']);
  });

  it('are rejected and counted if the log is away for too long, and delivered if it returns in time', async () => {
    const [one, two] = [await openNode({ appendTimeoutMs: 150 }), await openNode()];
    memory.isUnavailable = true;
    const lost = [one.broadcast('a'), one.broadcast('b')];
    await expect(lost[0]).rejects.toMatchObject({ code: 'BroadcastNotStored', status: 503 });
    await expect(lost[1]).rejects.toMatchObject({ code: 'BroadcastNotStored' });
    expect(one.bus.counts().dropped).toBe(2);
    const stored = one.broadcast('c');
    memory.isUnavailable = false;
    await stored;
    await expect.poll(() => two.received, POLL).toEqual(['c']);
    expect(two.bus.counts().missed).toBeGreaterThan(0);
  });

  it('are limited in memory while the log is away', async () => {
    const one = await openNode({ appendTimeoutMs: 60_000 });
    await openNode();
    memory.isUnavailable = true;
    const large = 'x'.repeat(4_000_000);
    const first = one.broadcast('first');
    for (let count = 0; count < 12; count += 1) void one.broadcast(large);
    await expect(one.broadcast('too late')).rejects.toMatchObject({ code: 'BroadcastNotStored' });
    expect(one.bus.counts().dropped).toBeGreaterThan(1);
    memory.isUnavailable = false;
    await first;
  });
});

describe('presence', () => {
  it('is sent to a new node before it opens, and to new listeners', async () => {
    const [one, two] = [await openNode(), await openNode()];
    one.track('ada');
    two.track('bob');
    const three = await openNode();
    expect(three.present.toSorted()).toEqual(['ada', 'bob']);
    expect(three.changes).toHaveLength(2);
  });

  it('of many channels is sent in several parts', async () => {
    const one = await openNode();
    const keys = Array.from({ length: 2500 }, (_, index) => `guest ${index}`);
    for (const key of keys) one.track(key);
    const two = await openNode();
    expect(two.present.toSorted()).toEqual(keys.toSorted());
  });

  it('is removed with a node that becomes silent, and restored once when the node returns', async () => {
    const [one, two] = [await openNode(), await openNode()];
    one.track('ada');
    two.track('bob');
    await expect.poll(() => one.present.toSorted(), POLL).toEqual(['ada', 'bob']);
    memory.isLost = (node) => node === two.name;
    await expect.poll(() => [one.present, one.bus.counts().nodes], POLL).toEqual([['ada'], 1]);
    memory.isLost = () => false;
    await expect.poll(() => one.present.toSorted(), POLL).toEqual(['ada', 'bob']);
    expect(one.changes).toEqual(['+ada', '+bob', '-bob', '+bob']);
    expect(two.changes.toSorted()).toEqual(['+ada', '+bob']);
  });

  it('is kept while the node itself receives no entries', async () => {
    const [one, two] = [await openNode(), await openNode()];
    two.track('bob');
    await expect.poll(() => one.present, POLL).toEqual(['bob']);
    const resume = memory.pause(one.name);
    await new Promise((resolve) => setTimeout(resolve, 3 * DEAD_MS));
    expect(() => one.bus.requireReady()).toThrow();
    expect(one.present).toEqual(['bob']);
    resume();
    await expect.poll(() => one.bus.requireReady(), POLL).toBe(undefined);
    expect(one.changes).toEqual(['+bob']);
  });

  it.each(['+bob', '-ada'])('is corrected after a lost entry: %s', async (lost) => {
    const [one, two] = [await openNode(), await openNode()];
    two.track('ada');
    await expect.poll(() => one.present, POLL).toEqual(['ada']);
    memory.isLost = (node, { bytes }) =>
      node === two.name && decodeEntry(bytes).some(({ kind }) => kind === 'presence');
    if (lost === '+bob') two.track('bob');
    else two.untrack('ada');
    await expect.poll(() => one.present.toSorted(), POLL).toEqual(lost === '+bob' ? ['ada', 'bob'] : []);
    expect(one.changes).toEqual(['+ada', lost]);
  });

  it('is corrected if the count in a heartbeat differs', async () => {
    const [one, two] = [await openNode(), await openNode()];
    two.track('ada');
    await expect.poll(() => one.present, POLL).toEqual(['ada']);
    const sequence = (memory.entries.findLast(({ node }) => node === two.name)?.entry.sequence ?? 0) + 1;
    const nobody = { key: 'nobody', ref: 'x', meta: '{}' };
    const topic = { name: 'room', isPrivate: false };
    const bytes = encodeEntry([{ kind: 'presence', topic, joins: [nobody], leaves: [] }]);
    memory.repeat(two.name, { sequence, bytes, isLast: false });
    await expect.poll(() => one.changes, POLL).toEqual(['+ada', '+nobody', '-nobody']);
  });

  it('that the log rejected is sent when the log is back', async () => {
    const [one, two] = [await openNode(), await openNode({ appendTimeoutMs: 50 })];
    memory.isUnavailable = true;
    two.track('bob');
    await expect.poll(() => two.bus.counts().dropped, POLL).toBe(1);
    memory.isUnavailable = false;
    await expect.poll(() => one.present, POLL).toEqual(['bob']);
    expect(one.changes).toEqual(['+bob']);
  });
});

describe('a malformed entry', () => {
  it('is skipped, and a snapshot of presences is requested', async () => {
    const [one, two] = [await openNode(), await openNode()];
    two.track('bob');
    await expect.poll(() => one.present, POLL).toEqual(['bob']);
    const last = memory.entries.findLast(({ node }) => node === two.name)?.entry.sequence ?? 0;
    memory.repeat(two.name, { sequence: last + 1, bytes: Buffer.from('nonsense'), isLast: false });
    // The first message has the sequence number of the malformed entry, so it is skipped.
    await two.broadcast('x');
    await two.broadcast('y');
    await expect.poll(() => one.received, POLL).toEqual(['y']);
    expect([one.present, one.changes]).toEqual([['bob'], ['+bob']]);
  });
});

describe('a goodbye', () => {
  it('follows all earlier messages and removes the presences of the node', async () => {
    const [one, two] = [await openNode(), await openNode()];
    two.track('bob');
    void two.broadcast('last words');
    await open.pop()?.close();
    await expect
      .poll(() => [one.received, one.present, one.bus.counts().nodes], POLL)
      .toEqual([['last words'], [], 1]);
    expect(one.changes).toEqual(['+bob', '-bob']);
    await expect(two.broadcast('from beyond')).rejects.toMatchObject({ code: 'BroadcastNotStored' });
  });
});
