/** Uploads have the address of the pages. Whatever brings a script of theirs into a page, the policy stops it. */
import { expect, type Page, test } from '@playwright/test';
import { createClient } from '@supabase/supabase-js';
import { baseUrl, readStatus } from './support/shared-instance.ts';

/** A host that a content security policy cannot name: the browser finds it at the same server. */
const UNNAMEABLE = 'not_nameable.test';

test.use({
  launchOptions: async ({ launchOptions }, use) =>
    use({
      ...launchOptions,
      args: [...(launchOptions.args ?? []), `--host-rules=MAP ${UNNAMEABLE} 127.0.0.1`],
    }),
});

/** Uploads a script to a public bucket. Returns its path. */
async function uploadScript(): Promise<string> {
  const { API_URL, SERVICE_ROLE_KEY } = await readStatus();
  const { storage } = createClient(API_URL, SERVICE_ROLE_KEY);
  const bucket = `scripts-${crypto.randomUUID()}`;
  expect((await storage.createBucket(bucket, { public: true })).error).toBeNull();
  const script = new Blob(['window.hasRun = true'], { type: 'text/javascript' });
  const { error } = await storage.from(bucket).upload('run.js', script, { contentType: 'text/javascript' });
  expect(error).toBeNull();
  return new URL(storage.from(bucket).getPublicUrl('run.js').data.publicUrl).pathname;
}

/** Opens a page into whose markup somebody got a script. Returns what the browser says in its console. */
async function openWithScript(page: Page, url: string, path: string): Promise<string[]> {
  const complaints: string[] = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.route(url, async (route) => {
    const response = await route.fetch({
      url: url.replace(UNNAMEABLE, '127.0.0.1'),
      headers: { host: new URL(url).host },
    });
    const body = (await response.text()).replace('<head>', `<head><script src="${path}"></script>`);
    await route.fulfill({ response, body });
  });
  await page.goto(url);
  return complaints;
}

for (const host of ['127.0.0.1', UNNAMEABLE]) {
  test(`a page at ${host} runs its own scripts, and no uploaded one`, async ({ page }) => {
    const path = await uploadScript();
    const url = new URL('/login', baseUrl());
    url.hostname = host;
    const complaints = await openWithScript(page, url.href, path);
    // Scripts of the page make these buttons work.
    await page.getByRole('button', { name: 'Show password' }).first().click();
    await expect(page.getByLabel('Password', { exact: true }).first()).toHaveAttribute('type', 'text');
    expect(await page.evaluate(() => 'hasRun' in window)).toBe(false);
    expect(complaints).toEqual([expect.stringContaining(path)]);
  });
}
