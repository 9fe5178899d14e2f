import type { EntryContext } from 'react-router';
import { describe, expect, it } from 'vitest';
import { isPending, readHandoff } from './handoff.server.ts';

/** A context with these loader data, and these parts in the stream. */
function contextOf(loaderData: unknown, parts: string[]): EntryContext {
  const serverHandoffStream = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  return {
    staticHandlerContext: { loaderData, actionData: null },
    serverHandoffStream,
    renderMeta: {},
  } as unknown as EntryContext;
}

describe('readHandoff', () => {
  it('stores the parts of complete data where the router looks for them, and unlocks the stream', async () => {
    const context = contextOf({ home: { notes: [] } }, ['[1]\n', 'ü']);
    await readHandoff(context);
    expect(context.renderMeta).toEqual({
      streamCache: {
        0: { result: { done: false, value: '[1]\n' } },
        1: { result: { done: false, value: 'ü' } },
        2: { result: { done: true, value: '' } },
      },
    });
    expect(context.serverHandoffStream?.locked).toBe(false);
  });

  it('leaves data with a pending promise to the router', async () => {
    const context = contextOf({ home: { board: { notes: Promise.resolve([]) } } }, ['[1]\n']);
    await readHandoff(context);
    expect(context.renderMeta).toEqual({});
    const { value } = (await context.serverHandoffStream?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toBe('[1]\n');
  });
});

describe('isPending', () => {
  it.each<[unknown, boolean]>([
    [undefined, false],
    [null, false],
    ['text', false],
    [{ a: [{ b: 1 }, null] }, false],
    [Promise.resolve(), true],
    [{ a: [{ b: Promise.resolve() }] }, true],
  ])('of %o is %s', (data, expected) => {
    expect(isPending(data)).toBe(expected);
  });
});
