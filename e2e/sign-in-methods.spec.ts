/**
 * Passkeys, anonymous sign-in and second factors, on a site that enables all of them. A virtual authenticator holds the
 * keys.
 */
import { expect, type Page, test } from '@playwright/test';
import { addAuthenticator } from './support/authenticator.ts';
import { expectNoViolations, expectNoViolationsInBothModes } from './support/axe.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { latestMessage } from './support/mailbox.ts';
import { createAccount, newPerson, signOutByRequest, signUp, submitCredentials } from './support/person.ts';
import { setUpApp } from './support/second-factor.ts';

test.describe.configure({ mode: 'serial' });

let site: Instance;

test.beforeAll(async () => {
  site = await startFullInstance();
});

test.afterAll(() => endFullInstance(site));

const home = (page: Page) => page.getByRole('heading', { name: 'Home' });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const secondStep = (page: Page) => page.getByRole('heading', { name: 'Two-factor verification' });

test('adds, renames, signs in with and removes a passkey', async ({ page }) => {
  await addAuthenticator(page);
  await createAccount(page, site.url);
  await page.goto(`${site.url}/account`);
  const passkeys = card(page, 'Passkeys');
  await expect(passkeys).toContainText('No passkeys added yet.');
  await passkeys.getByRole('button', { name: 'Add passkey' }).click();
  await expect(passkeys.getByRole('status')).toContainText('Passkey added');
  await passkeys.getByRole('link', { name: 'Rename Passkey' }).click();
  await passkeys.getByLabel('Passkey name').fill(' ');
  await passkeys.getByRole('button', { name: 'Save name' }).click();
  await expect(passkeys.getByLabel('Passkey name')).toHaveAttribute('aria-invalid', 'true');
  await passkeys.getByLabel('Passkey name').fill('Work phone');
  await passkeys.getByRole('button', { name: 'Save name' }).click();
  await expect(passkeys.getByText('Name saved.')).toBeVisible();
  await expect(passkeys.getByRole('listitem')).toContainText('Work phone');

  await signOutByRequest(page, site.url);
  await page.goto(`${site.url}/account`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  // The sign-in returns to the requested page.
  await expect(page).toHaveURL(`${site.url}/account`);
  await expect(passkeys.getByRole('listitem')).toContainText('last used');

  const remove = passkeys.getByRole('link', { name: 'Remove Work phone' });
  await remove.click();
  const dialog = page.getByRole('dialog', { name: 'Remove Work phone?' });
  await expect(dialog).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(remove).toBeFocused();
  await remove.press('Enter');
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect(passkeys.getByText('Passkey removed.')).toBeVisible();
  await expect(passkeys).toContainText('No passkeys added yet.');
});

test('reports a failed passkey sign-in and allows another attempt', async ({ page }) => {
  await addAuthenticator(page, { isUserVerified: false });
  await page.goto(`${site.url}/login`);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await expect(page.getByRole('alert')).toContainText(/cancelled|Couldn’t use/);
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeEnabled();
});

test('hides the passkey button in a browser without WebAuthn', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, 'PublicKeyCredential'));
  await page.goto(`${site.url}/login`);
  await expect(page.getByRole('button', { name: 'Continue as guest' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeHidden();
});

test('requires a security key as the second step on every guarded page', async ({ page }) => {
  await addAuthenticator(page, { transport: 'usb' });
  const person = await createAccount(page, site.url);
  await page.goto(`${site.url}/account`);
  const keys = card(page, 'Security keys');
  await keys.getByRole('button', { name: 'Add security key' }).click();
  await expect(keys.getByRole('status')).toContainText('Security key added');
  await expect(keys.getByRole('listitem')).toContainText(/Security key\s*Added/);

  await signOutByRequest(page, site.url);
  await page.goto(`${site.url}/login`);
  await submitCredentials(page, person);
  await expect(secondStep(page)).toBeVisible();
  for (const path of ['/', '/account', '/account/export', '/admin']) {
    await page.goto(site.url + path);
    await expect(page).toHaveURL(`${site.url}/login?mode=factor`);
  }
  await page.goto(`${site.url}/account`);
  await page.waitForLoadState('networkidle');
  await expectNoViolations(page);
  await page.getByRole('button', { name: 'Use security key: Security key' }).click();
  await expect(page).toHaveURL(`${site.url}/account`);
  await keys.getByRole('button', { name: 'Remove' }).click();
  await expect(keys.getByText('Security key removed.')).toBeVisible();
  await expect(keys).toContainText('No security keys added yet.');
});

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('continues without an account and keeps it with address and password', async ({ page }) => {
      await page.goto(`${site.url}/login`);
      await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toBeVisible({
        visible: scripts,
      });
      await page.getByRole('button', { name: 'Continue as guest' }).click();
      await expect(home(page)).toBeVisible();
      await expect(
        page.getByText('If you sign out as a guest, you lose access to this account.'),
      ).toBeVisible();
      await page.getByRole('link', { name: 'Add email and password' }).click();
      const keep = card(page, 'Keep your account');
      await keep.getByRole('button', { name: 'Keep account' }).click();
      await expect(keep.getByLabel('Email address')).toHaveAttribute('aria-invalid', 'true');
      await expect(keep.getByText('Choose a password.')).toBeVisible();
      const person = { email: `kept-${scripts}-${Date.now()}@example.org`, password: 'correct horse' };
      await keep.getByLabel('Email address').fill(person.email);
      await keep.getByLabel('New password').fill(person.password);
      await keep.getByRole('button', { name: 'Keep account' }).click();
      await expect(page.getByText('Account saved.')).toBeVisible();
      await expect(card(page, 'Email address')).toContainText(`Current: ${person.email}`);
      await page.goto(site.url);
      await expect(
        page.getByText('If you sign out as a guest, you lose access to this account.'),
      ).toBeHidden();
      await signOutByRequest(page, site.url);
      await page.goto(`${site.url}/login`);
      await submitCredentials(page, person);
      await expect(home(page)).toBeVisible();
    });

    test('accepts an SMS code as the second step and allows signing out instead', async ({ page }) => {
      const person = await signUp(page, site.url);
      const phone = `4477${String(Date.now()).slice(-8)}${scripts ? 3 : 4}`;
      await page.goto(`${site.url}/account`);
      const phones = card(page, 'Text messages');
      await phones.getByLabel('Phone number').fill('12');
      await phones.getByRole('button', { name: 'Send code' }).click();
      await expect(phones.getByLabel('Phone number')).toHaveAttribute('aria-invalid', 'true');
      await phones.getByLabel('Phone number').fill(`+${phone}`);
      await phones.getByRole('button', { name: 'Send code' }).click();
      const code = phones.getByLabel(`Code sent to +${phone}`);
      await code.fill('000000');
      await phones.getByRole('button', { name: 'Confirm' }).click();
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      await code.fill((await latestMessage(phone, site.folder)).code);
      await phones.getByRole('button', { name: 'Confirm' }).click();
      await expect(phones.getByText('Phone added.')).toBeVisible();

      await signOutByRequest(page, site.url);
      await page.goto(`${site.url}/login`);
      await submitCredentials(page, person);
      await expect(secondStep(page)).toBeVisible();
      await page.waitForTimeout(1_100);
      await page.getByRole('button', { name: `ending in ${phone.slice(-3)}` }).click();
      await expect(page.getByText('Enter the code that we sent to your phone.')).toBeVisible();
      await page.getByLabel('Code').fill('000000');
      if (!scripts) await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
      await page.getByLabel('Code').fill((await latestMessage(phone, site.folder)).code);
      if (!scripts) await page.getByRole('button', { name: 'Continue' }).click();
      await expect(home(page)).toBeVisible();

      await signOutByRequest(page, site.url);
      await page.goto(`${site.url}/login`);
      await submitCredentials(page, person);
      await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      await expect(page).toHaveURL(`${site.url}/login`);
      await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    });
  });
}

