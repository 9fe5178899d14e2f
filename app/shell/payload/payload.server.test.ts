import type { StaticHandlerContext } from 'react-router';
import { expect, it } from 'vitest';
import type { Page } from '../../lib/page/page-context.tsx';
import { payloadResponse } from './payload.server.ts';

/** Returns the payload that a browser receives for the loaders' data. */
async function payloadOf(loaderData: Record<string, unknown>) {
  const handled = { loaderData, location: { pathname: '/', search: '' } } as unknown as StaticHandlerContext;
  const page = { config: { baseURL: '/', buildId: 'b' }, language: 'en', requestId: 'r' } as unknown as Page;
  const start = { status: 200, headers: new Headers(), failure: undefined };
  return (await payloadResponse(handled, page, start)).json();
}

const nextTurn = <T>(value: T) => new Promise<T>((resolve) => setImmediate(() => resolve(value)));

it.each<[string, Record<string, unknown>, unknown]>([
  ['a loader without data', { home: null }, { home: null }],
  ['a promise in a field', { home: { notes: nextTurn([1]) } }, { home: { notes: [1] } }],
  [
    'a promise in a nested field',
    { home: { board: { notes: nextTurn([1]), now: 5 } } },
    { home: { board: { notes: [1], now: 5 } } },
  ],
  ['a promise within a promise', { home: nextTurn({ notes: nextTurn([1]) }) }, { home: { notes: [1] } }],
])('resolves %s', async (_, loaderData, data) => {
  expect(await payloadOf(loaderData)).toMatchObject({ data });
});
