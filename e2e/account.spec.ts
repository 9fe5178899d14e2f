/**
 * Sign-in without a password and the account page, with and without JavaScript. Codes and links are read from the local
 * mailbox.
 */
import { expect, type Page, test } from '@playwright/test';
import { expectNoViolations, expectNoViolationsInBothModes, paletteButton } from './support/axe.ts';
import { holdScripts } from './support/hold-scripts.ts';
import { latestMessage } from './support/mailbox.ts';
import {
  claimAdmin,
  createAccount,
  newPerson,
  signOutByRequest,
  signUp,
  submitCredentials,
} from './support/person.ts';
import { codeOf, setUpApp } from './support/second-factor.ts';
import { baseUrl } from './support/shared-instance.ts';

const home = (page: Page) => page.getByRole('heading', { name: 'Home' });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('resets a forgotten password with the code in the email', async ({ page }) => {
      const person = await createAccount(page);
      await signOutByRequest(page);
      await page.goto(`${baseUrl()}/login`);
      await page.getByRole('link', { name: 'Forgot your password?' }).click();
      await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
      await page.getByLabel('Email address').fill(person.email);
      await page.getByRole('button', { name: 'Send code' }).click();
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
      await page.getByLabel('Code').fill('000000');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
      const { code } = await latestMessage(person.email);
      await page.getByLabel('Code').fill(`${code.slice(0, 3)} ${code.slice(3)}`);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByText('Choose a new password.')).toBeVisible();
      await page.getByLabel('New password').fill('another horse');
      await page.getByRole('button', { name: 'Change password' }).click();
      await expect(card(page, 'Password').getByText('Password changed.')).toBeVisible();
      await signOutByRequest(page);
      await page.goto(`${baseUrl()}/login`);
      await submitCredentials(page, { ...person, password: 'another horse' });
      await expect(home(page)).toBeVisible();
    });

    test('signs in with a recovery link once and opens the new-password form', async ({ page }) => {
      const person = await createAccount(page);
      await signOutByRequest(page);
      await page.goto(`${baseUrl()}/login?mode=recover`);
      await page.getByLabel('Email address').fill(person.email);
      await page.getByRole('button', { name: 'Send code' }).click();
      await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
      const { link } = await latestMessage(person.email);
      await page.goto(link ?? '');
      await expect(page).toHaveURL(`${baseUrl()}/account?recovered=1`);
      // A recovery link works only once.
      await page.goto(link ?? '');
      await expect(page.getByText('This link has expired or was already used.')).toBeVisible();
    });

    test('accepts each recovery code once in place of the authenticator app', async ({ page }) => {
      const person = await createAccount(page);
      await setUpApp(page);
      const recovery = card(page, 'Recovery codes');
      const list = recovery.getByRole('list', { name: 'Your recovery codes' });
      await expect(list).toBeVisible();
      const codes = await list.locator('code').allTextContents();
      expect(codes).toHaveLength(10);
      const file = recovery.getByRole('link', { name: 'Download' });
      await expect(file).toHaveAttribute('download', 'greenroom-recovery-codes.txt');
      const content = decodeURIComponent((await file.getAttribute('href')) ?? '');
      for (const code of codes) expect(content).toContain(code);
      await recovery.getByRole('link', { name: 'I’ve saved my codes' }).click();
      await expect(recovery).toContainText('10 of 10 codes remaining.');

      const signInWith = async (code: string) => {
        await signOutByRequest(page);
        await page.goto(`${baseUrl()}/login`);
        await submitCredentials(page, person);
        await expect(page.getByRole('heading', { name: 'Two-factor verification' })).toBeVisible();
        await page.getByRole('link', { name: 'Use a recovery code' }).click();
        await page.getByRole('textbox', { name: 'Recovery code' }).fill(code);
        await page.getByRole('button', { name: 'Continue' }).click();
      };
      await signInWith(codes[0] ?? '');
      await expect(home(page)).toBeVisible();
      await expect(page.getByRole('region', { name: 'Session' })).toContainText('aal2');
      await page.goto(`${baseUrl()}/account`);
      await expect(recovery).toContainText('9 of 10 codes remaining.');
      await signInWith(codes[0] ?? '');
      const field = page.getByRole('textbox', { name: 'Recovery code' });
      await expect(
        page.getByText('The recovery code is incorrect, or was already used or replaced.'),
      ).toBeVisible();
      await expect(field).toHaveAttribute('aria-invalid', 'true');
      await field.fill(codes[1]?.toUpperCase().replace('-', ' ') ?? '');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(home(page)).toBeVisible();

      await page.goto(`${baseUrl()}/account`);
      await recovery.getByRole('button', { name: 'Generate new codes' }).click();
      await expect(recovery.getByText('Earlier codes no longer work.')).toBeVisible();
      await expect(recovery.getByRole('listitem')).toHaveCount(10);
      expect(await recovery.getByRole('listitem').allTextContents()).not.toContain(codes[2]);
      const factors = card(page, 'Authenticator app');
      await page.goto(`${baseUrl()}/account`);
      await factors.getByRole('button', { name: 'Remove' }).click();
      await expect(factors).toContainText('No authenticator app added yet.');
      await expect(recovery).toHaveCount(0);
    });

    test('creates an account and signs in with an SMS code', async ({ page }) => {
      const phone = `4477${String(Date.now()).slice(-8)}${scripts ? 1 : 2}`;
      await page.goto(`${baseUrl()}/login`);
      await page.getByRole('link', { name: 'Sign in with a code' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in with a code' })).toBeVisible();
      await page.getByRole('link', { name: 'Phone' }).click();
      await page.getByLabel('Phone number').fill(`+${phone}`);
      await page.getByRole('button', { name: 'Send code' }).click();
      await expect(page.getByRole('heading', { name: 'Check your text messages' })).toBeVisible();
      await page.getByLabel('Code').fill((await latestMessage(phone)).code);
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(home(page)).toBeVisible();
    });

    test('sets up an authenticator app, requires it at the next sign-in, and removes it', async ({
      page,
    }) => {
      const person = await createAccount(page);
      const secret = await setUpApp(page);
      await signOutByRequest(page);
      await page.goto(`${baseUrl()}/login`);
      await submitCredentials(page, person);
      await expect(page.getByRole('heading', { name: 'Two-factor verification' })).toBeVisible();
      await page.getByLabel('Code').fill('1');
      await page.getByRole('button', { name: 'Continue' }).click();
      await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
      await expect(page.getByText('Enter the current code from your app.')).toBeVisible();
      await page.getByLabel('Code').fill(codeOf(secret));
      if (!scripts) await page.getByRole('button', { name: 'Continue' }).click();
      await expect(home(page)).toBeVisible();
      await page.goto(`${baseUrl()}/account`);
      await card(page, 'Authenticator app').getByRole('button', { name: 'Remove' }).click();
      await expect(card(page, 'Authenticator app').getByRole('status')).toContainText('removed');
      await expect(card(page, 'Authenticator app')).toContainText('No authenticator app added yet.');
    });
  });
}

