/** Policies in the admin area: who may do what, the editor, trying statements as a caller, and the advisors. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type AsAdmin, createAdministrator } from './support/administrator.ts';
import { expectNoViolations, paletteButton } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { type Instance, newDataFolder, removeDataFolder, startInstance } from './support/instance.ts';
import { createAccount, newPerson, type Person } from './support/person.ts';

let site: Instance;
/** Folder of the project of the instance. */
let project: string;
let asAdmin: AsAdmin;
let ada: Person;

const POLICIES = '/admin/policies';
const NOTES = `${POLICIES}?schema=shop&table=notes`;
const TRY = `${NOTES}&tab=try`;

/** Ada and one more person own rows of `notes`. */
const SCHEMA = `
  create schema shop;
  grant usage on schema shop to anon, authenticated;
  create table shop.notes (
    id int primary key, owner uuid default auth.uid(), title text not null, is_public boolean default false
  );
  alter table shop.notes enable row level security;
  create policy "Own notes" on shop.notes to authenticated using (owner = auth.uid());
  create policy "Public notes" on shop.notes for select to anon, authenticated using (is_public);
  grant select, insert, update, delete on shop.notes to authenticated;
  grant select on shop.notes to anon;
  create table shop.open_log (id int, note int references shop.notes (id));
  grant select on shop.open_log to anon;
  create table shop.hidden (id int primary key);
  create table shop.closed (id int primary key);
  alter table shop.closed enable row level security;
  grant select on shop.closed to anon;`;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  // Changes of policies write migration files.
  project = await mkdtemp(join(tmpdir(), 'greenroom-project-'));
  await mkdir(join(project, 'supabase'));
  await writeFile(join(project, 'supabase', 'config.toml'), 'project_id = "shop"\n');
  const env = { PGRST_DB_SCHEMAS: 'public,shop', GREENROOM_ADMIN_SCHEMA_CHANGES: 'auto' };
  site = await startInstance(await newDataFolder(), env, 'start', ['--project', project]);
  ({ asAdmin } = await createAdministrator(browser, site));
  ada = newPerson();
  const other = await browser.newPage();
  await createAccount(other, site.url, ada);
  await other.close();
  await sql(`set role postgres; ${SCHEMA}
    insert into shop.notes
      select 1, id, 'Mine', false from auth.users where email = '${ada.email}'
      union all select 2, null, 'Public', true
      union all select 3, gen_random_uuid(), 'Of someone', false;
    reset role;`);
});
test.afterAll(async () => {
  await site.stop();
  await removeDataFolder(site.folder);
  await rm(project, { recursive: true });
});

/** Runs statements on the instance, and returns the rows of the last one. */
function sql(text: string): Promise<Record<string, unknown>[]> {
  const statements = text.split(';').filter((statement) => statement.trim() !== '');
  return withDatabase(site.folder, async (database) => {
    const results = await database.batch(statements.map((statement) => ({ text: statement })));
    return results.at(-1) ?? [];
  });
}

/** The definitions of the policies of `notes`. */
const policies = () =>
  sql(
    `select policyname as name, cmd, qual, roles::text from pg_policies where schemaname = 'shop' and tablename = 'notes' order by 1`,
  );
const audit = (action: string) =>
  sql(`select target, outcome, undo_sql from greenroom.audit_log where action = '${action}' order by id`);

