import { describe, expect, it } from 'vitest';
import { compare } from './compare.ts';
import { allowedValues, Journal, type State, type Write } from './journal.ts';

const EMPTY: State = { row: new Map(), object: new Map(), user: new Map(), message: new Map() };
const ALL_STORED = { ends: [], until: Number.POSITIVE_INFINITY };
const END = {
  bounds: { after: Number.POSITIVE_INFINITY, before: Number.POSITIVE_INFINITY },
  content: ALL_STORED,
};

/** A write that was sent at a time and acknowledged 10 ms later, unless `isLost`. */
function write(value: string | undefined, sentAt: number, isLost = false): Write {
  return { value, sentAt, acknowledgedAt: isLost ? undefined : sentAt + 10 };
}

/** Returns a journal whose writes follow each other at once. */
async function journalOf(...writes: [id: string, value: string | undefined][]): Promise<Journal> {
  const journal = new Journal();
  for (const [id, value] of writes) await journal.write('object', id, value, async () => undefined);
  return journal;
}

describe('allowedValues', () => {
  const writes = [write('one', 100), write('two', 200), write(undefined, 300)];

  it.each<[title: string, time: number, expected: (string | undefined)[]]>([
    ['nothing before the first request', 99, [undefined]],
    ['both values while a request runs', 205, ['one', 'two']],
    ['the acknowledged value between two requests', 250, ['two']],
    ['nothing after the acknowledged removal', 311, [undefined]],
  ])('contains %s', (_, time, expected) => {
    expect([...allowedValues(writes, { after: time, before: time })]).toEqual(expected);
  });

  it('contains both values after a request whose outcome is not known', () => {
    const bounds = { after: 900, before: 900 };
    expect([...allowedValues([write('one', 100), write('two', 200, true)], bounds)]).toEqual(['one', 'two']);
  });

  it('contains all values that were written between the bounds of a state', () => {
    expect([...allowedValues(writes, { after: 150, before: 250 })]).toEqual(['one', 'two']);
  });
});

describe('compare', () => {
  it('reports items that are missing, have another value, or were never written', async () => {
    const journal = await journalOf(['a', 'one'], ['b', 'two'], ['c', 'three']);
    const state = {
      ...EMPTY,
      object: new Map([
        ['b', 'other'],
        ['c', 'three'],
        ['d', 'four'],
      ]),
    };
    const { deviations } = compare(journal, state, END);
    expect(deviations.map(({ id, found, allowed }) => [id, found, allowed])).toEqual([
      ['a', undefined, ['one']],
      ['b', 'other', ['two']],
      ['d', 'four', [undefined]],
    ]);
  });

  it('reports an item that is missing although a later one exists', async () => {
    const journal = await journalOf(['a', 'one']);
    await new Promise((resolve) => setTimeout(resolve, 5));
    await journal.write('object', 'b', 'two', async () => undefined);
    const bounds = { after: 0, before: Number.POSITIVE_INFINITY };
    const state = { ...EMPTY, object: new Map([['b', 'two']]) };
    const { deviations } = compare(journal, state, { bounds, content: ALL_STORED });
    expect(deviations.map(({ id }) => id)).toEqual(['a']);
  });

  it('counts a missing object as unstored only before its content was stored, or if its server ended after the removal', async () => {
    const journal = await journalOf(['a', 'one'], ['a', undefined]);
    const [first, second] = journal.writesOf('object', 'a');
    const bounds = { after: (first?.acknowledgedAt ?? 0) + 1, before: (first?.acknowledgedAt ?? 0) + 1 };
    const later = {
      ...second,
      value: undefined,
      sentAt: bounds.before + 1,
      acknowledgedAt: bounds.before + 2,
    };
    Object.assign(second ?? {}, later);
    const unstoredWith = (ends: { time: number; contentUntil: number }[], until = Number.POSITIVE_INFINITY) =>
      compare(journal, EMPTY, { bounds, content: { ends, until } }).unstoredObjects;
    const time = later.acknowledgedAt + 1;
    expect(unstoredWith([{ time, contentUntil: 0 }])).toEqual(['a']);
    expect(unstoredWith([{ time, contentUntil: bounds.after }])).toEqual([]);
    expect(unstoredWith([{ time: later.sentAt - 1, contentUntil: 0 }])).toEqual([]);
    expect(unstoredWith([], first?.acknowledgedAt)).toEqual(['a']);
  });
});
