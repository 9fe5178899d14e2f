/** The password rules: a checklist that updates while the user types, on the sign-up form and the account page. */
import { expect, type Locator, type Page, test } from '@playwright/test';
import { expectNoViolationsInBothModes } from './support/axe.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import { holdScripts } from './support/hold-scripts.ts';
import type { Instance } from './support/instance.ts';
import { type LeakList, startLeakList } from './support/leak-list.ts';
import { createAccount, newPerson, type Person } from './support/person.ts';

/** Character sets that hosted projects require, separated by colons; the setting escapes a literal colon as `\:`. */
const REQUIRED_CHARACTERS = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  '0123456789',
  `!@#$%^&*()_+-=[]{};'\\:"|<>?,./\`~`,
].join(':');
const LEAKED = 'Leaked-Horse-1';
const STRONG = 'Correct-Horse-1';

const SHORT = 'At least 10 characters.';
const LOWER = 'A lowercase letter (a–z).';
const UPPER = 'An uppercase letter (A–Z).';
const DIGIT = 'A digit (0–9).';
const SYMBOL = /^One of these characters: ! @ # .* ~/;
const NOT_LEAKED = 'Different from the rejected password, which appeared in a data leak.';
const TOO_WEAK = 'This password is too weak.';
const SIZES = [320, 390, 1280];

let leakList: LeakList;
let site: Instance;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async () => {
  leakList = await startLeakList(LEAKED);
  site = await startFullInstance({
    ...leakList.settings,
    GOTRUE_PASSWORD_MIN_LENGTH: '10',
    GOTRUE_PASSWORD_REQUIRED_CHARACTERS: REQUIRED_CHARACTERS,
  });
});
test.afterAll(async () => {
  await endFullInstance(site);
  await leakList?.close();
});

const newStrongPerson = (): Person => ({ ...newPerson(), password: STRONG });
const rule = (scope: Locator, text: string | RegExp) => scope.getByRole('listitem').filter({ hasText: text });
const visibleIcon = (item: Locator) => item.locator('svg').filter({ visible: true });

/**
 * Expects exactly these rules in this order, each with its state as text and icon. Without `isMet`, a rule shows no
 * state.
 */
async function expectRules(scope: Locator, ...rules: [text: string | RegExp, isMet?: boolean][]) {
  await expect(scope.getByRole('listitem')).toHaveCount(rules.length);
  for (const [index, [text, isMet]] of rules.entries()) {
    const item = scope.getByRole('listitem').nth(index);
    await expect(item).toContainText(text);
    const icon = isMet === undefined ? 'dot' : isMet ? 'circle-check' : 'circle';
    // Until the style sheet is loaded, the icons of all states are visible.
    await expect(visibleIcon(item)).toHaveCount(1);
    await expect(visibleIcon(item).locator('use')).toHaveAttribute('href', `#i-lucide-${icon}`);
    const statePattern = isMet === undefined ? /(?<!et\.)$/ : isMet ? /[^t] Met\.$/ : / Not met\.$/;
    await expect(item).toHaveText(statePattern);
  }
}

/** A form with a new-password field. */
interface Form {
  name: string;
  open(page: Page, language?: string): Promise<Locator>;
  field: Record<'en' | 'de', string>;
  send: Record<'en' | 'de', string>;
  done(page: Page): Promise<void>;
}

const FORMS: Form[] = [
  {
    name: 'the sign-up form',
    async open(page, language = 'en') {
      await page.goto(`${site.url}/login?mode=sign-up&lang=${language}`);
      await page.locator('input[type=email]').fill(newPerson().email);
      return page.locator('form', { has: page.locator('[name=password]') });
    },
    field: { en: 'Password', de: 'Passwort' },
    send: { en: 'Create account', de: 'Konto erstellen' },
    done: (page) => expect(page.getByRole('heading', { name: 'Home' })).toBeVisible(),
  },
  {
    name: 'the account page',
    async open(page, language = 'en') {
      await createAccount(page, site.url, newStrongPerson());
      await page.goto(`${site.url}/account?lang=${language}`);
      return page.locator('form', { has: page.locator('[name=password][autocomplete=new-password]') });
    },
    field: { en: 'New password', de: 'Neues Passwort' },
    send: { en: 'Change password', de: 'Passwort ändern' },
    done: (page) => expect(page.getByText('Password changed.')).toBeVisible(),
  },
];