/** Opens a page, and waits until its scripts run: they would replace earlier input. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(site.url + path);
  await expect(paletteButton(page)).toBeVisible();
}

test('shows the access of each role to each table as a matrix, and to one table in words', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await open(page, POLICIES);
    const cells = (table: string) =>
      page
        .getByRole('row')
        .filter({ has: page.getByRole('link', { name: table }) })
        .getByRole('cell');
    await expect(cells('shop.notes').nth(0)).toHaveText(/by policy/);
    await expect(cells('shop.notes').nth(1)).toHaveText(/refused \(no grant\)/);
    await expect(cells('shop.open_log').nth(0)).toHaveText(/all rows/);
    await expect(cells('shop.closed').nth(0)).toHaveText(/refused \(no policy\)/);
    await expect(cells('shop.hidden').nth(0)).toHaveText(/refused \(no grant\)/);

    await page.getByRole('link', { name: 'shop.notes' }).click();
    const words = page.getByRole('region', { name: 'Who may do what' });
    await expect(words).toContainText('anon may select rows where is_public');
    await expect(words).toContainText(
      'authenticated may select rows where (owner = auth.uid()) or (is_public)',
    );
    await expect(words).toContainText('authenticated may delete rows where owner = auth.uid()');
    await open(page, `${POLICIES}?schema=shop&table=open_log`);
    await expect(words).toContainText('anon may select all rows, because row-level security is off');
    await open(page, `${POLICIES}?schema=shop&table=hidden`);
    await expect(words).toContainText('anon: no access, because there is no grant.');
  });
});

test('finds tables of the matrix by name, schema and access, and moves between them with arrow keys', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await open(page, POLICIES);
    const links = page.getByRole('rowheader').getByRole('link');
    await page.getByLabel('Search', { exact: true }).fill('shop open');
    await page.getByLabel('Search', { exact: true }).press('Enter');
    await expect(links).toHaveText(['shop.open_log']);
    await open(page, `${POLICIES}?in=shop`);
    await expect(links).toHaveCount(4);
    await page.getByLabel('Show').selectOption('Without policies');
    await page.getByRole('button', { name: 'Filter' }).click();
    await expect(links).toHaveText(['shop.closed']);
    await open(page, `${POLICIES}?in=shop`);
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('shop.hidden');
  });
});

test('keeps few rows of a matrix of hundreds of tables in the document, and shows the last one after scrolling', async ({
  browser,
}) => {
  const tables = Array.from(
    { length: 600 },
    (_, n) => `create table many.t${String(n + 1).padStart(3, '0')} (id int)`,
  );
  await sql(['create schema many', ...tables].join(';'));
  await asAdmin(browser, async (page) => {
    await open(page, `${POLICIES}?in=many`);
    await expect(page.getByText('600 tables')).toBeVisible();
    await expect.poll(() => page.getByRole('rowheader').count()).toBeLessThan(60);
    await page.getByRole('region', { name: 'Access of roles to tables' }).evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await expect(page.getByRole('link', { name: 'many.t600' })).toBeVisible();
  });
  await sql('drop schema many cascade');
});

test('creates a policy from a template after showing its SQL, changes it and drops it', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await open(page, NOTES);
    await page.getByRole('link', { name: 'New policy' }).click();
    await page.getByLabel('Template').selectOption('A second factor is required');
    await page.getByRole('button', { name: 'Use template' }).click();
    const preview = page.getByRole('region', { name: 'SQL that will run' });
    await expect(preview).toContainText('as restrictive');
    await page.getByLabel('Name').fill('Second factor');
    await page.getByLabel('Statement').selectOption('Delete');
    await expect(preview).toContainText('create policy "Second factor" on "shop"."notes"');
    await expect(preview).toContainText('for delete');
    await expect(preview).not.toContainText('with check');
    await page.getByRole('button', { name: 'Create policy' }).click();
    await expect(page.getByText('Policy created.')).toBeVisible();
    expect(await policies()).toContainEqual({
      ...{ name: 'Second factor', cmd: 'DELETE', roles: '{authenticated}' },
      qual: expect.stringContaining('aal2'),
    });

    await page.getByRole('link', { name: 'Edit Second factor' }).click();
    await expect(preview).toHaveText(/no changes/);
    await page.getByLabel('Existing rows (USING)').fill("title <> 'locked'");
    await expect(preview).toContainText(`alter policy "Second factor" on "shop"."notes"`);
    await page.getByRole('button', { name: 'Save policy' }).click();
    await expect(page.getByText('Policy saved.')).toBeVisible();
    expect(JSON.stringify(await policies())).toContain('locked');

    await page.getByRole('link', { name: 'Drop Second factor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Drop policy Second factor?' });
    await expect(dialog).toContainText('drop policy "Second factor" on "shop"."notes";');
    await dialog.getByRole('button', { name: 'Drop' }).click();
    await expect(page.getByText('Policy dropped.')).toBeVisible();
    expect((await policies()).map(({ name }) => name)).toEqual(['Own notes', 'Public notes']);
    for (const action of ['policy.create', 'policy.alter', 'policy.drop'])
      expect(await audit(action)).toEqual([
        { target: 'shop.notes', outcome: 'done', undo_sql: expect.stringMatching(/policy "Second factor"/) },
      ]);
  });
});

test('does not overwrite a policy that was changed after the form was opened, and shows both definitions', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await open(page, `${NOTES}&edit=Public+notes`);
    await page.getByLabel('Existing rows (USING)').fill("title = 'mine'");
    await sql(`alter policy "Public notes" on shop.notes using (is_public and title <> 'theirs')`);
    await page.getByRole('button', { name: 'Save policy' }).click();
    await expect(page.getByRole('alert')).toContainText('This was changed meanwhile');
    await expect(page.getByRole('region', { name: 'Current definition' })).toContainText('theirs');
    await expect(page.getByRole('region', { name: 'Your definition' })).toContainText('mine');
    expect(JSON.stringify(await policies())).toContain('theirs');
  });
  await sql(`alter policy "Public notes" on shop.notes using (is_public)`);
});

test('reports the error of PostgreSQL for a wrong condition, and keeps the fields of the form', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await open(page, `${NOTES}&edit=Public+notes`);
    await page.getByLabel('Existing rows (USING)').fill('nonsense = 1');
    await page.getByRole('button', { name: 'Save policy' }).click();
    await expect(page.getByRole('alert')).toContainText('column "nonsense" does not exist');
    await expect(page.getByLabel('Existing rows (USING)')).toHaveValue('nonsense = 1');
  });
});

test('switches row-level security on and off after showing the SQL', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await open(page, `${POLICIES}?schema=shop&table=hidden`);
    await page.getByRole('link', { name: 'Enable' }).click();
    const enable = page.getByRole('dialog', { name: 'Enable row-level security?' });
    await expect(enable).toContainText('alter table "shop"."hidden" enable row level security;');
    await enable.getByRole('button', { name: 'Enable' }).click();
    await expect(page.getByText('Row-level security changed.')).toBeVisible();
    await page.getByRole('link', { name: 'Apply to owner', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Apply to owner' }).click();
    await expect(page.getByText('It also applies to the owner')).toBeVisible();
    await page.getByRole('link', { name: 'Disable' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await expect(page.getByText('Off: each role with a grant')).toBeVisible();
    const [row] = await sql(
      `select relrowsecurity, relforcerowsecurity from pg_class where relname = 'hidden'`,
    );
    expect(row).toEqual({ relrowsecurity: false, relforcerowsecurity: true });
  });
});

test('tries a select as a visitor, a user and own claims, and names the policy that decided about each row', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    const explained = page
      .getByRole('region', { name: 'Which policy decided' })
      .getByRole('table')
      .getByRole('rowheader');
    const tryIt = page.getByRole('button', { name: 'Try it' });
    await open(page, TRY);
    await tryIt.click();
    await expect(page.getByText('Rows read: 1')).toBeVisible();
    await expect(explained).toHaveText([/Hidden/, /Allowed.*Public notes/, /Hidden/]);

    await page.getByRole('link', { name: 'A user' }).click();
    await page.getByLabel('Email address or user ID').fill(ada.email.slice(0, -6).toUpperCase());
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('list', { name: 'Users found' }).getByRole('link', { name: ada.email }).click();
    await expect(page.getByRole('region', { name: 'Claims (JSON)' })).toContainText(ada.email);
    await expect(page.getByRole('region', { name: 'Claims (JSON)' })).toContainText('"aal": "aal1"');
    await tryIt.click();
    await expect(page.getByText('Rows read: 2')).toBeVisible();
    await expect(explained).toHaveText([/Allowed.*Own notes/, /Allowed.*Public notes/, /Hidden/]);

    await page.getByRole('link', { name: 'Own claims' }).click();
    await page.getByRole('textbox', { name: 'Claims (JSON)' }).fill('{"role": "service_role"}');
    await tryIt.click();
    await expect(page.getByText(/bypasses row-level security|permission denied/)).not.toHaveCount(0);
    await page.getByRole('textbox', { name: 'Claims (JSON)' }).fill('{"role": "postgres"}');
    await tryIt.click();
    await expect(page.getByRole('alert')).toContainText('Requests cannot have this role');
  });
});

test('tries inserts, updates and deletes, names the refusing policy and missing rights, and saves nothing', async ({
  browser,
}) => {
  const before = await sql('select * from shop.notes order by id');
  const [user] = await sql(`select id from auth.users where email = '${ada.email}'`);
  await asAdmin(browser, async (page) => {
    const explanation = page.getByRole('region', { name: 'Which policy decided' }).first();
    const tryIt = page.getByRole('button', { name: 'Try it' });
    await open(page, `${TRY}&as=person&user=${user?.id}`);
    await page.getByLabel('Kind').selectOption('Insert');
    await page.getByLabel('Values (JSON)').fill(`{"id": 9, "title": "x", "owner": null}`);
    await tryIt.click();
    await expect(page.getByRole('alert')).toContainText('new row violates row-level security policy');
    await expect(explanation).toContainText(/Refused\s*By Own notes/);
    await page.getByLabel('Values (JSON)').fill(`{"id": 9, "title": "x"}`);
    await tryIt.click();
    await expect(page.getByText('Rows changed: 1, then rolled back')).toBeVisible();
    await expect(explanation).toContainText(/Allowed\s*By Own notes/);

    await page.getByLabel('Kind').selectOption('Update');
    await page.getByLabel('Values (JSON)').fill(`{"title": "changed"}`);
    await page.getByLabel('Condition (SQL)').fill('id > 0');
    await tryIt.click();
    await expect(page.getByText('Rows changed: 1, then rolled back')).toBeVisible();
    await expect(explanation.locator('ins').first()).toHaveText('changed');
    await page.getByLabel('Kind').selectOption('Delete');
    await tryIt.click();
    await expect(page.getByText('Rows changed: 1, then rolled back')).toBeVisible();
    await page.getByLabel('Own SQL instead (optional)').fill('delete from shop.notes; commit');
    await tryIt.click();
    await expect(page.getByRole('alert')).toContainText('Enter exactly one statement.');

    await open(page, TRY);
    await page.getByLabel('Kind').selectOption('Delete');
    await tryIt.click();
    await expect(page.getByText('Missing rights')).toBeVisible();
    await expect(page.getByText('No grant to delete')).toBeVisible();
  });
  expect(await sql('select * from shop.notes order by id')).toEqual(before);
});

test('shows the findings of the advisors by severity, and fixes some of them after showing the SQL', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await open(page, `${POLICIES}?view=advisors`);
    const finding = page.getByRole('listitem').filter({ hasText: 'table shop.open_log, which is part of' });
    await expect(finding).toContainText('rls_disabled_in_public');
    await expect(finding.getByRole('link', { name: 'Open shop.open_log' })).toBeVisible();
    const fix = async (name: string | RegExp, statement: string) => {
      await page.getByRole('link', { name }).click();
      const dialog = page.getByRole('dialog', { name: 'Run this SQL?' });
      await expect(dialog).toContainText(statement);
      await dialog.getByRole('button', { name: 'Run SQL' }).click();
      await expect(page.getByText('The problem is fixed.')).toBeVisible();
    };
    await fix(
      /^Fix: Row-level security is disabled on table shop.open_log/,
      'alter table "shop"."open_log" enable',
    );
    await fix(/^Fix: The foreign key open_log_note_fkey/, 'create index on "shop"."open_log" ("note");');
    await fix(/^Fix: The policy Own notes of table shop.notes/, 'select auth.uid()');
    await expect(finding).toHaveCount(0);
    expect(JSON.stringify(await policies())).toContain('SELECT auth.uid()');
    expect(await audit('advisor.fix')).toHaveLength(3);
  });
});

test('shows titles and remedies of the advisors in German', async ({ browser }) => {
  await sql('create table shop.ohne_schluessel (wert text)');
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}${POLICIES}?view=advisors&lang=de`);
    const finding = page.getByRole('listitem').filter({ hasText: 'shop.ohne_schluessel has no primary key' });
    await expect(finding.getByRole('heading', { name: 'Kein Primärschlüssel' })).toBeVisible();
    await expect(finding).toContainText('Abhilfe: Fügen Sie der Tabelle einen Primärschlüssel hinzu.');
  });
  await sql('drop table shop.ohne_schluessel');
});

test('shows matrix, words and the result of a statement without scripts', async ({ browser }) => {
  await asAdmin(
    browser,
    async (page) => {
      await page.goto(site.url + POLICIES);
      await page.getByRole('link', { name: 'shop.notes' }).click();
      await expect(page.getByRole('region', { name: 'Who may do what' })).toContainText(
        'anon may select rows',
      );
      await page.getByRole('link', { name: 'Try as' }).click();
      await page.getByRole('button', { name: 'Try it' }).click();
      await expect(page.getByText('Rows read: 1')).toBeVisible();
    },
    { javaScriptEnabled: false },
  );
});

test('the pages of policies have no violations of accessibility rules on a phone and a desktop', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    for (const path of [POLICIES, NOTES, `${NOTES}&new=own-rows`, `${POLICIES}?view=advisors`]) {
      await open(page, path);
      await expectNoViolations(page, path, [390, 1280]);
    }
    await open(page, TRY);
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect(page.getByText('Rows read: 1')).toBeVisible();
    await expectNoViolations(page, 'result', [390, 1280]);
  });
});
