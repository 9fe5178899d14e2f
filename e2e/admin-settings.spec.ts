/** Settings of the admin area: values with sources, changes of config.toml, keys, and tests of connections. */
import { type MailServer, startMailServer } from '@greenroom/messages/testing/mail-server';
import { freePort } from '@greenroom/testing/free-port';
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { submitCredentials } from './support/person.ts';
import { type ProjectSite, startProjectSite } from './support/project-site.ts';
import { readStatus } from './support/shared-instance.ts';

const CONFIG = `# Settings of the shop.
project_id = "shop"

[auth]
# Half an hour.
jwt_expiry = 1800 # seconds
additional_redirect_urls = ["http://localhost:3000/**"]
site_url = "env(SITE)"
`;
const PASSWORD = 'smtp-password-of-the-test';

let site: ProjectSite;
let mails: MailServer;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  mails = await startMailServer({
    onAuth: (auth, _session, done) =>
      done(auth.password === PASSWORD ? null : new Error('no'), { user: 'shop' }),
  });
  site = await startProjectSite(browser, CONFIG, {
    SITE: 'http://127.0.0.1:3000',
    GOTRUE_RATE_LIMIT_OTP: '99',
    GOTRUE_SMTP_HOST: '127.0.0.1',
    GOTRUE_SMTP_PORT: String(mails.port),
    GOTRUE_SMTP_USER: 'shop',
    GOTRUE_SMTP_PASS: PASSWORD,
    GOTRUE_SMTP_ADMIN_EMAIL: 'shop@example.org',
    GOTRUE_EXTERNAL_GITHUB_ENABLED: 'true',
    GOTRUE_EXTERNAL_GITHUB_CLIENT_ID: 'id',
    GOTRUE_EXTERNAL_GITHUB_SECRET: 'secret-of-github',
    GOTRUE_EXTERNAL_GITHUB_URL: `http://127.0.0.1:${await freePort()}`,
    GOTRUE_HOOK_BEFORE_USER_CREATED_ENABLED: 'false',
  });
});
test.afterAll(async () => {
  await site?.end();
  await mails.stop();
});

const openSection = async (page: Page, section: string, more = '') => {
  await page.goto(`${site.url}/admin/settings?section=${section}${more}`);
  // Text that is typed before scripts take over the form may be lost.
  await page.waitForLoadState('networkidle');
};
const setting = (page: Page, key: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: key, exact: true }) });

test('shows effective values with their sources and finds settings by words', async ({ browser }) => {
  await site.asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin`);
    await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('link', { name: 'Redirects' }).click();
    await expect(setting(page, 'auth.additional_redirect_urls')).toContainText('supabase/config.toml:7');
    await expect(setting(page, 'auth.site_url')).toContainText(
      'config.toml takes it from an environment variable.',
    );
    await page.getByRole('link', { name: 'Rate limits' }).click();
    const limit = setting(page, 'auth.rate_limit.sign_in_sign_ups');
    await expect(limit).toContainText('Environment');
    await expect(limit).toContainText('99');
    await expect(limit.getByRole('link')).toHaveCount(0);
    await page.getByLabel('Search settings').fill('jwt expiry');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/q=jwt/);
    await expect(setting(page, 'auth.jwt_expiry')).toContainText('1800');
    // The key has the opposite value of the variable, which is shown.
    await page.getByLabel('Search settings').fill('disable_signup');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(setting(page, 'GOTRUE_DISABLE_SIGNUP')).toContainText(/auth\.enable_signup.*false/);
  });
});

for (const scripts of [true, false]) {
  test(`changes a setting in config.toml, keeps comments, and resets it with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    await site.writeConfig(CONFIG);
    await site.asAdmin(
      browser,
      async (page) => {
        await openSection(page, 'sign-in');
        await page.getByRole('link', { name: 'Change auth.jwt_expiry' }).click();
        await page.getByLabel('Value').fill('soon');
        await page.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByRole('alert')).toContainText('auth.jwt_expiry');
        expect(await site.config()).toBe(CONFIG);
        await page.getByLabel('Value').fill('900');
        await page.getByRole('button', { name: 'Save' }).click();
        await expect(page.getByText('Saved and applied: auth.jwt_expiry.')).toBeVisible();
        expect(await site.config()).toBe(CONFIG.replace('1800 #', '900 #'));
        await page.getByRole('link', { name: 'Change auth.jwt_expiry' }).click();
        await page.getByRole('button', { name: 'Reset to default' }).click();
        await expect(setting(page, 'auth.jwt_expiry')).toContainText('Default');
        await expect.poll(() => site.config()).toBe(CONFIG.replace('jwt_expiry = 1800 ', ''));
      },
      { javaScriptEnabled: scripts },
    );
  });
}

