/** Texts outside of components: pages use the visitor's language, and JSON responses are in English. */
import { expect, test } from '@playwright/test';
import { baseUrl } from './support/shared-instance.ts';

test.use({ locale: 'de-AT' });

test('renders the not-found page in German', async ({ page }) => {
  await page.goto(`${baseUrl()}/nirgends?x=1`);
  await expect(page).toHaveTitle('404 - Seite nicht gefunden | Greenroom');
  await expect(page.getByRole('heading', { name: 'Seite nicht gefunden' })).toBeVisible();
  await expect(page.getByText('Seite nicht gefunden: /nirgends?x=1')).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page).toHaveTitle('404 - Seite nicht gefunden | Greenroom');
});

test('responds to JSON clients in English despite their accept-language', async () => {
  const headers = { accept: 'application/json', 'accept-language': 'de' };
  const response = await fetch(`${baseUrl()}/nirgends`, { headers });
  expect(await response.json()).toMatchObject({
    statusText: 'Page Not Found',
    message: 'Page not found: /nirgends',
  });
});

test('renders a rejected method in German', async () => {
  const headers = { accept: 'text/html', 'accept-language': 'de' };
  const response = await fetch(`${baseUrl()}/login`, { method: 'DELETE', headers });
  expect(response.status).toBe(405);
  const page = await response.text();
  expect(page).toContain('Seiten unterstützen die Methode DELETE nicht.');
  expect(page).toContain('<title>405 - Interner Serverfehler | Greenroom</title>');
});

test('reports a wrong password in German', async ({ page }) => {
  await page.goto(`${baseUrl()}/login`);
  await page.getByLabel('E-Mail-Adresse').fill('niemand@example.org');
  await page.getByLabel('Passwort', { exact: true }).fill('falsches Passwort');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText('E-Mail-Adresse, Telefonnummer oder Passwort ist falsch.');
});