test('requires the second step of a session in another browser, too', async ({ browser }) => {
  const first = await browser.newContext();
  const page = await first.newPage();
  const person = await createAccount(page, site.url);
  await setUpApp(page, site.url);
  const second = await browser.newContext();
  const other = await second.newPage();
  await other.goto(`${site.url}/login`);
  await submitCredentials(other, person);
  await expect(secondStep(other)).toBeVisible();
  // Opening a page by its URL leads to the second step, too.
  await other.goto(`${site.url}/account`);
  await expect(secondStep(other)).toBeVisible();
  const refused = await other.request.post(`${site.url}/account`, {
    form: { intent: 'password', password: 'another horse' },
    headers: { origin: site.url },
    maxRedirects: 0,
  });
  expect([refused.status(), refused.headers().location]).toEqual([302, '/login?mode=factor']);
  await Promise.all([first.close(), second.close()]);
});

test('extracts a six-digit code from pasted text', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.goto(`${site.url}/login?mode=code`);
  await page.getByLabel('Email address').fill(`paste-${Date.now()}@example.org`);
  await page.getByRole('button', { name: 'Send code' }).click();
  const field = page.getByLabel('Code');
  await expect(field).toBeFocused();
  await page.evaluate(() => navigator.clipboard.writeText(' 123-456 '));
  await page.keyboard.press('ControlOrMeta+v');
  await expect(field).toHaveValue('123456');
  await expect(page.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
  await page.keyboard.press('Backspace');
  await expect(field).toHaveValue('12345');
});

test.describe('a site that requires confirmation of addresses', () => {
  let confirmingSite: Instance;

  test.beforeAll(async () => {
    confirmingSite = await startFullInstance({
      GOTRUE_MAILER_AUTOCONFIRM: 'false',
      GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    });
  });
  test.afterAll(() => endFullInstance(confirmingSite));

  test('resends the confirmation message without JavaScript', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const person = newPerson();
    await page.goto(`${confirmingSite.url}/login?mode=sign-up`);
    await submitCredentials(page, person, 'Create account');
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const first = await latestMessage(person.email, confirmingSite.folder);
    await page.waitForTimeout(1_100);
    await page.getByRole('button', { name: 'Resend email' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect
      .poll(async () => (await latestMessage(person.email, confirmingSite.folder)).text)
      .not.toBe(first.text);
    await context.close();
  });

  test('disables the resend button with a countdown', async ({ page }) => {
    await page.goto(`${confirmingSite.url}/login?mode=sign-up`);
    await submitCredentials(page, newPerson(), 'Create account');
    await expect(page.getByRole('button', { name: /Resend email in \d+ s/ })).toBeDisabled();
  });
});

test('axe finds no violations on the login, home and account pages', async ({ browser }) => {
  test.slow();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await addAuthenticator(page);
  for (const path of ['/login', '/login?lang=de', '/login?mode=sign-up&notice=account-deleted&lang=en']) {
    await page.goto(site.url + path);
    await page.waitForLoadState('networkidle');
    await expectNoViolationsInBothModes(page);
  }
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(home(page)).toBeVisible();
  await expectNoViolationsInBothModes(page);
  await page.goto(`${site.url}/account`);
  await page.waitForLoadState('networkidle');
  // Guests have only these sections.
  const sections = page.getByRole('navigation', { name: 'Account sections' });
  await expect(sections.getByRole('link')).toHaveText(['Devices and apps', 'Your data']);
  await expectNoViolationsInBothModes(page);
  await context.close();
});