test('allows and removes redirects, one in each line', async ({ browser }) => {
  await site.writeConfig(CONFIG);
  await site.asAdmin(browser, async (page) => {
    await openSection(page, 'redirects', '&edit=GOTRUE_URI_ALLOW_LIST');
    await expect(page.getByLabel('Value')).toHaveValue('http://localhost:3000/**');
    await page.getByLabel('Value').fill('https://shop.example/**\nhttps://*.shop.example/welcome');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved and applied: auth.additional_redirect_urls.')).toBeVisible();
    expect(await site.config()).toContain(
      'additional_redirect_urls = ["https://shop.example/**", "https://*.shop.example/welcome"]',
    );
  });
});

test('turns a hook on and off and rejects one without a target', async ({ browser }) => {
  await site.writeConfig(CONFIG);
  await site.asAdmin(browser, async (page) => {
    await openSection(page, 'hooks', '&edit=GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED');
    await page.getByLabel('Value').selectOption('true');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByRole('alert')).toContainText('auth.hook.custom_access_token.uri');
    expect(await site.config()).toBe(CONFIG);
    await openSection(page, 'hooks', '&all=1&edit=GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_URI');
    await page.getByLabel('Value').fill('pg-functions://postgres/public/claims');
    await page.getByRole('button', { name: 'Save' }).click();
    // Earlier tests may have left settings that the file no longer has; they are applied, too.
    await expect(page.getByText(/^Saved.*auth\.hook\.custom_access_token\.uri/)).toBeVisible();
    await openSection(page, 'hooks', '&edit=GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED');
    await page.getByLabel('Value').selectOption('true');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved and applied: auth.hook.custom_access_token.enabled.')).toBeVisible();
    await openSection(page, 'connections');
    await page.getByRole('button', { name: 'Test Hook · customAccessToken' }).click();
    await expect(page.getByText('There is no function public.claims(jsonb).')).toBeVisible();
    await openSection(page, 'hooks', '&edit=GOTRUE_HOOK_CUSTOM_ACCESS_TOKEN_ENABLED');
    await page.getByLabel('Value').selectOption('false');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved and applied: auth.hook.custom_access_token.enabled.')).toBeVisible();
  });
});

test('shows both values to the second of two admins and overwrites nothing', async ({ browser }) => {
  await site.writeConfig(CONFIG);
  await site.asAdmin(browser, async (page) => {
    await openSection(page, 'sign-in', '&edit=GOTRUE_JWT_EXP');
    await page.getByLabel('Value').fill('600');
    await site.asAdmin(browser, async (other) => {
      await openSection(other, 'sign-in', '&edit=GOTRUE_JWT_EXP');
      await other.getByLabel('Value').fill('1200');
      await other.getByRole('button', { name: 'Save' }).click();
      await expect(other.getByText('Saved and applied')).toBeVisible();
    });
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Nothing was saved. Current value: 1200. Your value: 600.')).toBeVisible();
    expect(await site.config()).toContain('jwt_expiry = 1200 # seconds');
    await expect(page.getByLabel('Value')).toHaveValue('600');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved and applied')).toBeVisible();
    expect(await site.config()).toContain('jwt_expiry = 600 # seconds');
  });
});

test('tests the mail server and a sign-in provider with real requests', async ({ browser }) => {
  await site.asAdmin(browser, async (page) => {
    await openSection(page, 'connections');
    await page.getByRole('button', { name: 'Test Mail server' }).click();
    await expect(page.getByText('The server accepts the connection and the login.')).toBeVisible();
    await page.getByRole('button', { name: 'Test Sign-in provider · github' }).click();
    await expect(page.getByRole('status')).toContainText('Doesn’t work');
    await expect(page.getByRole('status')).toContainText('ECONNREFUSED');
    await expectNoViolations(page);
  });
});

/** Replaces the tokens of the page by new ones, whose sign-in was ten minutes ago. */
async function ageSignIn(page: Page, anonKey: string): Promise<void> {
  await withDatabase(site.folder, (database) =>
    database.query({
      text: `update auth.mfa_amr_claims
        set created_at = now() - interval '10 minutes', updated_at = now() - interval '10 minutes'`,
    }),
  );
  const context = page.context();
  const [cookie] = (await context.cookies()).filter(({ name }) => name.endsWith('-auth-token'));
  if (cookie === undefined) throw new Error('the page has no session');
  const session = JSON.parse(Buffer.from(cookie.value.replace(/^base64-/, ''), 'base64url').toString());
  const response = await page.request.post(`${site.url}/auth/v1/token?grant_type=refresh_token`, {
    data: { refresh_token: session.refresh_token },
    headers: { apikey: anonKey },
  });
  const { access_token, refresh_token, expires_in, expires_at, token_type } = await response.json();
  const tokens = { ...session, access_token, refresh_token, expires_in, expires_at, token_type };
  const value = `base64-${Buffer.from(JSON.stringify(tokens)).toString('base64url')}`;
  await context.addCookies([{ ...cookie, value }]);
}

