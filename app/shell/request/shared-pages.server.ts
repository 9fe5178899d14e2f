/**
 * HTML of pages that are the same for all visitors without a session, such as the sign-in page. Such a page depends on
 * its URL, its language and its loaders' data only; these form the key. The nonce of the content security policy and
 * the id of the request differ in every response: the stored HTML has gaps in their places.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { EntryContext, RouterContextProvider } from 'react-router';
import type { Page } from '../../lib/page/page-context.tsx';
import type { RenderedPage } from '../../session/page-build.ts';
import { sessionContext } from './contexts.server.ts';
import { isPending } from './handoff.server.ts';

/** Maximum number of stored pages, and of their characters in total. */
const MAX_PAGES = 100;
const MAX_CHARACTERS = 2_000_000;
/** Longer URLs are unlikely to be requested twice. */
const MAX_URL_CHARACTERS = 512;

/** A rendered page. `hasErrors`: a part of it is missing. */
export interface Rendered {
  html: RenderedPage;
  hasErrors: boolean;
}

/** The stored pages. */
export interface SharedPages {
  /** Fills in the stored page, or renders and stores it. */
  get(key: string, page: Page, render: (page: Page) => Promise<Rendered>): Promise<RenderedPage>;
}

/** A request and its page. */
interface SharedPageRequest {
  request: Request;
  routerContext: Pick<EntryContext, 'staticHandlerContext'>;
  context: Readonly<RouterContextProvider>;
  page: Page;
}

/**
 * Returns the key of a page that all visitors share; undefined for any other page. A route declares that with
 * `handle = { isShared: true }`: its HTML depends on nothing but the values of the key.
 */
export function sharedPageKey(
  { request, routerContext, context, page }: SharedPageRequest,
  status: number,
): string | undefined {
  const { matches, loaderData, actionData, errors } = routerContext.staticHandlerContext;
  const isResult = request.method !== 'GET' || status !== 200 || actionData || errors;
  if (isResult || !page.isProduction || context.get(sessionContext) !== undefined) return undefined;
  if (!matches.some(({ route }) => isShared(route.handle)) || isPending(loaderData)) return undefined;
  const { url } = request;
  return url.length > MAX_URL_CHARACTERS
    ? undefined
    : JSON.stringify([url, page.origin, page.language, page.config.cookieOptions.secure, loaderData]);
}

function isShared(handle: unknown): boolean {
  return typeof handle === 'object' && handle !== null && 'isShared' in handle && handle.isShared === true;
}

/** Creates an empty store. */
export function createSharedPages(): SharedPages {
  const templates = new LRUCache<string, Template>({
    max: MAX_PAGES,
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ length }, key) => length + key.length,
  });
  return {
    async get(key, page, render) {
      const stored = templates.get(key);
      if (stored) return fill(stored, page);
      const icons = watchIcons(page);
      const gaps = { nonce: randomUUID(), requestId: randomUUID() };
      const { html, hasErrors } = await render({ ...page, ...gaps, symbolOf: icons.symbolOf });
      if (typeof html === 'function') throw new Error('A shared page must be rendered whole.');
      const template = parseTemplate(typeof html === 'string' ? html : Buffer.from(html).toString(), gaps);
      if (icons.areComplete() && !hasErrors) templates.set(key, template);
      return fill(template, page);
    },
  };
}

/** HTML around its gaps. */
interface Template {
  /** The text before the first gap. */
  start: string;
  /** Each gap with the text after it. */
  rest: readonly { gap: keyof Gaps; text: string }[];
  length: number;
}

/** The values that differ in every response. */
interface Gaps {
  nonce: string;
  requestId: string;
}

function parseTemplate(html: string, { nonce, requestId }: Gaps): Template {
  const [start = '', ...parts] = html.split(new RegExp(`(${nonce}|${requestId})`));
  const rest = Array.from({ length: parts.length / 2 }, (_, index) => ({
    gap: parts[2 * index] === nonce ? ('nonce' as const) : ('requestId' as const),
    text: parts[2 * index + 1] ?? '',
  }));
  return { start, rest, length: html.length };
}

function fill({ start, rest }: Template, { nonce = '', requestId }: Page): string {
  const values: Gaps = { nonce, requestId: escapeAttribute(requestId) };
  let html = start;
  for (const { gap, text } of rest) html += values[gap] + text;
  return html;
}

/** Both gaps are in attributes; an id of a trusted proxy is limited to harmless characters already. */
function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Notices icons that are missing because they are still being read from disk. */
function watchIcons({ symbolOf }: Page) {
  let isMissing = false;
  return {
    areComplete: () => !isMissing,
    symbolOf(fullName: string): string | undefined {
      const symbol = symbolOf?.(fullName);
      isMissing ||= symbol === undefined;
      return symbol;
    },
  };
}
