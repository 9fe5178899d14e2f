/** A site with two OAuth providers. Both are real OpenID Connect providers that run in this process. */
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type OpenidProvider,
  startOpenidProvider,
} from '@greenroom/testing/openid-provider';
import { expect, type Page, test } from '@playwright/test';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { forgetCookies, newPerson } from './support/person.ts';

test.describe.configure({ mode: 'default' });

let site: Instance;
let apple: OpenidProvider;
let google: OpenidProvider;

test.beforeAll(async () => {
  site = await startFullInstance(async (url) => {
    const callback = `${url}/auth/v1/callback`;
    [apple, google] = await Promise.all([
      startOpenidProvider(callback, { interactive: true }),
      startOpenidProvider(callback, { interactive: true }),
    ]);
    return {
      API_EXTERNAL_URL: url,
      ...settingsOf('APPLE', apple),
      ...settingsOf('GOOGLE', google),
    };
  });
});
test.afterAll(async () => {
  await endFullInstance(site);
  await Promise.all([apple?.close(), google?.close()]);
});

function settingsOf(name: string, { issuer }: OpenidProvider): Record<string, string> {
  return {
    [`GOTRUE_EXTERNAL_${name}_ENABLED`]: 'true',
    [`GOTRUE_EXTERNAL_${name}_CLIENT_ID`]: CLIENT_ID,
    [`GOTRUE_EXTERNAL_${name}_SECRET`]: CLIENT_SECRET,
    [`GOTRUE_EXTERNAL_${name}_URL`]: issuer,
  };
}

/** Adds an account to a provider and returns its email address, under which the account chooser lists it. */
function addAccount(provider: OpenidProvider): string {
  const { email } = newPerson();
  provider.users.set(email, { email, email_verified: true });
  return email;
}

async function chooseAccount(page: Page, choice: string): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Who are you?' })).toBeVisible();
  await page.getByRole('link', { name: choice, exact: true }).click();
}

const signInMethods = (page: Page) => page.getByRole('region', { name: 'Sign-in methods', exact: true });

for (const [locale, first, second] of [
  ['en-US', 'Continue with Apple', 'Continue with Google'],
  ['de-DE', 'Weiter mit Apple', 'Weiter mit Google'],
] as const) {
  test.describe(`in ${locale}`, () => {
    test.use({ locale });

    test('the sign-in page has a button for each provider', async ({ page }) => {
      await page.goto(`${site.url}/login`);
      const links = page.locator('a[href*="provider="]');
      await expect(links).toHaveText([first, second]);
      await expect(links.locator('svg')).toHaveCount(2);
    });
  });
}

test('signs in by the second provider', async ({ page }) => {
  const email = addAccount(google);
  await page.goto(`${site.url}/account`);
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  expect(new URL(page.url()).origin).toBe(google.issuer);
  await chooseAccount(page, email);
  await expect(page).toHaveURL(`${site.url}/account`);
  await expect(signInMethods(page).getByRole('listitem')).toHaveCount(1);
  await expect(signInMethods(page).getByRole('listitem')).toContainText(['Google']);
});

test('links the other provider on the account page and signs in by it', async ({ page }) => {
  const [googleEmail, appleEmail] = [addAccount(google), addAccount(apple)];
  await page.goto(`${site.url}/account`);
  await page.getByRole('link', { name: 'Continue with Google' }).click();
  await chooseAccount(page, googleEmail);
  await expect(signInMethods(page).getByRole('link', { name: 'Connect Google', exact: true })).toHaveCount(0);
  await signInMethods(page).getByRole('link', { name: 'Connect Apple', exact: true }).click();
  await chooseAccount(page, appleEmail);
  await expect(page).toHaveURL(`${site.url}/account`);
  await expect(signInMethods(page).getByRole('listitem')).toHaveCount(2);
  await expect(signInMethods(page).getByText(appleEmail)).toBeVisible();

  await forgetCookies(page);
  await page.goto(`${site.url}/account`);
  await page.getByRole('link', { name: 'Continue with Apple' }).click();
  await chooseAccount(page, appleEmail);
  await expect(page).toHaveURL(`${site.url}/account`);
  await expect(signInMethods(page).getByText(googleEmail)).toBeVisible();

  await signInMethods(page).getByRole('link', { name: 'Disconnect Apple' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Disconnect Apple?' });
  await confirmation.getByRole('button', { name: 'Disconnect' }).click();
  await expect(signInMethods(page).getByRole('listitem')).toHaveCount(1);
  await expect(signInMethods(page).getByRole('link', { name: 'Connect Apple', exact: true })).toBeVisible();
});

test('ignores a provider that is not offered', async ({ page }) => {
  for (const name of ['github', 'unknown', '']) {
    await page.goto(`${site.url}/login?provider=${name}`);
    await expect(page).toHaveURL(`${site.url}/login?provider=${name}`);
    await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
  }
});
