/** "Continue with Google", with a real OpenID Connect provider that runs in this process. */
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type Claims,
  type OpenidProvider,
  startOpenidProvider,
} from '@greenroom/testing/openid-provider';
import { expect, type Page, test } from '@playwright/test';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { latestMessage } from './support/mailbox.ts';
import {
  createAccount,
  newPerson,
  type Person,
  signOutByRequest,
  submitCredentials,
} from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';

test.describe.configure({ mode: 'default' });

let site: Instance;
let google: OpenidProvider;

test.beforeAll(async () => {
  site = await startFullInstance(async (url) => {
    google = await startOpenidProvider(`${url}/auth/v1/callback`, { interactive: true });
    return {
      API_EXTERNAL_URL: url,
      GOTRUE_EXTERNAL_GOOGLE_ENABLED: 'true',
      GOTRUE_EXTERNAL_GOOGLE_CLIENT_ID: CLIENT_ID,
      GOTRUE_EXTERNAL_GOOGLE_SECRET: CLIENT_SECRET,
      GOTRUE_EXTERNAL_GOOGLE_URL: google.issuer,
      GOTRUE_MAILER_AUTOCONFIRM: 'false',
      GOTRUE_SMTP_MAX_FREQUENCY: '1s',
    };
  });
});
test.afterAll(async () => {
  await endFullInstance(site);
  await google?.close();
});

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const home = (page: Page) => page.getByRole('heading', { name: 'Home' });
const signInMethods = (page: Page) => card(page, 'Sign-in methods');

/** Adds an account to the provider and returns the name under which its account chooser lists it. */
function addGoogleAccount(person: Person, claims: Claims = {}): string {
  google.users.set(person.email, { email: person.email, email_verified: true, name: 'Ada', ...claims });
  return person.email;
}

/** Continues from the sign-in page to the provider and selects an entry of its account chooser. */
async function signInWithGoogle(page: Page, choice: string): Promise<void> {
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await chooseAccount(page, choice);
}

async function chooseAccount(page: Page, choice: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await page.getByRole('link', { name: choice, exact: true }).click();
}

