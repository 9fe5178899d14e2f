/** The mailbox of the admin area: messages are searched, read, used and deleted, and no script in a message runs. */
import { expect, type Page, test } from '@playwright/test';
import { type AsAdmin, createAdministrator } from './support/administrator.ts';
import { expectNoViolations } from './support/axe.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { putMails } from './support/mailbox.ts';
import { newPerson, type Person, signUp } from './support/person.ts';
import { readStatus } from './support/shared-instance.ts';

let site: Instance;
let asAdmin: AsAdmin;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  site = await startFullInstance();
  ({ asAdmin } = await createAdministrator(browser, site));
});
test.afterAll(() => endFullInstance(site));

const MAILBOX = '/admin/mailbox';
const messages = (page: Page) => page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
const preview = (page: Page) => page.frameLocator('iframe[title="Email preview"]');

/** Creates a user through the API, without a session in the browser. */
async function createUser(page: Page): Promise<Person> {
  const person = newPerson();
  const response = await page.request.post(`${site.url}/auth/v1/signup`, {
    data: person,
    headers: { apikey: (await readStatus(site.folder)).ANON_KEY ?? '' },
  });
  expect(response.status(), await response.text()).toBe(200);
  return person;
}

/** Requests a recovery email with the cookies of this page, as the form does. */
async function requestRecovery(page: Page, { email }: Person): Promise<void> {
  const response = await page.request.post(`${site.url}/login?mode=recover`, {
    form: { email },
    headers: { origin: site.url },
  });
  expect(response.status()).toBe(200);
}

