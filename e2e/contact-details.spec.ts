/**
 * Name, phone number, email address and password on the account page of a site that requires confirmation of changes.
 */
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectNoViolationsInBothModes } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { latestMessage } from './support/mailbox.ts';
import {
  createAccount,
  newPerson,
  type Person,
  signOutByRequest,
  signUp,
  submitCredentials,
} from './support/person.ts';
import { setUpApp } from './support/second-factor.ts';

let site: Instance;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  site = await startFullInstance({
    GOTRUE_SMS_AUTOCONFIRM: 'false',
    GOTRUE_SMS_MAX_FREQUENCY: '1s',
    GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
    GOTRUE_PASSWORD_REQUIRED_CHARACTERS: 'abcdefghijklmnopqrstuvwxyz: ',
  });
});
test.afterAll(() => endFullInstance(site));

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const home = (page: Page) => page.getByRole('heading', { name: 'Home' });

let numbers = 0;
function newNumber(): string {
  numbers += 1;
  return `4479${String(Date.now()).slice(-6)}${String(numbers).padStart(2, '0')}`;
}

/** Backdates all sessions by two days, so that sensitive changes require reauthentication. */
async function backdateSessions(instance: Instance): Promise<void> {
  const text = `update auth.sessions set created_at = created_at - interval '2 days'`;
  await withDatabase(instance.folder, (database) => database.query({ text }));
}

/** Polls for a message to the recipient whose text differs from `before`, and returns it. */
async function nextMessage(recipient: string, before = '', instance = site) {
  await expect
    .poll(async () => (await latestMessage(recipient, instance.folder).catch(() => ({ text: before }))).text)
    .not.toBe(before);
  return latestMessage(recipient, instance.folder);
}