test('changes the email address once the required links are opened', async ({ page }) => {
  const person = await signUp(page);
  const { email } = newPerson();
  await page.goto(`${baseUrl()}/account`);
  await page.getByLabel('New email address').fill('nobody');
  await page.getByRole('button', { name: 'Change email address' }).click();
  await expect(page.getByLabel('New email address')).toHaveAttribute('aria-invalid', 'true');
  await page.getByLabel('New email address').fill(email);
  await page.getByRole('button', { name: 'Change email address' }).click();
  await expect(card(page, 'Email address').getByRole('status')).toContainText('Confirmation email sent.');
  await expect(card(page, 'Email address')).toContainText(`we sent to ${email}`);
  expect((await latestMessage(person.email)).kind).toBe('email_change');
  await page.goto((await latestMessage(email)).link ?? '');
  await page.goto(`${baseUrl()}/account`);
  await expect(card(page, 'Email address')).toContainText(`Current: ${email}`);
});

test('requires the second factor of an administrator before /admin opens and keeps digits typed before hydration', async ({
  page,
}) => {
  const person = await createAccount(page);
  await claimAdmin(page);
  const secret = await setUpApp(page);
  await signOutByRequest(page);
  await page.goto(`${baseUrl()}/login`);
  await submitCredentials(page, person);
  await expect(page.getByRole('heading', { name: 'Two-factor verification' })).toBeVisible();
  const releaseForm = await holdScripts(page, '**/assets/factor-step-*.js');
  await page.goto(`${baseUrl()}/admin`);
  await expect(page).toHaveURL(`${baseUrl()}/login?mode=factor`);
  const field = page.getByLabel('Code', { exact: true });
  await expect(field).toBeFocused();
  const code = codeOf(secret);
  // React replays a focus on a form that it has not hydrated yet.
  await expect(paletteButton(page)).toBeVisible();
  await field.blur();
  await field.focus();
  await page.keyboard.type(code.slice(0, 3));
  releaseForm();
  // The placeholder is for visitors without scripts.
  await expect(field).not.toHaveAttribute('placeholder');
  await page.keyboard.type(code.slice(3));
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
});

