/** The log in the admin area: lines are searched and followed, and changes are shown and undone. */
import { expect, type Page, test } from '@playwright/test';
import { type AsAdmin, createAdministrator } from './support/administrator.ts';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { newPerson, type Person, signUp } from './support/person.ts';
import { readStatus } from './support/shared-instance.ts';

let site: Instance;
let asAdmin: AsAdmin;
let admin: Person;
/** The service key of the instance. */
let key: string;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  site = await startFullInstance();
  const administrator = await createAdministrator(browser, site);
  ({ asAdmin } = administrator);
  ({ admin } = administrator);
  key = (await readStatus(site.folder)).SERVICE_ROLE_KEY ?? '';
});
test.afterAll(() => endFullInstance(site));

const LOGS = '/admin/logs';
const lines = (page: Page) =>
  page.getByRole('region', { name: 'Lines of the log' }).last().getByRole('listitem');

/** Requests the user of the administrator. */
async function requestUser(): Promise<void> {
  const headers = { apikey: key, 'content-type': 'application/json' };
  const signedIn = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers,
    body: JSON.stringify(admin),
  });
  const { access_token: token } = (await signedIn.json()) as { access_token: string };
  const answer = await fetch(`${site.url}/auth/v1/user`, {
    headers: { ...headers, authorization: `Bearer ${token}` },
  });
  expect(answer.status).toBe(200);
}

/** Sends a request with the service key. Returns its id. */
async function request(path: string): Promise<string> {
  const response = await fetch(site.url + path, { headers: { apikey: key } });
  await response.text();
  return response.headers.get('x-request-id') ?? '';
}

for (const scripts of [true, false]) {
  test(`finds a failed request and leads to its lines and its user, with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    const id = await request(`/rest/v1/missing_${scripts}`);
    await asAdmin(
      browser,
      async (page) => {
        await page.goto(`${site.url}/admin`);
        await page.getByRole('navigation', { name: 'Admin' }).getByRole('link', { name: 'Logs' }).click();
        await expect(page).toHaveURL(site.url + LOGS);
        await page.getByLabel('Text').fill(`MISSING_${scripts}`);
        await page.getByLabel('Service').selectOption('rest');
        await page.getByLabel('Status').fill('4xx');
        await page.getByRole('button', { name: 'Search', exact: true }).click();
        await expect(page).toHaveURL(/q=MISSING.*service=rest.*status=4xx/);
        await expect(lines(page)).toHaveCount(1);
        await expect(lines(page)).toContainText(`GET /rest/v1/missing_${scripts}`);
        await lines(page).locator('summary').click();
        await expect(lines(page)).toContainText('PGRST205');
        await page.getByRole('link', { name: 'All lines of this request' }).click();
        await expect(page).toHaveURL(`${site.url}${LOGS}?request=${id}`);
        await expect(page.getByLabel('Request ID')).toHaveValue(id);
        await expect(lines(page).first()).toContainText(`GET /rest/v1/missing_${scripts}`);

        await requestUser();
        await page.goto(`${site.url}${LOGS}?service=auth&q=/auth/v1/user&status=200`);
        const row = lines(page).first();
        // Hydration replaces the list.
        if (scripts) await expect(row).toHaveAttribute('aria-posinset', '1');
        await row.locator('summary').click();
        const user = row.getByRole('link', { name: 'Show user' });
        await expect(user).toHaveAttribute('href', /\/admin\/users\?user=[0-9a-f-]{36}$/);

        await page.goto(`${site.url}${LOGS}?q=there-is-no-such-line-${'-'.repeat(3)}&user=unknown`);
        await expect(page.getByRole('heading', { name: 'No lines found' })).toBeVisible();
        await page.getByRole('link', { name: 'Reset' }).last().click();
        await expect(page).toHaveURL(site.url + LOGS);
        await expect(lines(page).first()).toBeVisible();
      },
      { javaScriptEnabled: scripts },
    );
  });
}

test('searches a range of times and a minimum level', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await request('/rest/v1/in_range');
    await page.goto(`${site.url}${LOGS}?q=in_range`);
    await page.getByLabel('Time').selectOption('Last 15 minutes');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/range=15m/);
    await expect(lines(page)).toHaveCount(1);
    await page.getByText('More filters').click();
    await page.getByLabel('Until (UTC)').fill('2020-01-01T00:00:00');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page.getByRole('heading', { name: 'No lines found' })).toBeVisible();
    await page.goto(`${site.url}${LOGS}?q=in_range&level=error`);
    await expect(page.getByRole('heading', { name: 'No lines found' })).toBeVisible();
  });
});

test('follows new lines that match the filter, and stops', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}${LOGS}?service=rest`);
    await page.getByRole('link', { name: 'Follow' }).click();
    await expect(page.getByText('New lines appear at the top.')).toBeVisible();
    await request('/auth/v1/health');
    await request('/rest/v1/followed');
    await expect(lines(page).first()).toContainText('GET /rest/v1/followed');
    await expect(page).toHaveURL(/service=rest&live=1/);
    await page.reload();
    await expect(page.getByText('New lines appear at the top.')).toBeVisible();
    await request('/rest/v1/after_reload');
    await expect(lines(page).filter({ hasText: 'after_reload' })).toHaveCount(1);
    await expect(lines(page).filter({ hasText: 'followed' })).toHaveCount(1);
    await page.getByRole('link', { name: 'Stop following' }).click();
    await expect(page.getByText('New lines appear at the top.')).toBeHidden();
    await request('/rest/v1/not_followed');
    await expect(lines(page).filter({ hasText: 'not_followed' })).toHaveCount(0);
  });
});