async function signInAgain(page: Page, person: Person): Promise<void> {
  await signOutByRequest(page, site.url);
  await page.goto(`${site.url}/login`);
  await submitCredentials(page, person);
  await expect(home(page)).toBeVisible();
}

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('saves, shows and removes a name', async ({ page }) => {
      const { email } = await createAccount(page, site.url);
      await page.goto(`${site.url}/account`);
      const profile = card(page, 'Name and picture');
      const name = profile.getByLabel('Name', { exact: true });
      await expect(name).toHaveValue('');
      await name.fill('a'.repeat(101));
      await profile.getByRole('button', { name: 'Save name' }).click();
      await expect(profile.getByText('Use at most 100 characters.')).toBeVisible();
      await expect(name).toHaveAttribute('aria-invalid', 'true');
      await expect(name).toHaveValue('a'.repeat(101));
      await name.fill('  Ada   Lovelace ');
      await profile.getByRole('button', { name: 'Save name' }).click();
      await expect(profile.getByText('Name saved.')).toBeVisible();
      await expect(name).toHaveValue('Ada Lovelace');
      // The account menu shows the new name at once.
      const menu = page.getByRole('button', { name: 'Account of Ada Lovelace' });
      await expect(menu.locator('[aria-hidden]')).toHaveText('AL');
      await menu.click();
      await expect(page.locator('[popover]:popover-open')).toContainText(`Ada Lovelace${email}`);
      await page.goto(site.url);
      await expect(page.getByText('Signed in as Ada Lovelace').first()).toBeVisible();
      await page.goto(`${site.url}/account`);
      await name.fill(' ');
      await profile.getByRole('button', { name: 'Save name' }).click();
      await expect(profile.getByText('Name removed.')).toBeVisible();
      await expect(page.getByRole('button', { name: `Account of ${email}` })).toBeVisible();
    });

    test('adds and changes a phone number with the codes sent to it', async ({ page }) => {
      const { password } = await signUp(page, site.url);
      const [first, second] = [newNumber(), newNumber()];
      await page.goto(`${site.url}/account`);
      const phone = card(page, 'Phone number');
      await expect(phone).toContainText('No phone number added yet.');
      await phone.getByLabel('New phone number').fill('12');
      await phone.getByRole('button', { name: 'Add phone number' }).click();
      await expect(phone.getByLabel('New phone number')).toHaveAttribute('aria-invalid', 'true');
      await phone.getByLabel('New phone number').fill(`+${first}`);
      await phone.getByRole('button', { name: 'Add phone number' }).click();
      await expect(phone.getByText('Code sent.')).toBeVisible();
      await expect(phone.getByText(`enter the code we sent to +${first}.`)).toBeVisible();
      const code = phone.getByLabel('Code');
      await phone.getByRole('button', { name: 'Confirm' }).click();
      await expect(phone.getByText('Enter the code.')).toBeVisible();
      await code.fill('000000');
      await phone.getByRole('button', { name: 'Confirm' }).click();
      await expect(phone.getByText('The code is incorrect or has expired.')).toBeVisible();
      await expect(code).toHaveAttribute('aria-invalid', 'true');
      const message = await nextMessage(first);
      if (scripts) {
        await expect(phone.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
        await code.fill(message.code);
      } else {
        await page.waitForTimeout(1_100);
        await phone.getByRole('button', { name: 'Resend code' }).click();
        await expect(phone.getByText('Code sent.')).toBeVisible();
        await code.fill((await nextMessage(first, message.text)).code);
      }
      await phone.getByRole('button', { name: 'Confirm' }).click();
      await expect(phone.getByText('Phone number changed.')).toBeVisible();
      await expect(phone).toContainText(`Current: +${first}`);
      // Confirming the number creates no further session.
      await expect(card(page, 'Devices').getByRole('listitem')).toHaveCount(1);

      await page.waitForTimeout(1_100);
      await phone.getByLabel('New phone number').fill(`+${second}`);
      await phone.getByRole('button', { name: 'Change phone number' }).click();
      await expect(phone.getByText(`enter the code we sent to +${second}.`)).toBeVisible();
      await page.goto(`${site.url}/account`);
      await code.fill((await nextMessage(second)).code);
      await phone.getByRole('button', { name: 'Confirm' }).click();
      await expect(phone).toContainText(`Current: +${second}`);
      await signOutByRequest(page, site.url);
      await page.goto(`${site.url}/login?with=phone`);
      await page.getByLabel('Phone number').fill(`+${second}`);
      await page.getByLabel('Password', { exact: true }).fill(password);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await expect(home(page)).toBeVisible();
    });

    test('requires an emailed code for a new password if the sign-in was long ago', async ({ page }) => {
      const person = await signUp(page, site.url);
      await backdateSessions(site);
      await page.goto(`${site.url}/account`);
      const form = card(page, 'Password');
      const save = form.getByRole('button', { name: 'Change password' });
      const fresh = form.getByLabel('New password');
      await fresh.fill('another horse');
      await save.click();
      await expect(form.getByText(`enter the code we sent to ${person.email}`)).toBeVisible();
      const code = form.getByLabel('Verification code');
      if (scripts) {
        await expect(fresh).toHaveValue('another horse');
        await expect(form.getByRole('button', { name: /Resend code in \d+ s/ })).toBeDisabled();
      }
      await fresh.fill('another horse');
      await save.click();
      await expect(form.getByText('Enter the code.')).toBeVisible();
      await code.fill('000000');
      await fresh.fill('another horse');
      await save.click();
      await expect(form.getByText('The code is incorrect or has expired.')).toBeVisible();
      const message = await nextMessage(person.email);
      if (!scripts) {
        await page.waitForTimeout(1_100);
        await form.getByRole('button', { name: 'Resend code' }).click();
        await expect(form.getByText(`enter the code we sent to ${person.email}`)).toBeVisible();
      }
      const { code: correctCode } = scripts ? message : await nextMessage(person.email, message.text);
      await code.fill(correctCode);
      await fresh.fill('123456');
      await save.click();
      await expect(form.getByText('This password is too weak.')).toBeVisible();
      await expect(form.getByRole('listitem').filter({ hasText: 'A lowercase letter (a–z).' })).toBeVisible();
      await expect(form.getByRole('listitem').filter({ hasText: 'A space.' })).toBeVisible();
      await code.fill(correctCode);
      await fresh.fill('another horse');
      await save.click();
      await expect(form.getByText('Password changed.')).toBeVisible();
      await expect(code).toBeHidden();
      await signInAgain(page, { ...person, password: 'another horse' });
    });

    test('shows no text from the parameters of a link', async ({ page }) => {
      for (const search of [
        '?error=access_denied&error_description=Call+0900+now',
        '?error=Call+0900+now&error_code=Call+0900+now',
        '?message=Call+0900+now',
        ...(scripts ? ['#error_description=Call+0900+now', '#message=Call+0900+now'] : []),
      ]) {
        await page.goto('about:blank');
        await page.goto(`${site.url}/confirm${search}`);
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(
          search.includes('message') ? 'Confirm your other address' : 'Confirmation failed',
        );
        await expect(page.getByText('0900')).toHaveCount(0);
      }
      await page.goto(`${site.url}/confirm?error=access_denied&error_code=otp_expired`);
      await expect(page.getByRole('alert')).toContainText('This link has expired');
      await page.getByRole('link', { name: 'Sign in with a code' }).click();
      await expect(page.getByRole('heading', { name: 'Sign in with a code' })).toBeVisible();
    });
  });
}

