import { randomUUID } from 'node:crypto';
import type { NamedContent } from '@greenroom/service';
import { describe, expect, it } from 'vitest';
import { PendingContent } from './content-copies.ts';
import type { HeldList } from './held-list.ts';

const newContent = (key = 'a.txt'): NamedContent => ({ bucket: 'b', key, version: randomUUID() });
const versionsOf = (names: readonly { version: string }[]) => names.map(({ version }) => version);

/** Records the calls that remove content. */
function createRemover() {
  const calls: NamedContent[][] = [];
  const remove = async (names: NamedContent[]) => void calls.push(names);
  return { calls, remove, removed: () => calls.flat() };
}

/** Content whose agent has scanned all rows. */
function createCurrent(options: ConstructorParameters<typeof PendingContent>[0] = {}): PendingContent {
  const pending = new PendingContent(options);
  pending.caughtUp(pending.take().epoch);
  return pending;
}

describe('content that waits', () => {
  it('is taken in the order of writes, with its waiting time, until it is settled', () => {
    let now = 1000;
    const pending = createCurrent({ now: () => now });
    const [first, second] = [newContent('first'), newContent('second')];
    pending.written(first);
    now += 50;
    pending.written(second);
    now += 7;
    expect(pending.take()).toEqual({
      entries: [
        { ...first, isDeleted: false, waitingMs: 57 },
        { ...second, isDeleted: false, waitingMs: 7 },
      ],
      isComplete: true,
      epoch: 1,
    });
    expect(pending.counts).toEqual({ waiting: 2, held: 0 });
    pending.settled([first.version]);
    expect(versionsOf(pending.take().entries)).toEqual([second.version]);
  });

  it('is forgotten when its row was not committed, and can be written again', () => {
    const pending = createCurrent();
    const content = newContent();
    pending.written(content);
    pending.discarded([content.version, randomUUID()]);
    expect(pending.take().entries).toEqual([]);
    pending.written(content);
    pending.written(content);
    expect(pending.counts).toEqual({ waiting: 1, held: 0 });
  });

  it('ignores versions that do not wait when they are settled', () => {
    const pending = createCurrent();
    pending.settled([randomUUID()]);
    expect(pending.counts).toEqual({ waiting: 0, held: 0 });
  });
});

describe('a removal', () => {
  it('is returned at once for content that does not wait', () => {
    const pending = createCurrent();
    const names = [newContent(), newContent()];
    const { calls, remove } = createRemover();
    expect(pending.removable(names, remove)).toEqual(names);
    expect(pending.counts).toEqual({ waiting: 0, held: 0 });
    expect(calls).toEqual([]);
  });

  it('is held for content that waits, and runs when that content is settled', async () => {
    const pending = createCurrent();
    const [waiting, copied] = [newContent(), newContent()];
    const { calls, remove } = createRemover();
    pending.written(waiting);
    expect(pending.removable([waiting, copied], remove)).toEqual([copied]);
    expect(pending.counts).toEqual({ waiting: 1, held: 1 });
    expect(pending.take().entries).toMatchObject([{ ...waiting, isDeleted: true }]);
    expect(calls).toEqual([]);
    pending.settled([waiting.version]);
    expect(pending.counts).toEqual({ waiting: 0, held: 0 });
    await pending.close();
    expect(calls).toEqual([[waiting]]);
  });

  it('is held for content that was taken but is not settled yet', async () => {
    const pending = createCurrent();
    const content = newContent();
    const { calls, remove } = createRemover();
    pending.written(content);
    expect(pending.take().entries).toMatchObject([{ isDeleted: false }]);
    expect(pending.removable([content], remove)).toEqual([]);
    pending.settled([content.version]);
    expect(pending.removable([content], remove)).toEqual([content]);
    await pending.close();
    expect(calls).toEqual([[content]]);
  });

  it('runs with at most 1000 names in a call, and 16 calls at a time', async () => {
    const pending = createCurrent();
    const contents = Array.from({ length: 20_000 }, () => newContent());
    const sizes: number[] = [];
    let [running, mostRunning] = [0, 0];
    const ended = Promise.withResolvers<void>();
    const remove = async (names: NamedContent[]) => {
      running += 1;
      mostRunning = Math.max(mostRunning, running);
      await new Promise(setImmediate);
      running -= 1;
      if (sizes.push(names.length) === 20) ended.resolve();
    };
    for (const content of contents) pending.written(content);
    pending.removable(contents, remove);
    pending.settled(versionsOf(contents));
    await ended.promise;
    expect(sizes).toEqual(Array.from({ length: 20 }, () => 1000));
    expect(mostRunning).toBe(16);
  });

  it('that fails does not prevent the next one', async () => {
    const pending = createCurrent();
    const [first, second] = [newContent(), newContent()];
    const { calls, remove } = createRemover();
    pending.written(first);
    pending.written(second);
    pending.removable([first], () => Promise.reject(new Error('disk')));
    pending.removable([second], remove);
    pending.settled([first.version, second.version]);
    await pending.close();
    expect(calls).toEqual([[second]]);
  });

  it('does not run after the end', async () => {
    const pending = createCurrent();
    const content = newContent();
    const { calls, remove } = createRemover();
    pending.written(content);
    pending.removable([content], remove);
    await pending.close();
    pending.settled([content.version]);
    await new Promise(setImmediate);
    expect(calls).toEqual([]);
  });
});