for (const { name, open, field: fields, send: buttons, done } of FORMS) {
  test(`${name} updates the rules while typing and shows the rules of the site after a rejection`, async ({
    page,
  }) => {
    const form = await open(page);
    const field = form.getByLabel(fields.en, { exact: true });
    const send = form.getByRole('button', { name: buttons.en });
    const status = form.getByRole('status').filter({ hasText: 'Requirements met' });
    await expectRules(form, ['At least 6 characters.']);
    await expect(field).toHaveAccessibleDescription('At least 6 characters.');
    await field.pressSequentially('horse');
    await expectRules(form, ['At least 6 characters.', false]);
    await expect(status).toHaveText('Requirements met: 0 of 1.');
    await field.press('s');
    await expectRules(form, ['At least 6 characters.', true]);
    await expect(status).toHaveText('Requirements met: 1 of 1.');
    await field.press('Backspace');
    await expectRules(form, ['At least 6 characters.', false]);
    await send.click();
    await expect(field).toHaveAccessibleDescription(
      'This password is too short. At least 6 characters. Not met.',
    );

    await field.fill('horses');
    await send.click();
    await expect(form.getByText(TOO_WEAK)).toBeVisible();
    await expect(field).toBeFocused();
    await expectRules(form, [SHORT, false], [LOWER, true], [UPPER, false], [DIGIT, false], [SYMBOL, false]);
    await expect(field).toHaveAccessibleDescription(
      new RegExp(`^${TOO_WEAK} ${SHORT} Not met\\. A lowercase letter \\(a–z\\)\\. Met\\. An uppercase`),
    );
    await expect(field).toHaveValue('horses');
    await field.pressSequentially('H1');
    await expectRules(form, [SHORT, false], [LOWER, true], [UPPER, true], [DIGIT, true], [SYMBOL, false]);
    await expect(status).toHaveText('Requirements met: 3 of 5.');
    await field.pressSequentially('~~');
    await expectRules(form, [SHORT, true], [LOWER, true], [UPPER, true], [DIGIT, true], [SYMBOL, true]);

    const responses: Promise<string>[] = [];
    page.on('response', (response) => responses.push(response.text().catch(() => '')));
    await field.fill(LEAKED);
    await send.click();
    await expect(rule(form, NOT_LEAKED)).toBeVisible();
    const all: [string | RegExp, boolean][] = [SHORT, LOWER, UPPER, DIGIT, SYMBOL].map((text) => [
      text,
      true,
    ]);
    await expectRules(form, ...all, [NOT_LEAKED, false]);
    // The form remembers the rejected password while the user types.
    await field.press('!');
    await expectRules(form, ...all, [NOT_LEAKED, true]);
    await field.press('Backspace');
    await expectRules(form, ...all, [NOT_LEAKED, false]);
    await field.fill('');
    await expectRules(form, [SHORT], [LOWER], [UPPER], [DIGIT], [SYMBOL], [NOT_LEAKED]);
    await expect(status).toHaveCount(0);
    await field.fill(`${STRONG}2`);
    await expectRules(form, ...all, [NOT_LEAKED, true]);
    await send.click();
    await done(page);
    expect((await Promise.all(responses)).join('')).not.toContain(LEAKED);
    const stored = await page.evaluate(() =>
      JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, history.state]),
    );
    expect(stored).not.toContain(LEAKED);
  });

  test(`${name} evaluates a password that was typed before hydration`, async ({ page }) => {
    const form = await open(page);
    const release = await holdScripts(page);
    await page.reload({ waitUntil: 'commit' });
    await expectRules(form, ['At least 6 characters.']);
    await form.getByLabel(fields.en, { exact: true }).fill('horses');
    await expectRules(form, ['At least 6 characters.']);
    release();
    await expectRules(form, ['At least 6 characters.', true]);
  });

  test(`${name} shows the rules in German`, async ({ page }) => {
    const form = await open(page, 'de');
    const field = form.getByLabel(fields.de, { exact: true });
    await expect(field).toHaveAccessibleDescription('Mindestens 6 Zeichen.');
    await field.fill('horses');
    await expect(form.getByText('Erfüllte Anforderungen: 1 von 1.')).toBeAttached();
    await form.getByRole('button', { name: buttons.de }).click();
    await expect(field).toHaveAccessibleDescription(
      /^Dieses Passwort ist zu schwach\. Mindestens 10 Zeichen\. Nicht erfüllt\. Ein Kleinbuchstabe \(a–z\)\. Erfüllt\. Ein Großbuchstabe .* Eine Ziffer .* Eines dieser Zeichen: ! @/,
    );
  });

  test(`axe finds no violations on ${name} at all widths`, async ({ browser }) => {
    test.slow();
    const context = await browser.newContext({ reducedMotion: 'reduce' });
    const page = await context.newPage();
    const form = await open(page);
    await expectNoViolationsInBothModes(page, 'at first', SIZES);
    await form.getByLabel(fields.en, { exact: true }).fill('horses');
    await form.getByRole('button', { name: buttons.en }).click();
    await expect(form.getByText(TOO_WEAK)).toBeVisible();
    await expectNoViolationsInBothModes(page, 'refused', SIZES);
    const longest = await page.evaluate(() =>
      Math.max(
        0,
        ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration)),
      ),
    );
    expect(longest).toBeLessThan(1);
    await context.close();
  });

  test.describe('with JavaScript off', () => {
    test.use({ javaScriptEnabled: false });

    test(`${name} lists the rules without their state`, async ({ page }) => {
      const form = await open(page);
      const field = form.getByLabel(fields.en, { exact: true });
      await expectRules(form, ['At least 6 characters.']);
      await field.fill('horses');
      await expectRules(form, ['At least 6 characters.']);
      const [response] = await Promise.all([
        page.waitForResponse((response) => response.request().method() === 'POST'),
        form.getByRole('button', { name: buttons.en }).click(),
      ]);
      expect(response.status()).toBe(422);
      expect(await response.text()).not.toContain('horses');
      await expectRules(form, [SHORT], [LOWER], [UPPER], [DIGIT], [SYMBOL]);
      await expect(field).toHaveValue('');
      await expect(field).toHaveAccessibleDescription(new RegExp(`^${TOO_WEAK} ${SHORT} A lowercase`));
      await field.fill(LEAKED);
      await form.getByRole('button', { name: buttons.en }).click();
      await expectRules(form, ['At least 6 characters.'], [NOT_LEAKED]);
      await field.fill(`${STRONG}2`);
      await form.getByRole('button', { name: buttons.en }).click();
      await done(page);
    });
  });
}