test.describe('a site that requires email confirmation', () => {
  let confirmingSite: Instance;

  test.beforeAll(async () => {
    confirmingSite = await startFullInstance({
      GOTRUE_MAILER_AUTOCONFIRM: 'false',
      GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    });
  });
  test.afterAll(() => endFullInstance(confirmingSite));

  async function confirmedPerson(page: Page): Promise<Person> {
    const person = newPerson();
    await page.goto(`${confirmingSite.url}/login?mode=sign-up`);
    await submitCredentials(page, person, 'Create account');
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await page.goto((await nextMessage(person.email, '', confirmingSite)).link ?? '');
    await expect(home(page)).toBeVisible();
    await page.waitForTimeout(1_100);
    return person;
  }

  for (const scripts of [true, false]) {
    test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
      test.use({ javaScriptEnabled: scripts });

      test('changes the address once the links in both mailboxes are opened', async ({ page }) => {
        const person = await confirmedPerson(page);
        const next = newPerson().email;
        const { text: first } = await latestMessage(person.email, confirmingSite.folder);
        await page.goto(`${confirmingSite.url}/account`);
        const email = card(page, 'Email address');
        await email.getByLabel('New email address').fill(next);
        await email.getByRole('button', { name: 'Change email address' }).click();
        await expect(email.getByText('Confirmation email sent.')).toBeVisible();
        await expect(email).toContainText(`open the links we sent to ${next} and ${person.email}.`);
        const [before, beforeNext] = [
          await nextMessage(person.email, first, confirmingSite),
          await nextMessage(next, '', confirmingSite),
        ];
        let [current, fresh] = [before, beforeNext];
        // A later visit still shows the pending change.
        await page.goto(`${confirmingSite.url}/account`);
        if (scripts) {
          await expect(email.getByRole('button', { name: /Resend email in \d+ s/ })).toBeDisabled();
        } else {
          await page.waitForTimeout(1_100);
          await email.getByRole('button', { name: 'Resend email' }).click();
          await expect(email.getByText('Confirmation email sent.')).toBeVisible();
          current = await nextMessage(person.email, before.text, confirmingSite);
          fresh = await nextMessage(next, beforeNext.text, confirmingSite);
        }
        await page.goto(current.link ?? '');
        await expect(page.getByRole('heading', { name: 'Confirm your other address' })).toBeVisible();
        await page.getByRole('link', { name: 'Go to account' }).click();
        await expect(email).toContainText(`Current: ${person.email}`);
        await page.goto(fresh.link ?? '');
        await expect(home(page)).toBeVisible();
        await page.goto(`${confirmingSite.url}/account`);
        await expect(email).toContainText(`Current: ${next}`);
        await expect(email.getByText('Confirm the change')).toBeHidden();
        // The link has already been used.
        await page.goto(fresh.link ?? '');
        await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
        await expect(page.getByRole('link', { name: 'Go to account' })).toBeVisible();
      });
    });
  }
});

test('reports a failed link in German', async ({ page }) => {
  await page.goto(`${site.url}/confirm?error=x&error_code=teapot&lang=de`);
  await expect(page.getByRole('alert')).toHaveText('Ein Fehler ist aufgetreten. Versuchen Sie es erneut.');
});

test('adds a phone number at aal2 without requiring the second factor again', async ({ page }) => {
  await createAccount(page, site.url);
  await setUpApp(page, site.url);
  const number = newNumber();
  await page.goto(`${site.url}/account`);
  const phone = card(page, 'Phone number');
  await phone.getByLabel('New phone number').fill(number);
  await phone.getByRole('button', { name: 'Add phone number' }).click();
  await phone.getByLabel('Code').fill((await nextMessage(number)).code);
  await phone.getByRole('button', { name: 'Confirm' }).click();
  await expect(phone).toContainText(`Current: +${number}`);
  await page.goto(`${site.url}/account`);
  await expect(phone).toContainText(`Current: +${number}`);
});

