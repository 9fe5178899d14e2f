/**
 * Tokens of OAuth applications, and of admins who have not completed their second factor, open no page and no message. The tests
 * need no browser.
 */
import { expect, test } from '@playwright/test';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { newPerson } from './support/person.ts';
import { isRefused, requestPathsOf, SESSION_COOKIE, SessionApi } from './support/sessions.ts';

test.describe.configure({ mode: 'default' });

let site: Instance;
let api: SessionApi;
/** Email address of a user who has a message in the mailbox. */
let mailboxRecipient: string;

test.beforeAll(async () => {
  // Excludes /admin from the guard of all pages, so that these tests exercise only the guard of the admin area.
  site = await startFullInstance({
    GOTRUE_OAUTH_SERVER_ENABLED: 'true',
    GREENROOM_GUARD_EXCLUDE: '/admin*',
    GREENROOM_COOKIE_PREFIX: SESSION_COOKIE,
  });
  api = await SessionApi.of(site);
  const reader = newPerson();
  await api.call('POST', '/signup', undefined, reader);
  await api.call('POST', '/recover', undefined, { email: reader.email });
  mailboxRecipient = reader.email;
});
test.afterAll(() => endFullInstance(site));

const MAIL = 'message=00000000-0000-4000-8000-000000000000';
/** Pages with the ids of their routes. */
const MAILBOX_PAGES = [
  ['/admin/mailbox', 'routes/admin-mailbox'],
  [`/admin/mailbox?${MAIL}`, 'routes/admin-mailbox'],
  [`/admin/mailbox/mail?${MAIL}`, 'routes/admin-mailbox-mail'],
  ['/admin/mailbox?view=templates', 'routes/admin-mailbox'],
  ['/admin/mailbox?view=deliveries', 'routes/admin-mailbox'],
  ['/admin/mailbox/preview?kind=invite&language=en', 'routes/admin-mailbox-preview'],
  ['/admin/settings', 'routes/admin-settings'],
] as const;
const OWN_PAGES = [
  ['/', ''],
  ['/account', ''],
  ['/account/export', ''],
] as const;

test('rejects the token of an OAuth application on every page', async () => {
  const person = await api.newAdmin();
  const application = await api.applicationSession(person);
  for (const page of [...OWN_PAGES, ...MAILBOX_PAGES].flatMap(([path, id]) => requestPathsOf(path, id))) {
    const response = await api.requestPage(application, page);
    expect(isRefused(response), `${page}: ${response.status} ${response.location}`).toBe(true);
    expect(response.text, page).not.toContain(person.user.id);
    expect(response.text, page).not.toContain(mailboxRecipient);
  }
  for (const page of ['/', '/account', '/admin/mailbox']) {
    const response = await api.requestPage(application, page, { intent: 'clear' });
    expect(isRefused(response), `${page}: ${response.status} ${response.location}`).toBe(true);
  }
  const allowed = await api.requestPage(person, '/admin/mailbox/_payload.json');
  expect([allowed.status, allowed.text.includes(mailboxRecipient)]).toEqual([200, true]);
});

test('rejects the mailbox and its data at aal1 if the admin has a verified factor', async () => {
  const { aal1, aal2 } = await api.newAdminWithFactor();
  for (const page of MAILBOX_PAGES.flatMap(([path, id]) => requestPathsOf(path, id))) {
    const response = await api.requestPage(aal1, page);
    expect(isRefused(response), `${page}: ${response.status} ${response.location}`).toBe(true);
    expect(response.text, page).not.toContain(mailboxRecipient);
  }
  expect(isRefused(await api.requestPage(aal1, '/admin/mailbox', { intent: 'clear' }))).toBe(true);
  const allowed = await api.requestPage(aal2, '/admin/mailbox/_payload.json');
  expect([allowed.status, allowed.text.includes(mailboxRecipient)]).toEqual([200, true]);
});
