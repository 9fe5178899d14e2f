/** The users of the admin area: found, changed, impersonated, exported and deleted. */
import { readFile } from 'node:fs/promises';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { latestMessage } from './support/mailbox.ts';
import { claimAdmin, createAccount, newPerson, type Person, submitCredentials } from './support/person.ts';
import { baseUrl, readStatus } from './support/shared-instance.ts';

const USERS = '/admin/users';
const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const table = (page: Page) => page.getByRole('table', { name: 'Users' });
const rows = (page: Page) => table(page).locator('tbody tr');

let number = 0;
/** Returns a word that no other user has. */
function newTag(): string {
  number += 1;
  return `tag${process.pid}x${number}x${Date.now()}`;
}

/** Calls the auth service with the service key. */
async function asService<T>(method: string, path: string, body?: object): Promise<T> {
  const { SERVICE_ROLE_KEY: key = '' } = await readStatus();
  const response = await fetch(`${baseUrl()}/auth/v1${path}`, {
    method,
    headers: { apikey: key, authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, text).toBeLessThan(400);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

interface Created {
  id: string;
  email: string;
}

/** Creates a user with a tag in the metadata. */
async function createUser(tag = newTag(), more: object = {}): Promise<Created & Person> {
  const person = newPerson();
  const body = {
    ...person,
    email_confirm: true,
    user_metadata: { tag, full_name: `Person ${tag}` },
    ...more,
  };
  const { id } = await asService<Created>('POST', '/admin/users', body);
  return { ...person, id };
}

const readUser = (id: string) => asService<Record<string, unknown>>('GET', `/admin/users/${id}`);

/** Returns the actions in the audit log about a user, oldest first. */
function actionsAbout(id: string): Promise<string[]> {
  return withDatabase(undefined, async (database) => {
    const found = await database.query<{ action: string; outcome: string }>({
      text: `select action, outcome from greenroom.audit_log where target = $1 order by id`,
      values: [`user:${id}`],
    });
    expect(found.every(({ outcome }) => outcome !== 'started')).toBe(true);
    return found.map(({ action }) => action);
  });
}

/** Signs up an administrator. */
async function becomeAdmin(page: Page): Promise<Person> {
  const admin = await createAccount(page);
  await claimAdmin(page);
  return admin;
}

async function openUser(page: Page, user: Created): Promise<void> {
  await page.goto(`${baseUrl()}${USERS}?user=${user.id}`);
  await expect(page.getByRole('heading', { level: 1, name: user.email })).toBeVisible();
}

async function inOtherBrowser(
  browser: Browser,
  use: (page: Page) => Promise<void>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const context = await browser.newContext(options);
  await use(await context.newPage());
  await context.close();
}

/** Sends a mail with a link to a user, and returns the kind of mail and its link. */
async function sendLink(page: Page, user: Created, kind: string): Promise<{ kind: string; link: string }> {
  await openUser(page, user);
  await page.getByLabel('Kind of link').selectOption(kind);
  await page.getByRole('button', { name: 'Send by email' }).click();
  await expect(page.getByText('The email was sent.')).toBeVisible();
  return linkTo(user.email);
}

/** Creates a user and mails a link to them, as a new administrator. */
async function sendLinkToNewUser(page: Page, kind: string): Promise<{ user: Created; link: string }> {
  await becomeAdmin(page);
  const user = await createUser();
  const { link } = await sendLink(page, user, kind);
  return { user, link };
}

async function linkTo(email: string): Promise<{ kind: string; link: string }> {
  const { kind, link } = await latestMessage(email);
  return { kind, link: link ?? '' };
}

test('finds users by address, id, metadata and filters, in each order and page by page', async ({ page }) => {
  await becomeAdmin(page);
  const tag = newTag();
  await withDatabase(undefined, (database) =>
    database.query({
      text: `insert into auth.users (instance_id, id, aud, role, email, created_at, updated_at, raw_app_meta_data,
          raw_user_meta_data, email_confirmed_at)
        select '00000000-0000-0000-0000-000000000000', gen_random_uuid(), 'authenticated', 'authenticated',
          $1 || '-' || lpad(i::text, 3, '0') || '@example.org', now(), now(),
          jsonb_build_object('providers', jsonb_build_array(case when i <= 3 then 'google' else 'email' end)),
          jsonb_build_object('tag', $1::text), case when i > 2 then now() end
        from generate_series(1, 120) i`,
      values: [tag],
    }),
  );
  await page.goto(`${baseUrl()}${USERS}`);
  await expect(rows(page).first()).toBeVisible();
  await page.getByLabel('Search').fill(tag.toUpperCase());
  await page.getByLabel('Order').selectOption('Email, A to Z');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  const address = (index: number) => `${tag}-${String(index).padStart(3, '0')}@example.org`;
  await expect(rows(page)).toHaveCount(50);
  await expect(rows(page).first()).toContainText(address(1));
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(rows(page).first()).toContainText(address(51));
  await page.getByRole('link', { name: 'Next' }).click();
  await expect(rows(page)).toHaveCount(20);
  await expect(rows(page).last()).toContainText(address(120));
  await page.getByRole('link', { name: 'Previous' }).click();
  await expect(rows(page).first()).toContainText(address(51));
  await page.getByRole('link', { name: 'First page' }).click();
  await expect(rows(page).first()).toContainText(address(1));

  await page.getByLabel('Order').selectOption('Email, Z to A');
  await page.getByLabel('Status').selectOption('Unconfirmed');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(rows(page)).toHaveCount(2);
  await expect(rows(page).first()).toContainText(address(2));
  await page.getByLabel('Status').selectOption('Any');
  await page.getByLabel('Provider').fill('google');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByLabel('Second factor').selectOption('With a factor');
  await page.getByRole('button', { name: 'Search', exact: true }).click();
  await expect(heading(page, 'No users found')).toBeVisible();
  await page.getByRole('link', { name: 'Reset' }).first().click();
  await expect(page).toHaveURL(baseUrl() + USERS);

  const user = await createUser(tag, { app_metadata: { role: `role-${tag}` } });
  for (const query of [user.id, user.email]) {
    await page.getByLabel('Search').fill(query);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(user.email);
  }
  await page.goto(`${baseUrl()}${USERS}?role=role-${tag}&since=2026-01-01`);
  await expect(heading(page, 'No users found')).toBeVisible();
  await page.goto(`${baseUrl()}${USERS}?role=role-${tag}&sort=oldest`);
  await expect(rows(page)).toHaveCount(1);
  await rows(page).getByRole('link', { name: user.email }).click();
  await expect(page.getByRole('heading', { level: 1, name: user.email })).toBeVisible();
  await page.getByRole('link', { name: 'All users' }).click();
  await expect(page).toHaveURL(`${baseUrl()}${USERS}?role=role-${tag}&sort=oldest`);
});

test('signs the recipient of each kind of mail in, in a browser that has never opened the site', async ({
  page,
  browser,
}) => {
  await becomeAdmin(page);
  const invited = newPerson();
  await page.goto(`${baseUrl()}${USERS}`);
  await page.getByRole('link', { name: 'Invite user' }).click();
  const invitation = page.getByRole('dialog', { name: 'Invite a user' });
  await invitation.getByLabel('Email address').fill(invited.email);
  await invitation.getByRole('button', { name: 'Send invitation' }).click();
  await expect(page.getByText('The invitation was sent.')).toBeVisible();
  const unconfirmed = () => createUser(newTag(), { email_confirm: false });
  const [again, unproven, forgetful, confirmed] = [
    await unconfirmed(),
    await unconfirmed(),
    await createUser(),
    await createUser(),
  ];
  const newPassword = '/account?recovered=1';
  for (const [{ email }, sent, kind, path] of [
    [invited, await linkTo(invited.email), 'invite', newPassword],
    [again, await sendLink(page, again, 'Invitation'), 'invite', newPassword],
    [unproven, await sendLink(page, unproven, 'Sign in'), 'magiclink', '/'],
    [forgetful, await sendLink(page, forgetful, 'Reset password'), 'recovery', newPassword],
    [confirmed, await sendLink(page, confirmed, 'Sign in'), 'magiclink', '/'],
  ] as const) {
    expect(sent.kind).toBe(kind);
    await inOtherBrowser(browser, async (other) => {
      await other.goto(sent.link);
      await expect(other).toHaveURL(baseUrl() + path);
      // The entry with the fragment was replaced.
      await other.goBack();
      expect(other.url()).toBe('about:blank');
      await other.goto(`${baseUrl()}/account`);
      await expect(card(other, 'Email address')).toContainText(email);
    });
    await inOtherBrowser(browser, async (other) => {
      await other.goto(sent.link);
      await expect(other.getByRole('alert')).toContainText('This link has expired or was already used.');
    });
  }
  for (const { id } of [again, unproven]) expect((await readUser(id)).email_confirmed_at).toBeTruthy();
});

test('leads the recipient of a mail to a new password in a browser that is signed in as another user', async ({
  page,
  browser,
}) => {
  const { user, link } = await sendLinkToNewUser(page, 'Reset password');
  await inOtherBrowser(browser, async (other) => {
    await createAccount(other);
    // A client that requested its user would then write the session that it has read before into the cookies again.
    const requested: string[] = [];
    other.on('request', (request) => requested.push(new URL(request.url()).pathname));
    await other.goto(link);
    await expect(other.getByText('You’re signed in. Choose a new password.')).toBeVisible();
    await expect(card(other, 'Email address')).toContainText(user.email);
    expect(requested).not.toContain('/auth/v1/user');
  });
});

for (const isSignedIn of [false, true]) {
  test(`a mailed link works after its first request was lost, for a visitor who is signed ${isSignedIn ? 'in' : 'out'}`, async ({
    page,
    browser,
  }) => {
    const { user, link } = await sendLinkToNewUser(page, 'Sign in');
    await inOtherBrowser(browser, async (other) => {
      if (isSignedIn) await createAccount(other);
      let isLost = false;
      await other.route(/\/confirm/, async (route) => {
        if (route.request().method() !== 'POST' || isLost) return route.continue();
        // The code that keeps the page is loaded when the browser is idle.
        if (isSignedIn) await new Promise((resolve) => setTimeout(resolve, 2000));
        isLost = true;
        await route.abort();
      });
      await other.goto(link);
      await expect.poll(() => isLost).toBe(true);
      if (isSignedIn) await other.getByRole('button', { name: 'Try again' }).click();
      else await other.reload();
      await expect(heading(other, 'Home')).toBeVisible();
      await expect(other.getByRole('button', { name: /^Account of/ })).toBeVisible();
      await other.goto(`${baseUrl()}/account`);
      await expect(card(other, 'Email address')).toContainText(user.email);
    });
  });
}

test('explains without JavaScript that a mailed link needs it, and signs in when it is on', async ({
  page,
  browser,
}) => {
  const { link } = await sendLinkToNewUser(page, 'Sign in');
  let address = '';
  await inOtherBrowser(
    browser,
    async (other) => {
      await other.goto(link);
      await expect(other.getByText('This link needs JavaScript.')).toBeVisible();
      address = other.url();
    },
    { javaScriptEnabled: false },
  );
  await inOtherBrowser(browser, async (other) => {
    await other.goto(address);
    await expect(heading(other, 'Home')).toBeVisible();
  });
});

test('keeps the session of a visitor who opens a link with a forged session', async ({ page }) => {
  const visitor = await createAccount(page);
  await page.goto(
    `${baseUrl()}/confirm?session=fragment#access_token=forged&refresh_token=forged&type=invite`,
  );
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.');
  await expectNoViolations(page);
  await page.goto(`${baseUrl()}/account`);
  await expect(card(page, 'Email address')).toContainText(visitor.email);
});

for (const scripts of [true, false]) {
  test.describe(`with JavaScript ${scripts ? 'on' : 'off'}`, () => {
    test.use({ javaScriptEnabled: scripts });

    test('creates and invites users', async ({ page }) => {
      await becomeAdmin(page);
      await page.goto(`${baseUrl()}${USERS}`);
      await page.getByRole('link', { name: 'Create user' }).click();
      const form = page.getByRole(scripts ? 'dialog' : 'region', { name: 'Create a user' });
      const person = newPerson();
      await form.getByLabel('Email address').fill(person.email);
      await form.getByLabel('Password').fill(person.password);
      await form.getByLabel('Metadata').fill('{broken');
      await form.getByRole('button', { name: 'Create user' }).click();
      await expect(form.getByRole('alert')).toContainText('The metadata is not valid JSON.');
      if (scripts) await expectNoViolations(page);
      await form.getByLabel('Password').fill(person.password);
      await form.getByLabel('Metadata').fill('{"team": "red"}');
      await form.getByRole('button', { name: 'Create user' }).click();
      await expect(page.getByText('The user was created.')).toBeVisible();
      await expect(heading(page, person.email)).toBeVisible();
      const id = new URL(page.url()).searchParams.get('user') ?? '';
      expect(await readUser(id)).toMatchObject({ user_metadata: { team: 'red' }, email: person.email });
      await page.getByRole('link', { name: 'All users' }).click();

      await page.getByRole('link', { name: 'Invite user' }).click();
      const invitation = page.getByRole(scripts ? 'dialog' : 'region', { name: 'Invite a user' });
      await invitation.getByLabel('Email address').fill(person.email);
      await invitation.getByRole('button', { name: 'Send invitation' }).click();
      await expect(invitation.getByRole('alert')).toContainText('Another user has this email address.');
      const invited = newPerson();
      await invitation.getByLabel('Email address').fill(invited.email);
      await invitation.getByRole('button', { name: 'Send invitation' }).click();
      await expect(page.getByText('The invitation was sent.')).toBeVisible();
      await expect(card(page, 'Details')).toContainText('Invited');
    });

    test('edits addresses, password, role and metadata of a user', async ({ page, browser }) => {
      await becomeAdmin(page);
      const user = await createUser();
      await openUser(page, user);
      const account = card(page, 'Account');
      const changed = newPerson();
      await account.getByLabel('Email address').fill(changed.email);
      await account.getByLabel('Phone number').fill(`+1555${Date.now().toString().slice(-7)}`);
      await account.getByLabel('Role').fill('editor');
      await account.getByLabel('New password').fill('another horse battery');
      await account.getByRole('button', { name: 'Save account' }).click();
      await expect(page.getByText('The user was saved.')).toBeVisible();
      await expect(heading(page, changed.email)).toBeVisible();
      const metadata = card(page, 'Metadata');
      await metadata.getByLabel('User metadata').fill('[1]');
      await metadata.getByRole('button', { name: 'Save metadata' }).click();
      await expect(page.getByText('The metadata must be a JSON object.').first()).toBeVisible();
      await metadata.getByLabel('User metadata').fill('{"a": {"b": [1]}}');
      await metadata
        .getByLabel('App metadata')
        .fill('{"provider": "email", "providers": ["email"], "plan": "pro"}');
      await metadata.getByRole('button', { name: 'Save metadata' }).click();
      await expect(page.getByText('The user was saved.')).toBeVisible();
      expect(await readUser(user.id)).toMatchObject({
        email: changed.email,
        user_metadata: { a: { b: [1] } },
        app_metadata: { role: 'editor', plan: 'pro' },
      });
      expect((await readUser(user.id)).user_metadata).not.toHaveProperty('tag');
      expect(await actionsAbout(user.id)).toEqual(['user.edit', 'user.edit']);
      await expect(page.getByRole('list', { name: 'Latest changes' })).toContainText('user_metadata');
      await inOtherBrowser(browser, async (other) => {
        await other.goto(`${baseUrl()}/login`);
        await submitCredentials(other, { email: changed.email, password: 'another horse battery' });
        await expect(heading(other, 'Home')).toBeVisible();
      });
    });

    test('shows both values if another administrator has changed the user, and overwrites nothing', async ({
      page,
    }) => {
      await becomeAdmin(page);
      const user = await createUser();
      await openUser(page, user);
      await asService('PUT', `/admin/users/${user.id}`, { app_metadata: { role: 'theirs' } });
      const account = card(page, 'Account');
      await account.getByLabel('Role').fill('mine');
      await account.getByRole('button', { name: 'Save account' }).click();
      const conflict = page.getByRole('alert');
      await expect(conflict).toContainText('Someone else has changed this user');
      await expect(conflict).toContainText('theirs');
      await expect(conflict).toContainText('mine');
      expect(await readUser(user.id)).toMatchObject({ app_metadata: { role: 'theirs' } });
      await expect(account.getByLabel('Role')).toHaveValue('mine');
      await account.getByRole('button', { name: 'Save account' }).click();
      await expect(page.getByText('The user was saved.')).toBeVisible();
      expect(await readUser(user.id)).toMatchObject({ app_metadata: { role: 'mine' } });
    });

    test('confirms, bans and unbans a user', async ({ page }) => {
      await becomeAdmin(page);
      const user = await createUser(newTag(), { email_confirm: false });
      await openUser(page, user);
      await page.getByRole('button', { name: 'Confirm addresses' }).click();
      await expect(page.getByText('The addresses were confirmed.')).toBeVisible();
      await page.getByLabel('Ban for').selectOption('1 week');
      await page.getByRole('button', { name: 'Ban', exact: true }).click();
      await expect(page.getByText('The user was banned.')).toBeVisible();
      const until = Date.parse(String((await readUser(user.id)).banned_until));
      expect(Math.round((until - Date.now()) / 3_600_000)).toBe(168);
      await page.getByRole('button', { name: 'Lift ban' }).click();
      await expect(page.getByText('The ban was lifted.')).toBeVisible();
      expect((await readUser(user.id)).banned_until ?? null).toBeNull();
      expect(await actionsAbout(user.id)).toEqual(['user.confirm', 'user.ban', 'user.unban']);
    });

    test('sends a link by email, and creates one to copy', async ({ page, browser }) => {
      await becomeAdmin(page);
      const user = await createUser();
      await openUser(page, user);
      await page.getByLabel('Kind of link').selectOption('Reset password');
      await page.getByRole('button', { name: 'Send by email' }).click();
      await expect(page.getByText('The email was sent.')).toBeVisible();
      const messages = await asService<object[]>(
        'GET',
        `/admin/messages?q=${encodeURIComponent(user.email)}`,
      );
      expect(messages).toMatchObject([{ kind: 'recovery', recipient: user.email }]);
      await page.getByLabel('Kind of link').selectOption('Sign in');
      await page.getByRole('button', { name: 'Create link' }).click();
      const link = await page.getByLabel('Link', { exact: true }).inputValue();
      await inOtherBrowser(browser, async (other) => {
        await other.goto(link);
        await expect(heading(other, 'Home')).toBeVisible();
      });
      expect(await actionsAbout(user.id)).toEqual(['user.send_link', 'user.create_link']);
    });

    test('unlinks sign-in methods and ends sessions of a user', async ({ page }) => {
      await becomeAdmin(page);
      const phone = `+1556${Date.now().toString().slice(-7)}`;
      const user = await createUser(newTag(), { phone, phone_confirm: true });
      const { ANON_KEY: apikey = '' } = await readStatus();
      const signIn = () =>
        fetch(`${baseUrl()}/auth/v1/token?grant_type=password`, {
          method: 'POST',
          headers: { apikey, 'content-type': 'application/json' },
          body: JSON.stringify({ email: user.email, password: user.password }),
        });
      for (const _ of [1, 2, 3]) expect((await signIn()).status).toBe(200);
      await openUser(page, user);
      const sessions = page.getByRole('list', { name: 'Sessions' }).getByRole('listitem');
      await expect(sessions).toHaveCount(3);
      await sessions.first().getByRole('button').click();
      await expect(page.getByText('The session was ended.')).toBeVisible();
      await expect(sessions).toHaveCount(2);
      await page.getByRole('button', { name: 'End all sessions' }).click();
      await expect(page.getByText('This user has no sessions.')).toBeVisible();
      await page.getByRole('button', { name: 'Unlink phone' }).click();
      await expect(page.getByText('The sign-in method was unlinked.')).toBeVisible();
      await expect(page.getByRole('button', { name: /^Unlink/ })).toHaveCount(0);
      expect(await actionsAbout(user.id)).toEqual(['user.end_session', 'user.end_sessions', 'user.unlink']);
    });

    test('uses the site as a user with a notice on every page, without the admin area, and returns by one click', async ({
      page,
    }) => {
      const admin = await becomeAdmin(page);
      const user = await createUser();
      await openUser(page, user);
      await page.getByRole('button', { name: 'Use the site as this user' }).click();
      const notice = page.getByRole('complementary', { name: 'Impersonation' });
      await expect(heading(page, 'Home')).toBeVisible();
      for (const path of ['/', '/account', '/nowhere']) {
        await page.goto(baseUrl() + path);
        await expect(notice).toContainText(`You are using the site as ${user.email}.`);
      }
      if (scripts) await expectNoViolations(page);
      for (const path of ['/admin', USERS, `${USERS}?user=${user.id}`, '/admin/mailbox']) {
        expect((await page.request.get(baseUrl() + path)).status(), path).toBe(403);
      }
      await page.goto(`${baseUrl()}/account`);
      await notice.getByRole('button', { name: 'Return to your account' }).click();
      await expect(page.getByRole('heading', { level: 1, name: user.email })).toBeVisible();
      await expect(notice).toBeHidden();
      expect(await actionsAbout(user.id)).toEqual(['user.impersonate', 'user.end_impersonation']);
      await page.goto(`${baseUrl()}/account`);
      await expect(page.getByText(admin.email).first()).toBeVisible();
      const sessions = () => asService<object[]>('GET', `/admin/users/${user.id}/sessions`);
      await expect.poll(sessions).toEqual([]);
    });

    test('deletes a user only after the address was typed, with or without the id', async ({ page }) => {
      await becomeAdmin(page);
      for (const mode of ['Delete everything', 'Remove personal data, and keep the ID']) {
        const user = await createUser();
        await openUser(page, user);
        await page.getByLabel('Kind of deletion').selectOption(mode);
        await page.getByLabel(`Type ${user.email} to confirm`).fill('somebody@example.org');
        await page.getByRole('button', { name: 'Delete user' }).click();
        await expect(page.getByRole('alert')).toContainText('Type the address exactly as shown.');
        await page.getByLabel('Kind of deletion').selectOption(mode);
        await page.getByLabel(`Type ${user.email} to confirm`).fill(user.email);
        await page.getByRole('button', { name: 'Delete user' }).click();
        await expect(page.getByText('The user was deleted.')).toBeVisible();
        const { SERVICE_ROLE_KEY: key = '' } = await readStatus();
        const { status } = await fetch(`${baseUrl()}/auth/v1/admin/users/${user.id}`, {
          headers: { apikey: key, authorization: `Bearer ${key}` },
        });
        expect(status).toBe(mode === 'Delete everything' ? 404 : 200);
      }
    });
  });
}

test('never offers to impersonate administrators, and refuses the request', async ({ page, browser }) => {
  await becomeAdmin(page);
  const other = await createUser(newTag(), { app_metadata: { role: 'admin' } });
  await openUser(page, other);
  await expect(page.getByText('Administrators cannot be impersonated.')).toBeVisible();
  for (const form of [{ intent: 'impersonate' }, { intent: 'link', kind: 'magiclink' }]) {
    const refused = await page.request.post(`${baseUrl()}${USERS}?user=${other.id}`, {
      form: { ...form, userId: other.id },
      headers: { origin: baseUrl() },
    });
    expect(refused.status()).toBe(422);
    expect(await refused.text()).toContain('You cannot sign in as another administrator.');
  }
  await inOtherBrowser(browser, async (stranger) => {
    await createAccount(stranger);
    const refused = await stranger.request.post(`${baseUrl()}${USERS}?user=${other.id}`, {
      form: { intent: 'impersonate', userId: other.id },
      headers: { origin: baseUrl() },
    });
    expect(refused.status()).toBe(403);
  });
});

test('changes selected users in groups, and shows the progress and the failures', async ({ page }) => {
  await becomeAdmin(page);
  const tag = newTag();
  await Promise.all(Array.from({ length: 25 }, () => createUser(tag, { email_confirm: false })));
  const list = `${baseUrl()}${USERS}?q=${tag}`;
  await page.goto(list);
  await expect(rows(page)).toHaveCount(25);
  await page.getByRole('checkbox', { name: 'Select all users on this page' }).check();
  const bar = page.getByRole('region', { name: 'Selected users' });
  await expect(bar).toContainText('25 selected');
  await bar.getByLabel('Action').selectOption('Confirm');
  await bar.getByRole('button', { name: 'Apply' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm', exact: true }).click();
  // The change goes on when the page is left.
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Mailbox' }).click();
  await expect(heading(page, 'Mailbox')).toBeVisible();
  await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Users' }).click();
  await expect(bar).toContainText('25 users changed.');
  await bar.getByRole('button', { name: 'Close' }).click();
  await page.goto(`${list}&state=confirmed`);
  await expect(rows(page)).toHaveCount(25);

  const gone = rows(page).first();
  const goneId = new URL(
    (await gone.getByRole('link').getAttribute('href')) ?? '',
    baseUrl(),
  ).searchParams.get('user');
  await page.getByRole('checkbox', { name: 'Select all users on this page' }).check();
  await asService('DELETE', `/admin/users/${goneId}`);
  await bar.getByLabel('Action').selectOption('Delete');
  await bar.getByRole('button', { name: 'Apply' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('button', { name: 'Delete', exact: true })).toBeDisabled();
  await dialog.getByLabel('Type 25 to confirm').fill('25');
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(bar).toContainText('24 users changed.');
  await expect(bar).toContainText('1 users could not be changed:');
  await bar.getByRole('button', { name: 'Close' }).click();
  await expect(heading(page, 'No users found')).toBeVisible();
});

test('exports the users of a filter as a CSV file', async ({ page }) => {
  await becomeAdmin(page);
  const tag = newTag();
  const users = await Promise.all([createUser(tag), createUser(tag)]);
  await createUser();
  await page.goto(`${baseUrl()}${USERS}?q=${tag}`);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  const lines = (await readFile(await (await download).path(), 'utf8')).trimEnd().split('\r\n');
  expect(lines).toHaveLength(3);
  expect(lines[0]).toContain('id,email,phone,role,providers');
  for (const { email } of users) expect(lines.some((line) => line.includes(email))).toBe(true);
});

test('the list and a user are usable at 390 px and with the keyboard, without violations', async ({
  page,
}) => {
  await becomeAdmin(page);
  const user = await createUser();
  await page.goto(`${baseUrl()}${USERS}?q=${encodeURIComponent(user.email)}`);
  await expect(rows(page)).toHaveCount(1);
  await expectNoViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByLabel('Search').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type(user.id);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`q=${user.id}`));
  await rows(page).getByRole('link', { name: user.email }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: user.email })).toBeVisible();
  await expectNoViolations(page);
});