describe('until the agent has caught up', () => {
  it('holds every removal, also of content that was written before the start', async () => {
    const pending = new PendingContent();
    const earlier = newContent();
    const { calls, remove } = createRemover();
    expect(pending.removable([earlier], remove)).toEqual([]);
    expect(pending.counts).toEqual({ waiting: 1, held: 1 });
    const { entries, isComplete, epoch } = pending.take();
    expect(entries).toMatchObject([{ ...earlier, isDeleted: true }]);
    expect(isComplete).toBe(false);
    pending.settled([earlier.version]);
    pending.caughtUp(epoch);
    expect(pending.take()).toMatchObject({ entries: [], isComplete: true });
    const other = newContent();
    expect(pending.removable([other], remove)).toEqual([other]);
    await pending.close();
    expect(calls).toEqual([[earlier]]);
  });

  it('returns names at once that cannot have content', () => {
    const pending = new PendingContent();
    const name = { bucket: 'b', key: 'k', version: 'written by SQL' };
    expect(pending.removable([name], async () => undefined)).toEqual([name]);
    expect(pending.counts).toEqual({ waiting: 0, held: 0 });
  });
});

describe('content beyond the limit', () => {
  it('is forgotten with all other content, held removals run, and the agent scans again', async () => {
    const pending = createCurrent({ maxWaiting: 2 });
    const [first, second, third] = [newContent(), newContent(), newContent()];
    const { calls, remove } = createRemover();
    pending.written(first);
    pending.written(second);
    pending.removable([first], remove);
    expect(pending.take().isComplete).toBe(true);
    pending.written(third);
    expect(pending.take()).toEqual({ entries: [], isComplete: false, epoch: 2 });
    expect(pending.counts).toEqual({ waiting: 0, held: 0 });
    // Its copy is unknown again.
    expect(pending.removable([second], remove)).toEqual([]);
    pending.caughtUp(2);
    expect(pending.take().isComplete).toBe(true);
    await pending.close();
    expect(calls).toEqual([[first]]);
  });

  it('is removed with the names of the call that exceeds the limit', async () => {
    const pending = new PendingContent({ maxWaiting: 2 });
    const names = [newContent(), newContent(), newContent()];
    const { removed, remove } = createRemover();
    expect(pending.removable(names, remove)).toEqual([]);
    await pending.close();
    expect(removed()).toEqual(names);
  });

  it('is not regarded as copied by a scan that began before', () => {
    const pending = new PendingContent({ maxWaiting: 1 });
    const { epoch } = pending.take();
    pending.written(newContent());
    pending.written(newContent());
    pending.caughtUp(epoch);
    expect(pending.take()).toMatchObject({ isComplete: false, epoch: epoch + 1 });
  });
});

describe('content that an earlier process held', () => {
  const listOf = (entries: NamedContent[]) => {
    const held = new Map(entries.map((content) => [content.version, content]));
    return {
      get entries() {
        return [...held.values()];
      },
      add: (contents: readonly NamedContent[]) => {
        for (const content of contents) held.set(content.version, content);
      },
      remove: (versions: readonly string[]) => {
        for (const version of versions) held.delete(version);
      },
      clear: () => held.clear(),
      close: () => undefined,
    } as unknown as HeldList;
  };

  it('is taken as deleted, and is removed when it is settled and storage is open', async () => {
    const content = newContent();
    const heldList = listOf([content]);
    const pending = new PendingContent({ heldList });
    const { calls, remove } = createRemover();
    expect(pending.take().entries).toMatchObject([{ ...content, isDeleted: true }]);
    expect([pending.holds(content.version), pending.holds(randomUUID())]).toEqual([true, false]);
    pending.settled([content.version]);
    pending.resume(remove);
    await pending.close();
    expect(calls).toEqual([[content]]);
    expect(heldList.entries).toEqual([]);
  });

  it('stays in the list until it is settled, also content that is held now', () => {
    const heldList = listOf([]);
    const pending = new PendingContent({ heldList });
    const [first, second] = [newContent(), newContent()];
    pending.written(first);
    pending.removable([first, second], async () => undefined);
    expect(heldList.entries).toEqual([first, second]);
    pending.settled([first.version]);
    expect(heldList.entries).toEqual([second]);
  });

  it('does not delay the end of an instance without storage', async () => {
    const content = newContent();
    const pending = new PendingContent({ heldList: listOf([content]) });
    pending.settled([content.version]);
    await pending.close();
    expect(pending.counts).toEqual({ waiting: 0, held: 0 });
  });
});