test.describe('a site that requires the current password and has phone sign-in disabled', () => {
  let strictSite: Instance;

  test.beforeAll(async () => {
    strictSite = await startFullInstance({
      GOTRUE_EXTERNAL_PHONE_ENABLED: 'false',
      GOTRUE_SMTP_MAX_FREQUENCY: '1s',
      GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: 'true',
      GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: 'true',
    });
  });
  test.afterAll(() => endFullInstance(strictSite));

  for (const scripts of [true, false]) {
    test(`changes the password with the current one, with JavaScript ${scripts ? 'on' : 'off'}`, async ({
      browser,
    }) => {
      const { page, close } = await open(browser, scripts);
      const { password } = await createAccount(page, strictSite.url);
      await page.goto(`${strictSite.url}/account`);
      await expect(card(page, 'Email address')).toBeVisible();
      await expect(card(page, 'Phone number')).toBeHidden();
      const form = card(page, 'Password');
      const send = async (values: Record<string, string>) => {
        for (const [label, value] of Object.entries(values)) await form.getByLabel(label).fill(value);
        await form.getByRole('button', { name: 'Change password' }).click();
      };
      await send({ 'New password': 'another horse' });
      await expect(form.getByText('Enter your current password.')).toBeVisible();
      await expect(form.getByLabel('Current password')).toHaveAttribute('aria-invalid', 'true');
      await send({ 'Current password': 'wrong horse', 'New password': 'another horse' });
      await expect(form.getByText('The current password is incorrect.')).toBeVisible();
      await send({ 'Current password': password, 'New password': 'another horse' });
      await expect(form.getByText('Password changed.')).toBeVisible();
      await close();
    });
  }

  test('requires the current password and a code if the sign-in was long ago', async ({ browser }) => {
    const { page, close } = await open(browser, false);
    const { email, password } = await signUp(page, strictSite.url);
    await backdateSessions(strictSite);
    await page.goto(`${strictSite.url}/account`);
    const form = card(page, 'Password');
    const save = form.getByRole('button', { name: 'Change password' });
    await form.getByLabel('New password').fill('another horse');
    await save.click();
    const first = await nextMessage(email, '', strictSite);
    await form.getByLabel('Verification code').fill(first.code);
    await form.getByLabel('New password').fill('another horse');
    await save.click();
    await expect(form.getByText('Enter your current password.')).toBeVisible();
    await expect(form.getByText('This code was already used.')).toBeVisible();
    await page.waitForTimeout(1_100);
    await form.getByRole('button', { name: 'Resend code' }).click();
    await form.getByLabel('Verification code').fill((await nextMessage(email, first.text, strictSite)).code);
    await form.getByLabel('Current password').fill(password);
    await form.getByLabel('New password').fill('another horse');
    await save.click();
    await expect(form.getByText('Password changed.')).toBeVisible();
    await close();
  });
});

async function open(browser: Browser, javaScriptEnabled: boolean) {
  const context = await browser.newContext({ javaScriptEnabled });
  return { page: await context.newPage(), close: () => context.close() };
}

test('axe finds no violations while all changes are pending', async ({ browser }) => {
  test.slow();
  const context = await browser.newContext({ reducedMotion: 'reduce' });
  const page = await context.newPage();
  await signUp(page, site.url);
  await backdateSessions(site);
  await page.goto(`${site.url}/account`);
  await card(page, 'Name and picture').getByLabel('Name', { exact: true }).fill('Ada Lovelace '.repeat(7));
  await card(page, 'Name and picture').getByRole('button', { name: 'Save name' }).click();
  await expect(card(page, 'Name and picture').getByText('Name saved.')).toBeVisible();
  await card(page, 'Phone number').getByLabel('New phone number').fill(newNumber());
  await card(page, 'Phone number').getByRole('button', { name: 'Add phone number' }).click();
  await expect(card(page, 'Phone number').getByLabel('Code')).toBeVisible();
  await card(page, 'Email address').getByLabel('New email address').fill(newPerson().email);
  await card(page, 'Email address').getByRole('button', { name: 'Change email address' }).click();
  await expect(card(page, 'Email address').getByText('Confirm the change')).toBeVisible();
  await card(page, 'Password').getByLabel('New password').fill('another horse');
  await card(page, 'Password').getByRole('button', { name: 'Change password' }).click();
  await expect(card(page, 'Password').getByLabel('Verification code')).toBeVisible();
  await expectNoViolationsInBothModes(page);
  await page.goto(`${site.url}/account?lang=de`);
  await expectNoViolationsInBothModes(page);
  await page.goto(`${site.url}/confirm?message=x`);
  await expectNoViolationsInBothModes(page);
  await context.close();
});
