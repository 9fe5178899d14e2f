/** Templates and deliveries in the mailbox of the admin area. */
import { type MailServer, startMailServer } from '@greenroom/messages/testing/mail-server';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { putMails } from './support/mailbox.ts';
import { type ProjectSite, startProjectSite } from './support/project-site.ts';

const CONFIG = `# Settings of the shop.
project_id = "shop"

[auth]
site_url = "http://127.0.0.1:3000"
`;

let site: ProjectSite;
let mails: MailServer;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  mails = await startMailServer();
  site = await startProjectSite(browser, CONFIG, {
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: String(mails.port),
    GOTRUE_SMTP_ADMIN_EMAIL: 'shop@example.org',
  });
});
test.afterAll(async () => {
  await site?.end();
  await mails.stop();
});

/** Opens a template. Text that is typed before scripts take over the form may be lost. */
async function open(page: Page, kind: string): Promise<void> {
  await page.goto(`${site.url}/admin/mailbox?view=templates&kind=${kind}`);
  await page.waitForLoadState('networkidle');
}
const preview = (page: Page, language: string) =>
  page.frameLocator(`iframe[title="Preview in ${language}"]`).locator('body');

test('edits subject and body of a template, which the service then sends, and resets it', async ({
  browser,
}) => {
  await site.asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin/mailbox`);
    await page.getByRole('link', { name: 'Templates' }).click();
    await page
      .getByRole('navigation', { name: 'Templates' })
      .getByRole('link', { name: 'Password reset' })
      .click();
    await page.waitForURL(/kind=recovery/);
    await page.waitForLoadState('networkidle');
    await page.getByLabel('Subject').fill('Back to {{ .Email }}');
    const html = page.getByLabel('HTML');
    await html.fill('<p>Hello</p>');
    await html.press('End');
    await page.getByRole('button', { name: 'Insert Token', exact: true }).click();
    await expect(html).toHaveValue('<p>Hello</p>{{ .Token }}');
    await page.getByRole('button', { name: 'Save template' }).click();
    await expect(page.getByText('Template saved.')).toBeVisible();
    expect(await site.config()).toBe(
      `${CONFIG}\n[auth.email.template.recovery]\nsubject = "Back to {{ .Email }}"\ncontent_path = "./supabase/templates/recovery.html"\n`,
    );
    const next = mails.next();
    await page.request.post(`${site.url}/login?mode=recover`, {
      form: { email: site.admin.email },
      headers: { origin: site.url },
    });
    const { source } = await next;
    expect(source).toContain(`Subject: Back to ${site.admin.email}`);
    expect(source).toMatch(/<p>Hello<\/p>\d{6}/);

    await page.getByRole('link', { name: 'Reset to built-in text' }).click();
    const dialog = page.getByRole('dialog', { name: 'Reset this template?' });
    await dialog.getByRole('button', { name: 'Reset to built-in text' }).click();
    await expect(page.getByText('The built-in text is used again.')).toBeVisible();
    await expect(html).toHaveValue('');
    expect(await site.config()).not.toMatch(/subject|content_path/);
    expect(await site.config()).toContain('# Settings of the shop.');
  });
});

for (const scripts of [true, false]) {
  test(`previews a draft in both languages with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    await site.asAdmin(
      browser,
      async (page) => {
        await open(page, 'invite');
        await expect(preview(page, 'English')).toContainText('123456');
        await expect(preview(page, 'German')).toContainText('Einladung annehmen');
        await page.getByLabel('Subject').fill('Hi {{ .SendingTo }}');
        await page.getByLabel('HTML').fill('<b>{{ .Data.locale }}</b>');
        if (scripts) await page.getByRole('button', { name: 'Preview', exact: true }).click();
        else {
          await page.getByRole('button', { name: 'Preview in English' }).click();
          await page.getByRole('button', { name: 'Preview in German' }).click();
        }
        await expect(preview(page, 'English')).toHaveText(/Hi ada@example\.org\s*en/);
        await expect(preview(page, 'German')).toHaveText(/Hi ada@example\.org\s*de/);
        await page.getByLabel('HTML').fill('<b>{{ .Token </b>');
        await page
          .getByRole('button', { name: scripts ? 'Preview' : 'Preview in English', exact: true })
          .click();
        await expect(preview(page, 'English')).toContainText('body:');
        await expect(page).toHaveURL(/kind=invite/);
      },
      { javaScriptEnabled: scripts },
    );
  });
}