test('shows no state for the leak rule if the password was rejected before hydration', async ({ page }) => {
  let isBlocked = true;
  const pendingRequests: (() => void)[] = [];
  await page.route('**/assets/*.js', async (route) => {
    if (isBlocked) await new Promise<void>((resolve) => pendingRequests.push(resolve));
    await route.continue();
  });
  const [signUpForm] = FORMS as [Form];
  await page.goto(`${site.url}/login?mode=sign-up`, { waitUntil: 'commit' });
  const form = page.locator('form', { has: page.locator('[name=password]') });
  await form.getByLabel('Email address').fill(newPerson().email);
  await form.getByLabel('Password', { exact: true }).fill(LEAKED);
  await form.getByRole('button', { name: signUpForm.send.en }).click();
  await expect(rule(form, NOT_LEAKED)).toBeVisible();
  isBlocked = false;
  for (const release of pendingRequests) release();
  await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible();
  await form.getByLabel('Password', { exact: true }).fill('horses');
  await expectRules(form, ['At least 6 characters.', true], [NOT_LEAKED]);
});

test('shows the rules only in the sign-up mode of the form', async ({ page }) => {
  await page.goto(`${site.url}/login`);
  const form = page.locator('form', { has: page.locator('[name=password]') });
  await expect(form.getByRole('listitem')).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Show password' })).toBeVisible();
  await page.getByRole('link', { name: 'Create account' }).click();
  await expectRules(form, ['At least 6 characters.']);
  await form.getByLabel('Password', { exact: true }).fill('horses');
  await expectRules(form, ['At least 6 characters.', true]);
  await page.getByRole('link', { name: 'Sign in', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Welcome back' })).toBeVisible();
  await expect(form.getByRole('listitem')).toHaveCount(0);
  await expect(form.getByLabel('Password', { exact: true })).toHaveAccessibleDescription('');
});

test('shows the rules of the site when an anonymous user adds a password', async ({ page }) => {
  await page.goto(`${site.url}/login`);
  await page.getByRole('button', { name: 'Continue as guest' }).click();
  await expect(page.getByRole('heading', { name: 'Home' })).toBeVisible();
  await page.goto(`${site.url}/account`);
  const form = page.locator('form', { has: page.locator('[name=password][autocomplete=new-password]') });
  await form.getByLabel('Email address').fill(newPerson().email);
  await form.getByLabel('New password').fill('horses');
  await form.getByRole('button', { name: 'Keep' }).click();
  await expectRules(form, [SHORT, false], [LOWER, true], [UPPER, false], [DIGIT, false], [SYMBOL, false]);
});
