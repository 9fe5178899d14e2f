/** Sign-in on a site that requires a captcha. The captcha provider runs in this process and really verifies tokens. */
import { expect, type Page, test } from '@playwright/test';
import { addAuthenticator } from './support/authenticator.ts';
import { expectNoViolations } from './support/axe.ts';
import { type CaptchaProvider, SECRET, startCaptchaProvider } from './support/captcha/provider.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { latestMessage } from './support/mailbox.ts';
import { newPerson, type Person, signOutByRequest, submitCredentials } from './support/person.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

test.describe.configure({ mode: 'default' });

let site: Instance;
let provider: CaptchaProvider;

test.beforeAll(async () => {
  provider = await startCaptchaProvider();
  site = await startFullInstance({ ...provider.settings('hcaptcha'), GOTRUE_SMTP_MAX_FREQUENCY: '1s' });
});
test.afterAll(async () => {
  await endFullInstance(site);
  await provider?.close();
});

const home = (page: Page) => page.getByRole('heading', { name: 'Home' });
const group = (page: Page) => page.getByRole('group', { name: 'Captcha' });
const frame = (page: Page) => page.frameLocator('iframe[title=Captcha]');
const checkbox = (page: Page) => frame(page).getByRole('checkbox', { name: 'I am a person' });
/** The notice for browsers without JavaScript. */
const noScriptNotice = (page: Page) => group(page).locator('noscript').getByRole('status');
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Completes the captcha. */
async function solve(page: Page): Promise<void> {
  await checkbox(page).check();
  await expect(group(page).getByRole('status')).toHaveText('Captcha completed.');
}

/** Expects an error at the captcha, and the focus on it. */
async function expectCaptchaError(page: Page, text = 'Complete the captcha first.'): Promise<void> {
  await expect(group(page).getByRole('alert')).toHaveText(text);
  await expect(group(page)).toBeFocused();
}

/** Creates a user with a confirmed email address through the admin API. */
async function createConfirmedUser(): Promise<Person> {
  const person = newPerson();
  const { SERVICE_ROLE_KEY: key = '' } = await readStatus(site.folder);
  const response = await fetch(`${site.url}/auth/v1/admin/users`, {
    method: 'POST',
    headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...person, email_confirm: true }),
  });
  expect(response.status).toBe(200);
  return person;
}

/** Signs a new user up; the page stays signed in. */
async function signUp(page: Page): Promise<void> {
  await page.goto(`${site.url}/login?mode=sign-up`);
  await solve(page);
  await submitCredentials(page, newPerson(), 'Create account');
  await expect(home(page)).toBeVisible();
}

/** Waits for the code field, then types the code of the latest message. */
async function typeCode(page: Page, recipient: string): Promise<void> {
  // Selects by role, because a form is labelled with the same word.
  const field = page.getByRole('textbox', { name: 'Code' });
  await expect(field).toBeVisible();
  await field.fill((await latestMessage(recipient, site.folder)).code);
}

test('requires a new token for sign-up, a failed sign-in and a successful sign-in', async ({ page }) => {
  const policyViolations: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) policyViolations.push(message.text());
  });
  const before = provider.verified.length;
  const person = newPerson();
  await page.goto(`${site.url}/login?mode=sign-up`);
  await expect(checkbox(page)).not.toBeChecked();
  // The page must not claim to have no trackers while it loads a captcha.
  await expect(page.getByText('No trackers')).toHaveCount(0);
  await expect(button(page, 'Create account')).toHaveAccessibleDescription(
    'Complete the captcha to continue.',
  );
  await submitCredentials(page, person, 'Create account');
  await expectCaptchaError(page);
  await expect(button(page, 'Create account')).toHaveAccessibleDescription('Complete the captcha first.');
  await solve(page);
  await button(page, 'Create account').click();
  await expect(home(page)).toBeVisible();

  await signOutByRequest(page, site.url);
  await page.goto(`${site.url}/login`);
  await solve(page);
  await submitCredentials(page, { ...person, password: 'wrong horse' });
  await expect(page.getByRole('alert')).toContainText('password');
  await expect(checkbox(page)).not.toBeChecked();
  await expect(group(page).getByRole('status')).toHaveText('Complete the captcha to continue.');
  await submitCredentials(page, person);
  await expectCaptchaError(page);
  await solve(page);
  await button(page, 'Sign in').click();
  await expect(home(page)).toBeVisible();
  expect(new Set(provider.verified.slice(before)).size).toBe(3);
  expect(policyViolations).toEqual([]);
});

test('completes the captcha and signs in by keyboard', async ({ page }) => {
  const person = await createConfirmedUser();
  await page.goto(`${site.url}/login`);
  await expect(checkbox(page)).toBeVisible();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.keyboard.press('Enter');
  await expectCaptchaError(page);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Space');
  await expect(group(page).getByRole('status')).toHaveText('Captcha completed.');
  await page.getByLabel('Password', { exact: true }).press('Enter');
  await expect(home(page)).toBeVisible();
});