test('sends a test of a draft to an address', async ({ browser }) => {
  await site.asAdmin(browser, async (page) => {
    await open(page, 'magic_link');
    await page.getByRole('button', { name: 'German', exact: true }).click();
    await expect(page.getByLabel('HTML')).toHaveValue(/Oder geben Sie diesen Code ein/);
    await page.getByLabel('Subject').fill('Entwurf');
    await page.getByLabel('Email address').fill('tester@example.org');
    const next = mails.next();
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByText('Test sent.')).toBeVisible();
    expect(await next).toMatchObject({
      to: ['tester@example.org'],
      source: expect.stringContaining('Subject: Entwurf'),
    });
    await expect(page.getByLabel('Subject')).toHaveValue('Entwurf');
  });
});

test('edits the text of an SMS and refuses a text without the code', async ({ browser }) => {
  await site.asAdmin(browser, async (page) => {
    await open(page, 'sms');
    await page.getByLabel('Text', { exact: true }).fill('No code');
    await page.getByRole('button', { name: 'Save template' }).click();
    await expect(page.getByRole('alert')).toContainText('{{ .Code }}');
    expect(await site.config()).not.toContain('[auth.sms]');
    await page.getByLabel('Text', { exact: true }).fill('Shop: {{ .Code }}');
    await page.getByRole('button', { name: 'Save template' }).click();
    await expect(page.getByText('Template saved.')).toBeVisible();
    expect(await site.config()).toContain('[auth.sms]\ntemplate = "Shop: {{ .Code }}"\n');
  });
});

test('keeps the text of a second admin who saves a template of an outdated config.toml', async ({
  browser,
}) => {
  await site.asAdmin(browser, async (page) => {
    await open(page, 'confirmation');
    await page.getByLabel('Subject').fill('Mine');
    await site.writeConfig(`${await site.config()}# Another change.\n`);
    await page.getByRole('button', { name: 'Save template' }).click();
    await expect(page.getByText('Someone else changed config.toml')).toBeVisible();
    expect(await site.config()).not.toContain('Mine');
    await expect(page.getByLabel('Subject')).toHaveValue('Mine');
    await page.getByRole('button', { name: 'Save template' }).click();
    await expect(page.getByText('Template saved.')).toBeVisible();
    expect(await site.config()).toContain('subject = "Mine"');
    expect(await site.config()).toContain('# Another change.');
  });
});

test('shows waiting and failed deliveries, retries one at once and drops another', async ({ browser }) => {
  await putMails(
    ['retry', 'drop'].map((name) => ({ recipient: `${name}@example.org`, subject: name, state: 'queued' })),
    site.folder,
  );
  await withDatabase(site.folder, (database) =>
    database.query({
      text: `update greenroom.messages set attempts = 3, last_error = '451 try later' where state = 'queued'`,
    }),
  );
  await site.asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin/mailbox?view=deliveries`);
    const row = (name: string) => page.getByRole('row').filter({ hasText: `${name}@example.org` });
    await expect(row('retry')).toContainText('Queued');
    await expect(row('retry')).toContainText('451 try later');
    await expect(row('retry').getByRole('cell').nth(1)).toHaveText('3');
    await expect(row('retry').locator('time')).toBeVisible();
    await expectNoViolations(page);
    const next = mails.next();
    await page.getByRole('button', { name: 'Retry now: retry@example.org' }).click();
    await expect(page.getByText('The message is sent now.')).toBeVisible();
    expect((await next).to).toEqual(['retry@example.org']);
    await page.getByRole('link', { name: 'Drop the message to drop@example.org' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drop this message?' });
    await dialog.getByRole('button', { name: 'Drop' }).click();
    await expect(page.getByText('Message dropped.')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Nothing is waiting' })).toBeVisible();
    await page.getByRole('link', { name: 'Sent', exact: true }).click();
    await expect(row('retry')).toContainText('Sent');
  });
});

test('shows templates and deliveries to admins only, and fits a phone', async ({
  browser,
  page: visitor,
}) => {
  for (const path of ['?view=templates', '?view=deliveries', '/preview?kind=invite&language=en']) {
    const response = await visitor.request.get(`${site.url}/admin/mailbox${path}`, { maxRedirects: 0 });
    expect([302, 403], path).toContain(response.status());
  }
  await site.asAdmin(
    browser,
    async (page) => {
      for (const kind of ['recovery', 'sms', 'password_changed_notification']) {
        await open(page, kind);
        await expect(preview(page, 'English')).not.toBeEmpty();
        await expectNoViolations(page);
      }
    },
    { reducedMotion: 'reduce' },
  );
});