test('reveals a public key after a recent sign-in, otherwise after the password', async ({ browser }) => {
  const { PUBLISHABLE_KEY = '', ANON_KEY = '' } = await readStatus(site.folder);
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await page.goto(`${site.url}/login`);
  await submitCredentials(page, site.admin);
  await page.waitForURL(`${site.url}/`);
  await openSection(page, 'keys');
  await page.getByRole('button', { name: 'Reveal Publishable key' }).click();
  await expect(page.getByText(PUBLISHABLE_KEY)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Copy Publishable key' })).toBeVisible();

  await page.goto('about:blank');
  await ageSignIn(page, ANON_KEY);
  await openSection(page, 'keys');
  await page.getByRole('button', { name: 'Reveal anon key' }).click();
  const confirmation = page.getByRole('form', { name: 'Confirm it’s you to reveal the anon key' });
  await confirmation.getByLabel('Password').fill('wrong password');
  await confirmation.getByRole('button', { name: 'Reveal' }).click();
  await expect(confirmation.getByText('The password or the code is wrong.')).toBeVisible();
  await expect(page.getByText(ANON_KEY)).toBeHidden();
  await confirmation.getByLabel('Password').fill(site.admin.password);
  await confirmation.getByRole('button', { name: 'Reveal' }).click();
  await expect(page.getByText(ANON_KEY)).toBeVisible();
  await context.close();
});

test('creates a standby key, shows the consequences first, and revokes it', async ({ browser }) => {
  await site.asAdmin(browser, async (page) => {
    await openSection(page, 'keys');
    await expect(page.getByText('Signs', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: 'Rotate' }).click();
    const rotation = page.getByRole('dialog', { name: 'Rotate the signing key?' });
    await expect(rotation).toContainText('Tokens of the former key stay valid until you revoke it.');
    await rotation.getByRole('button', { name: 'Rotate' }).click();
    await expect(page.getByText('Created the standby key')).toBeVisible();
    await expect(page.getByText('Standby', { exact: true })).toBeVisible();
    await page.getByRole('link', { name: /^Revoke / }).click();
    const revocation = page.getByRole('dialog', { name: 'Revoke this key?' });
    await revocation.getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByText('Standby', { exact: true })).toBeHidden();
  });
});

test('sends no secret to the browser in any section, and fits a phone', async ({ browser }) => {
  const status = await readStatus(site.folder);
  const secrets = [
    status.SECRET_KEY,
    status.SERVICE_ROLE_KEY,
    status.JWT_SECRET,
    status.DB_URL,
    PASSWORD,
    'secret-of-github',
  ];
  expect(secrets.every(Boolean)).toBe(true);
  await site.asAdmin(
    browser,
    async (page) => {
      for (const section of [
        'keys',
        'connections',
        'messages',
        'providers',
        'instance',
        'sign-in',
        'hooks',
        'limits',
      ]) {
        await openSection(page, section, '&all=1');
        const data = await page.request.get(
          `${site.url}/admin/settings/_payload.json?section=${section}&all=1`,
        );
        const texts = [
          await page.content(),
          await data.text(),
          JSON.stringify(await page.context().cookies()),
        ];
        for (const secret of secrets) for (const text of texts) expect(text).not.toContain(secret);
      }
      for (const section of ['keys', 'limits', 'sign-in']) {
        await openSection(page, section);
        await expectNoViolations(page);
      }
      await openSection(page, 'redirects', '&edit=GOTRUE_URI_ALLOW_LIST&lang=de');
      await expectNoViolations(page);
    },
    { reducedMotion: 'reduce' },
  );
});

test('records each change of a setting in the audit log, and refuses other visitors', async ({
  browser,
  page: visitor,
}) => {
  await site.writeConfig(CONFIG);
  await site.asAdmin(browser, async (page) => {
    await openSection(page, 'sign-in', '&edit=GOTRUE_JWT_EXP');
    await page.getByLabel('Value').fill('700');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved and applied')).toBeVisible();
  });
  const [entry] = await withDatabase(site.folder, (database) =>
    database.query({
      text: `select action, target, actor_email, before, after, outcome from greenroom.audit_log
        where action = 'setting.update' order by id desc limit 1`,
    }),
  );
  expect(entry).toMatchObject({
    target: 'auth.jwt_expiry',
    actor_email: site.admin.email,
    before: 1800,
    after: 700,
    outcome: 'done',
  });
  const response = await visitor.request.get(`${site.url}/admin/settings`, { maxRedirects: 0 });
  expect(response.status()).toBe(302);
  const change = await visitor.request.post(`${site.url}/admin/settings`, {
    form: { intent: 'save', name: 'GOTRUE_JWT_EXP', value: '5' },
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  expect([302, 403]).toContain(change.status());
  expect(await site.config()).toContain('jwt_expiry = 700');
});