test('redirects a signed-out visitor from the account page to the login', async ({ page }) => {
  await page.goto(`${baseUrl()}/account`);
  await expect(page).toHaveURL(`${baseUrl()}/login`);
});

test('rejects an account form with an unknown intent', async ({ page }) => {
  await createAccount(page);
  const response = await page.request.post(`${baseUrl()}/account`, {
    form: { intent: 'toString' },
    headers: { origin: baseUrl() },
  });
  expect(response.status()).toBe(400);
});

test('axe finds no violations on the code, recovery, account and second-step pages', async ({ browser }) => {
  test.slow();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  const check = (name: string) => expectNoViolationsInBothModes(page, name);
  for (const path of ['/login?mode=code', '/login?mode=recover&lang=de']) {
    await page.goto(baseUrl() + path);
    await page.waitForLoadState('networkidle');
    await check(path);
  }
  await page.getByRole('textbox').fill(newPerson().email);
  await page.getByRole('button', { name: 'Code senden' }).click();
  await expect(page.getByRole('heading', { name: 'Prüfen Sie Ihre E-Mails' })).toBeVisible();
  await check('the code');
  await page.goto(`${baseUrl()}/login?lang=en`);
  await createAccount(page);
  await page.goto(`${baseUrl()}/account`);
  await check('the account');
  await page.getByRole('button', { name: 'Add authenticator app' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await check('setting up an app');
  await page.goto(`${baseUrl()}/login?mode=factor`);
  await check('the second step');
  await context.close();
});

for (const scripts of [true, false]) {
  test.describe(`admin area with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('lets an admin remove the second factor of a user, and rejects the same request of a user', async ({
      page,
      browser,
    }) => {
      const person = await createAccount(page);
      await setUpApp(page);
      const context = await browser.newContext({ javaScriptEnabled: scripts });
      const admin = await context.newPage();
      await createAccount(admin);
      await claimAdmin(admin);
      await admin.goto(`${baseUrl()}/admin/users`);
      await admin.getByRole('link', { name: person.email }).click();
      await expect(admin.getByRole('heading', { name: 'Second factors' })).toBeVisible();
      const list = admin.getByRole('list', { name: 'Verified factors' });
      await expect(list.getByRole('listitem')).toHaveCount(1);
      if (scripts) await expectNoViolations(admin);
      await list.getByRole('button', { name: /^Remove / }).click();
      await expect(admin.getByText('This user has no second factor.')).toBeVisible();
      const user = new URL(admin.url()).searchParams.get('user') ?? '';
      for (const id of ['nobody', crypto.randomUUID()]) {
        expect((await admin.request.get(`${baseUrl()}/admin/users?user=${id}`)).status()).toBe(404);
      }
      await context.close();
      await signOutByRequest(page);
      await page.goto(`${baseUrl()}/login`);
      await submitCredentials(page, person);
      await expect(home(page)).toBeVisible();
      // A user without the admin role can neither list nor remove factors.
      expect((await page.request.get(`${baseUrl()}/admin/users?user=${user}`)).status()).toBe(403);
      const form = { intent: 'remove-factor', userId: user, factorId: user };
      const refused = await page.request.post(`${baseUrl()}/admin/users`, {
        form,
        headers: { origin: baseUrl() },
      });
      expect(refused.status()).toBe(403);
    });
  });
}
