/** Built-in pages that a product replaces, in a browser: `e2e/products/shop`. */
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import {
  type Instance,
  newDataFolder,
  removeDataFolder,
  startInstance,
  stopLeftovers,
} from './support/instance.ts';
import { createAccount, forgetCookies } from './support/person.ts';

const PRODUCT = join(import.meta.dirname, 'products/shop');

let instance: Instance;

test.beforeAll(async () => {
  // Not a copy of the prepared folder, which has run the demo.
  instance = await startInstance(await newDataFolder(), {}, 'start', ['--project', PRODUCT]);
});
test.afterAll(async () => {
  await instance?.stop();
  await stopLeftovers();
  if (instance) await removeDataFolder(instance.folder);
});

/** The status of a page, which Chromium logs as an error. */
const STATUS = /^Failed to load resource: the server responded with a status of 40[04] /;

/** Collects errors of a page: those of React, of scripts, of missing files and of the policy. */
function collectErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (message) => {
    const isOfPage = STATUS.test(message.text()) && !message.location().url.includes('/assets/');
    if (message.type() === 'error' && !isOfPage) errors.push(message.text());
  });
  return errors;
}

/** Follows a link; fails if the browser loads a document for it. */
async function navigate(page: Page, name: string, heading: string): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
  await page.getByRole('link', { name, exact: true }).first().click();
  await expect(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible();
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
}

test('replaced pages sign in, hydrate and navigate without errors', async ({ page }) => {
  const person = await createAccount(page, instance.url);
  await forgetCookies(page);
  const errors = collectErrors(page);

  await page.goto(`${instance.url}/account`);
  await expect(page.getByText('Der Laden öffnet um 9:00.')).toBeVisible();
  await page.getByLabel('E-Mail-Adresse').fill(person.email);
  await page.getByLabel('Passwort', { exact: true }).fill('wrong password');
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
  await expect(page.getByRole('alert')).toBeVisible();
  await page.getByLabel('Passwort', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Anmelden', exact: true }).click();

  const card = page.getByRole('region', { name: 'Kundenkarte' });
  await card.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await card.getByRole('button', { name: 'Speichern' }).click();
  await expect(card.getByRole('status')).toBeVisible();
  await navigate(page, 'Artikel', 'Artikel');
  await page.reload();
  await navigate(page, 'Startseite', 'Willkommen im Laden');

  const response = await page.goto(`${instance.url}/nowhere`);
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Das Regal ist leer' })).toBeVisible();
  await navigate(page, 'Zum Eingang', 'Willkommen im Laden');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Das Regal ist leer' })).toBeVisible();
  expect(errors).toEqual([]);
});
