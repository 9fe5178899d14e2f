import { describe, expect, it, vi } from 'vitest';
import type { Page } from '../../lib/page/page-context.tsx';
import { createSharedPages } from './shared-pages.server.ts';

const page = {
  origin: 'http://app.example',
  language: 'en',
  isProduction: true,
  nonce: 'nonce-1',
  requestId: 'request-1',
  config: { cookieOptions: { secure: false } },
  symbolOf: (name: string) => (name === 'lucide:x' ? '<symbol/>' : undefined),
} as unknown as Page;

const visitor = (values: Partial<Page>): Page => ({ ...page, ...values });

/** Renders a page with both gaps. */
const renderOk = async ({ nonce, requestId, symbolOf }: Page) => ({
  html: Buffer.from(
    `<i id="${requestId}" nonce="${nonce}">ü${symbolOf?.('lucide:x')}</i><b nonce="${nonce}"></b>`,
  ),
  hasErrors: false,
});

describe('createSharedPages', () => {
  it('renders a page once, and fills in nonce and request id of each response', async () => {
    const pages = createSharedPages();
    const render = vi.fn(renderOk);
    expect(await pages.get('a', page, render)).toBe(
      '<i id="request-1" nonce="nonce-1">ü<symbol/></i><b nonce="nonce-1"></b>',
    );
    expect(await pages.get('a', visitor({ nonce: 'nonce-2', requestId: 'a"<&' }), render)).toBe(
      '<i id="a&quot;&lt;&amp;" nonce="nonce-2">ü<symbol/></i><b nonce="nonce-2"></b>',
    );
    expect(render).toHaveBeenCalledOnce();
  });

  it('renders without the nonce and the request id of the first visitor', async () => {
    const render = vi.fn(renderOk);
    await createSharedPages().get('a', page, render);
    expect(render.mock.calls[0]?.[0]).not.toMatchObject({ nonce: page.nonce });
    expect(render.mock.calls[0]?.[0]).not.toMatchObject({ requestId: page.requestId });
  });

  it('renders a page of another key', async () => {
    const pages = createSharedPages();
    const render = vi.fn(renderOk);
    await pages.get('a', page, render);
    await pages.get('b', page, render);
    expect(render).toHaveBeenCalledTimes(2);
  });

  it.each<[string, typeof renderOk]>([
    ['with an error', async (one) => ({ ...(await renderOk(one)), hasErrors: true })],
    [
      'without an icon that is not loaded yet',
      async (one) => {
        one.symbolOf?.('lucide:late');
        return renderOk(one);
      },
    ],
  ])('does not store a page %s', async (_name, implementation) => {
    const pages = createSharedPages();
    const render = vi.fn(implementation);
    await pages.get('a', page, render);
    await pages.get('a', page, render);
    expect(render).toHaveBeenCalledTimes(2);
  });

  it('drops the least recently used of more than 100 pages', async () => {
    const pages = createSharedPages();
    const render = vi.fn(renderOk);
    for (let key = 0; key <= 100; key++) await pages.get(String(key), page, render);
    await pages.get('100', page, render);
    expect(render).toHaveBeenCalledTimes(101);
    await pages.get('0', page, render);
    expect(render).toHaveBeenCalledTimes(102);
  });
});
