/** Nodes on real servers: messages arrive exactly once despite failures of the server and of the network. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { LOG_SERVERS, type LogServer } from './testing/logs.ts';
import { QUICK, TestNode } from './testing/test-node.ts';

const POLL = { timeout: 20_000, interval: 5 };

describe.each(LOG_SERVERS)('the log in $name', { timeout: 100_000 }, ({ without, start }) => {
  if (without !== undefined) {
    it.skip(`is tested only with a server: ${without}`, () => {});
    return;
  }
  let server: LogServer;
  const open: TestNode[] = [];

  beforeAll(async () => {
    server = await start();
  });
  afterEach(async () => {
    for (const node of open.splice(0)) await node.close();
  });
  afterAll(() => server.stop());

  async function openNode(): Promise<TestNode> {
    const node = await TestNode.open(server.open);
    open.push(node);
    return node;
  }

  /**
   * Lets two nodes exchange messages until `trouble` is over and they receive each other again. Then checks the
   * messages.
   */
  async function expectNothingLost(disrupt: () => Promise<void> | void): Promise<void> {
    const nodes = [await openNode(), await openNode()] as const;
    nodes[0].track('ada');
    nodes[1].track('bob');
    const acknowledged: string[][] = [[], []];
    let count = 0;
    let isOver = false;
    const exchange = async () => {
      while (!isOver) {
        count += 1;
        const number = String(count);
        for (const [index, node] of nodes.entries()) {
          const text = `${index} ${number}`;
          void Promise.resolve(node.broadcast(text)).then(
            () => acknowledged[index]?.push(text),
            () => undefined,
          );
        }
        await sleep(2);
      }
    };
    const exchanging = exchange();
    await expect.poll(() => acknowledged.map((texts) => texts.length > 20), POLL).toEqual([true, true]);
    await disrupt();
    const during = [...acknowledged].map((texts) => texts.length);
    await expect
      .poll(() => acknowledged.map((texts, index) => texts.length > (during[index] ?? 0) + 50), POLL)
      .toEqual([true, true]);
    isOver = true;
    await exchanging;
    await Promise.all(nodes.map((node) => node.broadcast('end')));
    await expect
      .poll(() => nodes.map(({ received }) => received.filter((text) => text === 'end').length), POLL)
      .toEqual([2, 2]);
    for (const [index, { received }] of nodes.entries()) {
      const other = 1 - index;
      const ofOther = received.filter((text) => text.startsWith(`${other} `));
      expect(new Set(ofOther).size).toBe(ofOther.length);
      expect(acknowledged[other]?.filter((text) => !ofOther.includes(text))).toEqual([]);
      const numbers = ofOther.map((text) => Number(text.slice(2)));
      expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    }
    await expect
      .poll(() => nodes.map(({ present }) => present.toSorted()), POLL)
      .toEqual([
        ['ada', 'bob'],
        ['ada', 'bob'],
      ]);
  }

  it('delivers each message once to all other nodes, in the order of each sender', async () => {
    const [one, two, three] = [await openNode(), await openNode(), await openNode()];
    const texts = Array.from({ length: 500 }, (_, index) => String(index));
    await Promise.all(texts.map((text) => one.broadcast(text)));
    for (const node of [one, two, three]) {
      await expect.poll(() => node.received.length, POLL).toBe(500);
      expect(node.received).toEqual(texts);
    }
    const large = 'ü'.repeat(1_000_000);
    await Promise.all([two.broadcast(large), two.broadcast('small')]);
    await expect.poll(() => three.received.slice(500), POLL).toEqual([large, 'small']);
    expect(three.bus.counts()).toMatchObject({ nodes: 3, dropped: 0, missed: 0 });
  });

  it('sends presences to a new node before it is open, and leaves to the other nodes', async () => {
    const one = await openNode();
    one.track('ada');
    const two = await openNode();
    expect([two.present, two.bus.counts().nodes]).toEqual([['ada'], 2]);
    two.track('bob');
    one.untrack('ada');
    await expect.poll(() => [one.present, two.present], POLL).toEqual([['bob'], ['bob']]);
    await open.pop()?.close();
    await expect.poll(() => [one.present, one.bus.counts().nodes], POLL).toEqual([[], 1]);
    expect(one.changes.toSorted()).toEqual(['+ada', '+bob', '-ada', '-bob']);
  });

  it('ignores entries of other writers', async () => {
    const [one, two] = [await openNode(), await openNode()];
    one.track('ada');
    for (const { name } of [one, two]) await server.writeForeignEntries(name);
    await one.broadcast('x');
    await expect.poll(() => [two.received, two.present], POLL).toEqual([['x'], ['ada']]);
    two.bus.requireReady();
  });

  it('requests a repetition if it may have lost entries', async () => {
    const [log, other] = [server.open('one', QUICK), server.open('other', QUICK)];
    const read: number[] = [];
    const entry = (sequence: number) => ({ sequence, bytes: Buffer.from('x'), isLast: false });
    await log.read({ onEntry() {}, onOwnEntry() {} });
    await other.read({ onEntry: (_node, { sequence }) => read.push(sequence), onOwnEntry() {} });
    await log.append([entry(1)], false);
    await server.crash();
    const isConnected = () =>
      log.nodes().then(
        () => true,
        () => false,
      );
    await expect.poll(isConnected, POLL).toBe(true);
    await expect(log.append([entry(2)], false)).rejects.toThrow();
    await log.append([entry(1), entry(2)], true);
    await log.append([entry(3)], false);
    await expect.poll(() => [...new Set(read)], POLL).toEqual([1, 2, 3]);
    await Promise.all([log.close(), other.close()]);
  });

  it('loses nothing if connections are cut', () =>
    expectNothingLost(async () => {
      for (let times = 0; times < 5; times += 1) {
        server.network.disconnect();
        await sleep(50);
      }
    }));

  it('loses nothing if the network silently stops', () => expectNothingLost(() => server.network.dropData()));

  it('loses nothing if the server crashes', () => expectNothingLost(() => server.crash()));
});
