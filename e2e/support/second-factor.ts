/** An authenticator app for tests. */
import { expect, type Page } from '@playwright/test';
import { Secret, TOTP } from 'otpauth';
import { baseUrl } from './shared-instance.ts';

/** Returns the code of the app, `steps` of 30 s from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** Sets up an app on the account page; returns its secret. */
export async function setUpApp(page: Page, site = baseUrl()): Promise<string> {
  await page.goto(`${site}/account`);
  const factors = page.getByRole('region', { name: 'Authenticator app', exact: true });
  await factors.getByRole('button', { name: 'Add authenticator app' }).click();
  await expect(factors.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  await waitForNewStep(page);
  const secret = (await factors.locator('code').textContent()) ?? '';
  await factors.getByLabel('Code from the app').fill(codeOf(secret, -1));
  await factors.getByRole('button', { name: 'Confirm' }).click();
  await expect(factors.getByRole('status')).toContainText('Authenticator app added');
  return secret;
}

/** Waits if necessary, so that a code of the previous step does not expire while it is typed. */
async function waitForNewStep(page: Page): Promise<void> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 8_000) await page.waitForTimeout(left);
}
