import { type EntryContext, RouterContextProvider } from 'react-router';
import { describe, expect, it } from 'vitest';
import type { Page } from '../../lib/page/page-context.tsx';
import type { Session } from '../../session/read-session.server.ts';
import { sessionContext } from './contexts.server.ts';
import { sharedPageKey } from './shared-page-key.server.ts';

const page = {
  origin: 'http://app.example',
  language: 'en',
  isProduction: true,
  config: { cookieOptions: { secure: false } },
} as unknown as Page;

/** A request for a page that all visitors share, with other values in place of its own. */
function keyOf({
  url = 'http://app.example/login',
  status = 200,
  ...changes
}: Record<string, unknown> & {
  url?: string;
  status?: number;
}): string | undefined {
  const staticHandlerContext = {
    matches: [{ route: { handle: undefined } }, { route: { handle: { isShared: true } } }],
    loaderData: { root: { user: null, language: 'en' }, login: { methods: { anonymous: false } } },
    actionData: null,
    errors: null,
    ...changes,
  };
  const context = new RouterContextProvider();
  context.set(sessionContext, changes.session as Session | undefined);
  const routerContext = { staticHandlerContext } as unknown as EntryContext;
  const request = new Request(url, { method: String(changes.method ?? 'GET') });
  return sharedPageKey(
    { request, routerContext, context, page: { ...page, ...(changes as Partial<Page>) } },
    status,
  );
}

describe('sharedPageKey', () => {
  it('returns the same key for equal requests', () => {
    expect(keyOf({})).toEqual(expect.any(String));
    expect(keyOf({})).toBe(keyOf({}));
  });

  it.each<[string, Parameters<typeof keyOf>[0]]>([
    ['another URL', { url: 'http://app.example/login?mode=sign-up' }],
    ['another host', { url: 'http://other.example/login' }],
    ['another public origin', { origin: 'https://app.example' }],
    ['another language', { language: 'de' }],
    ['secure cookies', { config: { cookieOptions: { secure: true } } }],
    ['other data', { loaderData: { login: { methods: { anonymous: true } } } }],
  ])('returns another key for %s', (_name, changes) => {
    expect(keyOf(changes)).toEqual(expect.any(String));
    expect(keyOf(changes)).not.toBe(keyOf({}));
  });

  it.each<[string, Parameters<typeof keyOf>[0]]>([
    ['a visitor with a session', { session: { claims: {} } }],
    ['a page that is not shared', { matches: [{ route: { handle: { isFullScreen: true } } }] }],
    ['a form', { method: 'POST' }],
    ['the result of a form', { actionData: { login: { problems: {} } } }],
    ['an error', { errors: { login: new Error('failed') } }],
    ['another status', { status: 404 }],
    ['pending data', { loaderData: { login: { methods: Promise.resolve({}) } } }],
    ['development', { isProduction: false }],
    ['a long URL', { url: `http://app.example/login?${'a'.repeat(600)}` }],
  ])('returns no key for %s', (_name, changes) => {
    expect(keyOf(changes)).toBeUndefined();
  });
});