test('requires a token for an email code and for its resend', async ({ page }) => {
  const person = newPerson();
  await page.clock.install();
  await page.goto(`${site.url}/login?mode=code`);
  await expect(checkbox(page)).toBeVisible();
  await page.getByLabel('Email address').fill(person.email);
  await button(page, 'Send code').click();
  await expectCaptchaError(page);
  await solve(page);
  await button(page, 'Send code').click();
  await expect(page.getByLabel('Code')).toBeFocused();
  const first = await latestMessage(person.email, site.folder);

  // Verifying a code needs no captcha token; sending another message does.
  await page.getByLabel('Code').fill('000000');
  await button(page, 'Continue').click();
  await expect(page.getByLabel('Code')).toHaveAttribute('aria-invalid', 'true');
  await page.waitForTimeout(1_100);
  await page.clock.fastForward(61_000);
  await button(page, 'Resend code').click();
  await expectCaptchaError(page);
  await solve(page);
  await button(page, 'Resend code').click();
  await expect.poll(async () => (await latestMessage(person.email, site.folder)).code).not.toBe(first.code);
  await expect(checkbox(page)).not.toBeChecked();
  await typeCode(page, person.email);
  await button(page, 'Continue').click();
  await expect(home(page)).toBeVisible();
});

test('signs in with an SMS code', async ({ page }) => {
  const phone = `4477${String(Date.now()).slice(-8)}`;
  await page.goto(`${site.url}/login?mode=code&with=phone`);
  await page.getByLabel('Phone number').fill(`+${phone}`);
  await solve(page);
  await button(page, 'Send code').click();
  await typeCode(page, phone);
  await button(page, 'Continue').click();
  await expect(home(page)).toBeVisible();
});

test('sends a recovery code for a forgotten password', async ({ page }) => {
  const person = await createConfirmedUser();
  await page.goto(`${site.url}/login`);
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page.getByRole('heading', { name: 'Reset your password' })).toBeVisible();
  await page.getByLabel('Email address').fill(person.email);
  await solve(page);
  await button(page, 'Send code').click();
  await typeCode(page, person.email);
  await button(page, 'Continue').click();
  await expect(page).toHaveURL(`${site.url}/account?recovered=1`);
});

test('requires a token to continue without an account', async ({ page }) => {
  await page.goto(`${site.url}/login`);
  await expect(checkbox(page)).toBeVisible();
  await button(page, 'Continue as guest').click();
  await expectCaptchaError(page);
  await solve(page);
  await button(page, 'Continue as guest').click();
  await expect(home(page)).toBeVisible();
});

test('requires a token to sign in with a passkey, and a new one after a cancelled ceremony', async ({
  page,
}) => {
  await addAuthenticator(page);
  await signUp(page);
  await page.goto(`${site.url}/account`);
  await button(page, 'Add passkey').click();
  await expect(page.getByText('Passkey added')).toBeVisible();
  await signOutByRequest(page, site.url);
  await page.goto(`${site.url}/login`);
  await expect(checkbox(page)).toBeVisible();
  for (const name of ['Sign in with a passkey', 'Continue as guest', 'Sign in']) {
    await expect(button(page, name)).toHaveAccessibleDescription('Complete the captcha to continue.');
  }
  await button(page, 'Sign in with a passkey').click();
  await expectCaptchaError(page);
  // A cancelled WebAuthn ceremony has already consumed the token.
  await page.evaluate(() => {
    const { credentials } = navigator;
    const { get } = credentials;
    credentials.get = () => {
      credentials.get = get;
      return Promise.reject(new DOMException('cancelled', 'NotAllowedError'));
    };
  });
  await solve(page);
  await button(page, 'Sign in with a passkey').click();
  await expect(page.getByRole('alert')).toContainText('cancelled');
  await expect(checkbox(page)).not.toBeChecked();
  await solve(page);
  await button(page, 'Sign in with a passkey').click();
  await expect(home(page)).toBeVisible();
});

test('requires a new token after an expired and after an already used one', async ({ page }) => {
  const person = await createConfirmedUser();
  await page.goto(`${site.url}/login`);
  await solve(page);
  await frame(page).getByRole('button', { name: 'Let it expire' }).click();
  await expect(group(page).getByRole('status')).toHaveText('The captcha has expired. Complete it again.');
  await submitCredentials(page, person);
  await expectCaptchaError(page, 'The captcha has expired. Complete it again first.');

  await solve(page);
  const token = await page.locator('input[name=captchaToken]').first().inputValue();
  await fetch(`${provider.url}/siteverify`, {
    method: 'POST',
    body: new URLSearchParams({ secret: SECRET, response: token }),
  });
  await submitCredentials(page, person);
  await expect(page.getByRole('alert')).toHaveText('Captcha failed. Try again.');
  await expect(checkbox(page)).not.toBeChecked();
  await solve(page);
  await submitCredentials(page, person);
  await expect(home(page)).toBeVisible();
});