test('loads older lines while the list is scrolled, with few rows in the document', async ({ browser }) => {
  for (let part = 0; part < 10; part += 1)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => request(`/rest/v1/scrolled_${part * 50 + index}`)),
    );
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}${LOGS}?q=scrolled_`);
    await expect(async () => {
      await page
        .getByRole('region', { name: 'Lines of the log' })
        .last()
        .evaluate((box) => {
          box.scrollTop = box.scrollHeight;
        });
      await expect(page.getByText('This is the oldest line.')).toBeVisible({ timeout: 500 });
      await expect(lines(page).last()).toHaveAttribute('aria-posinset', '500', { timeout: 500 });
    }).toPass();
    expect(await lines(page).count()).toBeLessThan(100);
  });
});

test('stops following when the administrator loses the role', async ({ browser }) => {
  const person = newPerson();
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  await signUp(page, site.url, person);
  const setRole = (role: string) =>
    withDatabase(site.folder, (database) =>
      database.query({
        text: `update auth.users set raw_app_meta_data = jsonb_set(raw_app_meta_data, '{role}', to_jsonb($2::text))
          where email = $1`,
        values: [person.email, role],
      }),
    );
  await setRole('admin');
  await page.goto(`${site.url}${LOGS}?live=1`);
  await expect(page.getByText('New lines appear at the top.')).toBeVisible();
  await request('/rest/v1/before_the_end');
  await expect(lines(page).filter({ hasText: 'before_the_end' })).toHaveCount(1);
  await setRole('none');
  await expect(page.getByText('Your session has ended.')).toBeVisible();
  const answer = await page.request.get(`${site.url}${LOGS}/lines`, { maxRedirects: 0 });
  expect(answer.status()).toBe(403);
  expect(await answer.text()).not.toContain('before_the_end');
  await context.close();
});

test('shows the values before and after a change, and undoes it with its SQL', async ({ browser }) => {
  const values = [
    '{"name": "notes", "rows": 3}',
    '{"rows": 3, "title": null}',
    'insert into public.undone values (4)',
  ];
  await withDatabase(site.folder, (database) =>
    database.query({ text: 'create table public.undone as select 3 as id' }),
  );
  await withDatabase(site.folder, (database) =>
    database.query({ text: 'alter table public.undone owner to postgres' }),
  );
  await withDatabase(site.folder, (database) =>
    database.query({
      text: `insert into greenroom.audit_log
          (actor_email, action, target, summary, before, after, undo_sql, outcome, finished_at)
        values ('ada@example.org', 'row.delete', 'public.undone', 'Deleted a row of public.undone', $1, $2, $3, 'done', now())`,
      values,
    }),
  );
  await asAdmin(browser, async (page) => {
    await page.goto(site.url + LOGS);
    await page.getByRole('link', { name: 'Changes' }).click();
    await page.getByLabel('Target').fill('public.undone');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(/tab=changes&action=&target=public.undone/);
    const entries = page.getByRole('list', { name: 'Changes of administrators' }).getByRole('listitem');
    await expect(entries).toHaveCount(1);
    await entries.locator('summary').click();
    const table = page.getByRole('table', { name: 'Values before and after the change' });
    await expect(table.getByRole('row')).toHaveText([
      /Field/,
      /name \(changed\)notesNo value/,
      /title \(changed\)No valuenull/,
      /rows33/,
    ]);
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(entries).toHaveCount(2);
    await expect(entries.first()).toContainText('Undid: Deleted a row of public.undone');
    await expect(entries.first()).toContainText(admin.email);
    await expect(entries.last()).toContainText('Undone');
    await entries.last().locator('summary').click();
    await expect(page.getByRole('button', { name: 'Undo', exact: true })).toHaveCount(0);
    const rows = await withDatabase(site.folder, (database) =>
      database.query({ text: 'select id from public.undone order by id' }),
    );
    expect(rows).toEqual([{ id: 3 }, { id: 4 }]);
  });
});

test('opens logs and the details of a line with the keyboard alone', async ({ browser }) => {
  await request('/rest/v1/by_keyboard');
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin/users`);
    await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
    await expect(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('o');
      await expect(page).toHaveURL(site.url + LOGS, { timeout: 2000 });
    }).toPass();
    await page.getByLabel('Text').focus();
    await page.keyboard.type('by_keyboard');
    await page.keyboard.press('Enter');
    await expect(lines(page)).toHaveCount(1);
    const summary = lines(page).locator('summary');
    await expect(async () => {
      await page.keyboard.press('Tab');
      await expect(summary).toBeFocused({ timeout: 100 });
    }).toPass();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('link', { name: 'All lines of this request' })).toBeVisible();
  });
});

test('logs and changes are accessible on wide and narrow screens', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    for (const path of [LOGS, `${LOGS}?tab=changes`]) {
      await page.goto(site.url + path);
      await expect(page.getByRole('heading', { name: 'Logs' })).toBeVisible();
      await expectNoViolations(page);
    }
  });
});
