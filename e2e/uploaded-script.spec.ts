/**
 * Uploads share the origin of the pages. If an uploaded script gets into the markup of a page, the content security
 * policy blocks it.
 */
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { baseUrl, readStatus } from './support/shared-instance.ts';

/** A host that a content security policy cannot name with a path. A browser rule maps it to the same server. */
const OTHER_HOST = '127.0.0.2';

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--host-rules=MAP ${OTHER_HOST} 127.0.0.1`],
    }),
});

/** Uploads a script to a public bucket and returns the path of its public URL. */
async function uploadScript(): Promise<string> {
  const { API_URL = '', SERVICE_ROLE_KEY = '' } = await readStatus();
  const { storage } = createClient(API_URL, SERVICE_ROLE_KEY);
  const bucket = `scripts-${crypto.randomUUID()}`;
  expect((await storage.createBucket(bucket, { public: true })).error).toBeNull();
  const script = new Blob(['window.hasRun = true'], { type: 'text/javascript' });
  const { error } = await storage.from(bucket).upload('run.js', script, { contentType: 'text/javascript' });
  expect(error).toBeNull();
  return new URL(storage.from(bucket).getPublicUrl('run.js').data.publicUrl).pathname;
}

/**
 * Fetches a URL from 127.0.0.1 with the host of the URL in the `host` header, because only the browser maps that host.
 */
async function fetchWithHost(url: string): Promise<{ headers: Record<string, string>; body: string }> {
  const { host, pathname, port } = new URL(url);
  const request = get({ host: '127.0.0.1', port, path: pathname, headers: { host, accept: 'text/html' } });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const headers = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
  return { headers: Object.fromEntries(headers), body: await text(response) };
}

/** Opens a page with an injected script element. Returns the errors in the browser console, which grow over time. */
async function openWithScript(page: Page, url: string, path: string): Promise<string[]> {
  const consoleErrors: string[] = [];
  page.on('console', (message) => message.type() === 'error' && consoleErrors.push(message.text()));
  const { headers, body } = await fetchWithHost(url);
  const withScript = body.replace('<head>', `<head><script src="${path}"></script>`);
  await page.route(url, (route) => route.fulfill({ headers, body: withScript }));
  await page.goto(url);
  return consoleErrors;
}

for (const host of ['127.0.0.1', OTHER_HOST]) {
  test(`a page at ${host} runs its own scripts and blocks an uploaded one`, async ({ page }) => {
    const path = await uploadScript();
    const url = new URL('/login', baseUrl());
    url.hostname = host;
    const consoleErrors = await openWithScript(page, url.href, path);
    // This button works only if the scripts of the page run.
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(page.getByLabel('Password', { exact: true }).first()).toHaveAttribute('type', 'text');
    expect(await page.evaluate(() => 'hasRun' in window)).toBe(false);
    expect(consoleErrors).toEqual([expect.stringContaining(path)]);
  });
}
