/**
 * HTML of pages that are the same for all visitors without a session, such as the sign-in page. Such a page depends on
 * its URL, its language and its loaders' data only; these form the key. The nonce of the content security policy and
 * the id of the request differ in every response: the stored HTML has gaps in their places.
 */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Page } from '../../lib/page/page-context.tsx';
import type { RenderedPage } from '../../session/page-build.ts';

/** Maximum number of stored pages, and of their characters in total. */
const MAX_PAGES = 100;
const MAX_CHARACTERS = 2_000_000;

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