test('reports a captcha script that fails to load, and loads it on retry', async ({ page }) => {
  const failed = group(page).getByRole('alert');
  try {
    provider.fault = 'down';
    await page.goto(`${site.url}/login`);
    await expect(failed).toContainText('Couldn’t load the captcha');
    await expectNoViolations(page);
    await submitCredentials(page, newPerson());
    await expectCaptchaError(page, 'You can’t continue without the captcha. Try to load it again.');
    provider.fault = 'another script';
    await button(page, 'Try again').click();
    await expect(failed).toContainText('Couldn’t load the captcha');
  } finally {
    provider.fault = undefined;
  }
  await button(page, 'Try again').click();
  await expect(group(page)).toBeFocused();
  await solve(page);
  await button(page, 'Sign in').click();
  await expect(page.getByRole('alert')).toContainText('password');
});

test.describe('with JavaScript off', () => {
  test.use({ javaScriptEnabled: false });

  for (const path of ['/login', '/login?mode=sign-up', '/login?mode=code', '/login?mode=recover']) {
    test(`${path} explains that the captcha needs JavaScript`, async ({ page }) => {
      await page.goto(site.url + path);
      await expect(noScriptNotice(page)).toBeVisible();
      await expect(noScriptNotice(page)).toContainText('The captcha requires JavaScript.');
      await expect(group(page).getByText('Loading captcha')).toBeHidden();
      await page.getByLabel('Email address').fill(newPerson().email);
      if (!/code|recover/.test(path))
        await page.getByLabel('Password', { exact: true }).fill('correct horse');
      await page.locator('form button[type=submit]').first().click();
      await expect(page.getByRole('alert')).toHaveText('Captcha failed. Try again.');
      await expect(noScriptNotice(page)).toBeVisible();
    });
  }
});

for (const [colorScheme, language, state] of [
  ['light', 'en', 'Complete the captcha to continue.'],
  ['dark', 'de', 'Lösen Sie das Captcha, um fortzufahren.'],
] as const) {
  test(`axe finds no violations, and the captcha uses the theme and language of the page: ${colorScheme}, ${language}`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ colorScheme, reducedMotion: 'reduce' });
    const page = await context.newPage();
    for (const path of ['/login?mode=sign-up', '/login?mode=code', '/login?mode=recover', '/login?']) {
      await page.goto(`${site.url}${path}&lang=${language}`);
      await expect(checkbox(page)).toBeVisible();
      await expect(group(page).getByRole('status')).toHaveText(state);
      await expect(frame(page).locator('html')).toHaveAttribute('data-theme', colorScheme);
      await expect(frame(page).locator('html')).toHaveAttribute('lang', language);
      await expectNoViolations(page, path);
    }
    await page.locator('form button[type=submit]').first().click();
    await expect(group(page).getByRole('alert')).toBeVisible();
    await expectNoViolations(page, 'without a token');
    await context.close();
  });
}

test('uses the compact captcha on a narrow screen', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`${site.url}/login`);
  await expect(page.locator('iframe[title=Captcha]')).toHaveAttribute('width', '160');
  await expectNoViolations(page, '', [320]);
});

test('switches the captcha theme with the colour scheme', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(`${site.url}/login`);
  await expect(frame(page).locator('html')).toHaveAttribute('data-theme', 'light');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect(frame(page).locator('html')).toHaveAttribute('data-theme', 'dark');
  await expect(page.locator('iframe[title=Captcha]')).toHaveCount(1);
});

test('a site without a captcha neither shows one nor allows its provider in the policy', async ({ page }) => {
  const response = await page.goto(`${baseUrl()}/login`);
  await expect(button(page, 'Sign in')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(group(page)).toHaveCount(0);
  await expect(page.locator('input[name=captchaToken]')).toHaveCount(0);
  expect(response?.headers()['content-security-policy']).not.toContain('captcha');
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(loaded.filter((name) => /captcha-widget/.test(name))).toEqual([]);
});

test.describe('Turnstile on a site that requires email confirmation', () => {
  let confirmingSite: Instance;

  test.beforeAll(async () => {
    confirmingSite = await startFullInstance({
      ...provider.settings('turnstile'),
      GOTRUE_MAILER_AUTOCONFIRM: 'false',
      GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    });
  });
  test.afterAll(() => endFullInstance(confirmingSite));

  test('requires a new token to resend the confirmation message', async ({ page }) => {
    const person = newPerson();
    await page.clock.install();
    await page.goto(`${confirmingSite.url}/login?mode=sign-up&lang=de`);
    await expect(frame(page).locator('html')).toHaveAttribute('lang', 'de');
    await page.goto(`${confirmingSite.url}/login?mode=sign-up&lang=en`);
    await solve(page);
    await submitCredentials(page, person, 'Create account');
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    const first = await latestMessage(person.email, confirmingSite.folder);
    await page.waitForTimeout(1_100);
    await page.clock.fastForward(61_000);
    await button(page, 'Resend email').click();
    await expectCaptchaError(page);
    await solve(page);
    await expectNoViolations(page);
    await button(page, 'Resend email').click();
    await expect
      .poll(async () => (await latestMessage(person.email, confirmingSite.folder)).text)
      .not.toBe(first.text);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