for (const scripts of [true, false]) {
  test(`finds, opens, uses and deletes a message with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    await asAdmin(
      browser,
      async (page) => {
        const person = await createUser(page);
        await page.goto(`${site.url}/admin`);
        await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Mailbox' }).click();
        await expect(page).toHaveURL(site.url + MAILBOX);
        await requestRecovery(page, person);
        await page.getByRole('button', { name: 'Reload' }).click();
        const row = messages(page).filter({ hasText: person.email });
        await expect(row).toContainText('Mailbox only');
        await expect(row.locator('time')).toHaveText(/now|ago/);

        await page.getByLabel('Search').fill(person.email.slice(0, -4).toUpperCase());
        await page.getByLabel('Channel').selectOption('Text message');
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await expect(page.getByRole('heading', { name: 'No messages found' })).toBeVisible();
        await page.getByLabel('Channel').selectOption('Email');
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await expect(messages(page)).toHaveCount(1);
        await row.getByRole('link').click();
        await expect(row.getByRole('link')).toHaveAttribute('aria-current', 'true');

        await expect(preview(page).getByRole('heading').first()).toBeVisible();
        await expect(preview(page).locator('body')).toHaveCSS('padding-top', '32px');
        const code = await page.locator('main code').textContent();
        expect(code).toMatch(/^\d{6}$/);
        await page.getByRole('link', { name: 'Text', exact: true }).click();
        await expect(page.locator('main pre')).toContainText(code ?? '-');
        await expect(page.getByTitle('Email preview')).toBeHidden();

        await page.getByRole('link', { name: 'Delete', exact: true }).click();
        const confirmation = page.getByRole(scripts ? 'dialog' : 'region', { name: 'Delete this message?' });
        await confirmation.getByRole('link', { name: 'Cancel' }).click();
        await expect(confirmation).toBeHidden();

        const link = page.getByRole('link', { name: 'Open link' });
        const popup = page.waitForEvent('popup');
        await link.click();
        const tab = await popup;
        await tab.waitForURL(/\/(account\?recovered=1)?$/);
        await tab.goto(`${site.url}/account`);
        await expect(tab.getByRole('region', { name: 'Email address' })).toContainText(person.email);
        await tab.close();
        await page.reload();
        await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
      },
      { javaScriptEnabled: scripts },
    );
    await asAdmin(
      browser,
      async (page) => {
        await putMails([{ recipient: `gone-${scripts}@example.org`, subject: 'Away' }], site.folder);
        await page.goto(`${site.url + MAILBOX}?q=gone-${scripts}`);
        await messages(page).getByRole('link').click();
        await expect(page).toHaveURL(/message=/);
        const address = page.url();
        await page.getByRole('link', { name: 'Delete', exact: true }).click();
        const confirmation = page.getByRole(scripts ? 'dialog' : 'region', { name: 'Delete this message?' });
        await confirmation.getByRole('button', { name: 'Delete' }).click();
        await expect(page.getByText('Message deleted.')).toBeVisible();
        await expect(page.getByRole('heading', { name: 'No messages found' })).toBeVisible();
        const response = await page.goto(address);
        expect(response?.status()).toBe(404);
        await expect(page.getByRole('heading', { name: 'Message not found' })).toBeVisible();
      },
      { javaScriptEnabled: scripts },
    );
  });
}

test('opens links of a message in a new tab and runs none of its scripts', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    const html = `<!doctype html><html><head></head><body onload="parent.postMessage('ran', '*')">
      <h1 style="color: rgb(1, 2, 3)">Evil</h1>
      <script>document.title = 'ran'; parent.postMessage('ran', '*'); top.location = '/ran';</script>
      <img src="x" onerror="parent.postMessage('ran', '*')"><img src="https://tracker.example/pixel.png">
      <meta http-equiv="refresh" content="0;url=/ran"><form action="/sign-out" method="post"><button>Go</button></form>
      <iframe srcdoc="<script>top.postMessage('ran', '*')</script>"></iframe>
      <a href="javascript:parent.postMessage('ran', '*')" target="_self">Run</a>
      <a href="${site.url}/login?from=mail">Follow</a></body></html>`;
    await putMails(
      [{ recipient: 'evil@example.org', subject: '<script>alert(1)</script>', html }],
      site.folder,
    );
    await page.addInitScript(() => {
      window.addEventListener('message', ({ data }) => {
        if (data === 'ran') document.documentElement.dataset.ran = 'yes';
      });
    });
    const requestedUrls: string[] = [];
    page.on('requestfinished', (request) => requestedUrls.push(request.url()));
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(`${site.url + MAILBOX}?q=evil`);
    await messages(page).getByRole('link').click();
    await expect(preview(page).getByRole('heading', { name: 'Evil' })).toBeVisible();
    await preview(page).getByRole('link', { name: 'Run' }).click();
    await preview(page).getByRole('button', { name: 'Go' }).click();
    const popup = page.waitForEvent('popup');
    await preview(page).getByRole('link', { name: 'Follow' }).click();
    const tab = await popup;
    await tab.waitForURL(/\/(login.*|)$/);
    expect(await tab.evaluate(() => window.opener)).toBeNull();
    await tab.close();
    await expect(preview(page).getByRole('heading', { name: 'Evil' })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.dataset.ran)).toBeUndefined();
    expect(dialogs).toEqual([]);
    expect(requestedUrls.filter((url) => /tracker|\/ran|\/sign-out$/.test(url))).toEqual([]);
    await expect(page).toHaveURL(/\/admin\/mailbox/);

    const frame = page.locator('iframe');
    expect(await frame.getAttribute('sandbox')).not.toMatch(/scripts|same-origin/);
    const messagePath = (await frame.getAttribute('src')) ?? '';
    const response = await page.goto(site.url + messagePath);
    const headers = response?.headers() ?? {};
    expect(headers['content-security-policy']).toMatch(/^sandbox allow-popups .*default-src 'none'/);
    expect(headers['cache-control']).toBe('private, no-store');
    expect(await page.title()).not.toBe('ran');
  });
});

test('shows the mailbox and its messages to admins only', async ({ page }) => {
  await putMails([{ recipient: 'secret@example.org', subject: 'Secret', html: 'Secret' }], site.folder);
  await page.goto(site.url + MAILBOX);
  await expect(page).toHaveURL(`${site.url}/login`);
  await signUp(page, site.url);
  for (const path of ['', '?q=secret', `?message=${crypto.randomUUID()}`]) {
    const response = await page.goto(site.url + MAILBOX + path);
    expect(response?.status()).toBe(403);
    await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
    expect(await page.content()).not.toContain('Secret');
  }
  const mail = await page.request.get(`${site.url + MAILBOX}/mail?message=${crypto.randomUUID()}`);
  expect([mail.status(), await mail.json()]).toEqual([403, expect.objectContaining({ code: 'not-admin' })]);
  for (const intent of ['clear', 'delete']) {
    const response = await page.request.post(`${site.url + MAILBOX}?message=x`, {
      form: { intent },
      headers: { origin: site.url },
    });
    expect(response.status(), intent).toBe(403);
  }
});

test('responds to invalid parameters and intents without a server error', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    for (const [path, status] of [
      ['?page=0', 404],
      ['?page=999999', 200],
      ['?channel=pigeon&view=raw&ask=else&notice=constructor', 200],
      ['?message=x', 404],
      [`?message=${'x'.repeat(500)}`, 200],
      [`?q=${'%25_'.repeat(50)}`, 200],
      ['?q=%00', 200],
      ['/mail', 404],
      ['/mail?message=..%2f..%2fusers', 404],
    ] as const) {
      const response = await page.request.get(site.url + MAILBOX + path);
      expect(response.status(), path).toBe(status);
    }
    for (const [path, intent] of [
      ['', 'delete'],
      ['', 'else'],
      ['?page=x', 'clear'],
    ]) {
      const response = await page.request.post(site.url + MAILBOX + path, {
        form: { intent: intent ?? '' },
        headers: { origin: site.url },
      });
      expect([400, 404], `${path} ${intent}`).toContain(response.status());
    }
  });
});

test('shows either the list or the message on a phone', async ({ browser }) => {
  await asAdmin(
    browser,
    async (page) => {
      await putMails([{ recipient: 'phone@example.org', subject: 'Small', text: 'Tiny' }], site.folder);
      await page.goto(`${site.url + MAILBOX}?q=phone%40`);
      await messages(page).getByRole('link').click();
      await expect(page.getByText('Tiny')).toBeVisible();
      await expect(messages(page)).toBeHidden();
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
      await page.getByRole('link', { name: 'Back to messages' }).click();
      await expect(messages(page)).toHaveCount(1);
      await expect(page).toHaveURL(`${site.url + MAILBOX}?q=phone%40`);
    },
    { viewport: { width: 390, height: 844 } },
  );
});

test('paginates the messages and deletes all except pending ones', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    const many = Array.from({ length: 30 }, (_, at) => ({
      recipient: `many-${at}@example.org`,
      subject: 'Many',
    }));
    await putMails(
      [...many, { recipient: 'many-waits@example.org', subject: 'Many', state: 'queued' }],
      site.folder,
    );
    await page.goto(`${site.url + MAILBOX}?q=many-`);
    await expect(messages(page)).toHaveCount(25);
    await expect(page.getByText('1–25 of 31')).toBeVisible();
    await page.getByRole('link', { name: 'Next' }).click();
    await expect(messages(page)).toHaveCount(6);
    await expect(page).toHaveURL(/q=many-/);
    await page.getByRole('link', { name: 'Delete all' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Delete all messages?' });
    await expect(confirmation).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(confirmation).toBeHidden();
    await expect(messages(page)).toHaveCount(6);
    await page.getByRole('link', { name: 'Delete all' }).click();
    await confirmation.getByRole('button', { name: 'Delete all' }).click();
    await expect(page.getByText('Messages deleted.')).toBeVisible();
    await expect(messages(page)).toHaveCount(1);
    await messages(page).getByRole('link').click();
    await page.getByRole('link', { name: 'Delete', exact: true }).click();
    const waiting = page.getByRole('dialog', { name: 'Delete this message?' });
    await expect(waiting.getByText('If you delete it, it won’t be sent.')).toBeVisible();
    await waiting.getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
    await expect(page.getByText('GOTRUE_SMTP_HOST')).toBeVisible();
    await expectNoViolations(page);
    await page.goto(`${site.url + MAILBOX}?lang=de`);
    await expect(page.getByRole('heading', { name: 'Noch keine Nachrichten' })).toBeVisible();
    await expectNoViolations(page);
  });
});

test('axe finds no violations in the mailbox', async ({ browser }) => {
  test.slow();
  await asAdmin(
    browser,
    async (page) => {
      const person = await createUser(page);
      await requestRecovery(page, person);
      const states = ['queued', 'sent', 'failed'].map((state) => ({
        recipient: 'a@b.c',
        subject: state,
        state,
      }));
      await putMails(states, site.folder);
      await page.goto(site.url + MAILBOX);
      await expectNoViolations(page);
      await page.getByRole('link', { name: person.email }).click();
      await expect(preview(page).getByRole('heading').first()).toBeVisible();
      await expect(page).toHaveURL(/message=/);
      await expectNoViolations(page);
      await page.goto(page.url().replace('message=', 'view=text&lang=de&message='));
      await expectNoViolations(page);
      await page.goto(`${page.url()}&ask=delete`);
      await expect(page.getByRole('dialog')).toBeVisible();
      await expectNoViolations(page);
    },
    { reducedMotion: 'reduce' },
  );
});
