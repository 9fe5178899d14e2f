/** Users of the browser tests: each test has its own. */
import { expect, type Page } from '@playwright/test';
import { newAdminUrl } from './admin-link.ts';
import { baseUrl } from './shared-instance.ts';

/** Credentials of a user. */
export interface Person {
  email: string;
  password: string;
}

let number = 0;

/** Returns credentials that no account has yet. */
export function newPerson(): Person {
  number += 1;
  return { email: `person-${process.pid}-${number}-${Date.now()}@example.org`, password: 'correct horse' };
}

/** Waits until the sign-in page shows the form with this button, fills it and submits it. */
export async function submitCredentials(page: Page, person: Person, button = 'Sign in'): Promise<void> {
  await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible();
  await page.getByLabel('Email address').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: button, exact: true }).click();
}

/** Signs up a new user with the form and waits for the home page. */
export async function signUpByForm(page: Page, site = baseUrl()): Promise<Person> {
  const person = newPerson();
  await page.goto(`${site}/login?mode=sign-up`);
  await submitCredentials(page, person, 'Create account');
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  return person;
}

/** Signs up a new user like a page without scripts does. This is fast, because no page is shown. */
export async function createAccount(page: Page, site = baseUrl(), person = newPerson()): Promise<Person> {
  const response = await page.request.post(`${site}/login?mode=sign-up`, {
    form: { email: person.email, password: person.password },
    headers: { origin: new URL(site).origin },
    maxRedirects: 0,
  });
  expect(response.status()).toBe(302);
  return person;
}

/** Signs up a new user, and opens the home page. */
export async function signUp(page: Page, site = baseUrl(), person = newPerson()): Promise<Person> {
  await createAccount(page, site, person);
  await page.goto(site);
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  return person;
}

/**
 * Signs out like a page without scripts does. It leaves the page first, because an open page would notice and redirect
 * to the sign-in page.
 */
export async function signOutByRequest(page: Page, site = baseUrl()): Promise<void> {
  await page.goto('about:blank');
  await page.request.post(`${site}/sign-out`, {
    form: { scope: 'local' },
    headers: { origin: site },
    maxRedirects: 0,
  });
}

/** Deletes all cookies. It leaves the page first, because an open page could set some of them again. */
export async function forgetCookies(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Chooses an item of the account menu. */
export async function chooseFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('button', { name: item, exact: true }).click();
}

/** Makes the signed-in user an administrator, by a one-time link. */
export async function claimAdmin(page: Page): Promise<void> {
  await page.goto(await newAdminUrl());
  await page.getByRole('button', { name: 'Become an administrator' }).click();
  await expect(page.getByRole('heading', { name: 'Overview' })).toBeVisible();
}