/** Signs up with a password and opens the confirmation link of the email. */
async function signUpByMail(page: Page): Promise<Person> {
  const person = newPerson();
  await page.goto(`${site.url}/login?mode=sign-up`);
  await submitCredentials(page, person, 'Create account');
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await page.goto((await latestMessage(person.email, site.folder)).link ?? '');
  await expect(home(page)).toBeVisible();
  return person;
}

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('signs a new user up and returns to the requested page', async ({ page }) => {
      const person = newPerson();
      await page.goto(`${site.url}/account?from=elsewhere`);
      await expect(page).toHaveURL(`${site.url}/login`);
      await signInWithGoogle(page, addGoogleAccount(person));
      await expect(page).toHaveURL(`${site.url}/account?from=elsewhere`);
      await expect(signInMethods(page).getByRole('listitem')).toHaveCount(1);
      await expect(signInMethods(page).getByRole('listitem')).toContainText(['Google']);
      await expect(signInMethods(page).getByText(person.email)).toBeVisible();
      await expect(signInMethods(page).getByRole('link')).toHaveCount(0);
      await signOutByRequest(page, site.url);
      await page.goto(site.url);
      await expect(page).toHaveURL(`${site.url}/login`);
    });

    test('reports a cancelled sign-in and allows another attempt', async ({ page }) => {
      await page.goto(`${site.url}/login`);
      await signInWithGoogle(page, 'Cancel');
      await expect(page).toHaveURL(/\/confirm\?/);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(
        'Access was denied. Nothing was changed.',
      );
      await page.getByRole('link', { name: 'Go to sign-in' }).click();
      await signInWithGoogle(page, addGoogleAccount(newPerson()));
      await expect(home(page)).toBeVisible();
    });

    test('requires email confirmation for an address that Google has not verified', async ({ page }) => {
      const person = newPerson();
      await page.goto(`${site.url}/account`);
      await signInWithGoogle(page, addGoogleAccount(person, { email_verified: false }));
      await expect(page).toHaveURL(/\/confirm\?/);
      await expect(page.getByRole('main').getByRole('alert')).toContainText(
        'open the link in the email that we sent you',
      );
      await page.goto((await latestMessage(person.email, site.folder)).link ?? '');
      await expect(page).toHaveURL(`${site.url}/account`);
      await expect(signInMethods(page).getByText(person.email)).toBeVisible();
    });

    test('links Google to the existing account of the same address', async ({ page }) => {
      const person = await signUpByMail(page);
      await signOutByRequest(page, site.url);
      await page.goto(`${site.url}/account`);
      await signInWithGoogle(page, addGoogleAccount(person));
      await expect(page).toHaveURL(`${site.url}/account`);
      await expect(signInMethods(page).getByRole('listitem')).toHaveCount(2);
      await expect(signInMethods(page).getByText('Google')).toBeVisible();
      await expect(signInMethods(page).getByText('Email')).toBeVisible();
      await signOutByRequest(page, site.url);
      await page.goto(`${site.url}/login`);
      await submitCredentials(page, person);
      await expect(home(page)).toBeVisible();
    });

    test('links and unlinks Google on the account page', async ({ page }) => {
      await signUpByMail(page);
      const other = newPerson();
      addGoogleAccount(other);
      await page.goto(`${site.url}/account`);
      await signInMethods(page).getByRole('link', { name: 'Connect Google', exact: true }).click();
      await chooseAccount(page, 'Cancel');
      await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
      await page.goto(`${site.url}/account`);
      await signInMethods(page).getByRole('link', { name: 'Connect Google', exact: true }).click();
      await chooseAccount(page, other.email);
      await expect(page).toHaveURL(`${site.url}/account`);
      await expect(signInMethods(page).getByRole('listitem')).toHaveCount(2);
      await expect(signInMethods(page).getByText(other.email)).toBeVisible();
      await expect(
        signInMethods(page).getByRole('link', { name: 'Connect Google', exact: true }),
      ).toHaveCount(0);
      await signInMethods(page).getByRole('link', { name: 'Disconnect Google' }).click();
      const confirmation = page.getByRole(scripts ? 'dialog' : 'region', { name: 'Disconnect Google?' });
      await confirmation.getByRole('button', { name: 'Disconnect' }).click();
      await expect(signInMethods(page).getByText('Sign-in method disconnected.')).toBeVisible();
      await expect(signInMethods(page).getByRole('listitem')).toHaveCount(1);
      await expect(
        signInMethods(page).getByRole('link', { name: 'Connect Google', exact: true }),
      ).toBeVisible();
    });

    test('rejects linking a Google account that is linked to another user', async ({ page, browser }) => {
      const person = newPerson();
      const otherContext = await browser.newContext({ javaScriptEnabled: scripts });
      const otherPage = await otherContext.newPage();
      await otherPage.goto(`${site.url}/login`);
      await signInWithGoogle(otherPage, addGoogleAccount(person));
      await expect(home(otherPage)).toBeVisible();
      await otherContext.close();
      await signUpByMail(page);
      await page.goto(`${site.url}/account`);
      await signInMethods(page).getByRole('link', { name: 'Connect Google', exact: true }).click();
      await chooseAccount(page, person.email);
      await expect(page.getByRole('main').getByRole('alert')).toHaveText(
        'This account of the other service is already connected, to your account or to another one.',
      );
    });
  });
}

test('a site without Google does not show Google on the login and account pages', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await expect(page.getByText('Google')).toHaveCount(0);
  await createAccount(page);
  await page.goto(`${baseUrl()}/account`);
  await expect(signInMethods(page).getByRole('listitem')).toHaveCount(1);
  await expect(page.getByText('Google')).toHaveCount(0);
  // A made-up URL does not redirect to the provider either.
  await page.goto(`${baseUrl()}/account?link=google`);
  await expect(page).toHaveURL(`${baseUrl()}/account?link=google`);
});
