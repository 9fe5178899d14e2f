/** The structure of tables: every change through its form, with the SQL before it, its migration file and its audit entry. */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { type AsAdmin, createAdministrator } from './support/administrator.ts';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { type Instance, newDataFolder, removeDataFolder, startInstance } from './support/instance.ts';

const FIRST_MIGRATION = `
  create table notes (id bigint generated always as identity primary key, title text not null, author uuid);
  create table tags (id bigint primary key, note bigint references notes, label text);
  create view titles as select title from notes;
  create type mood as enum ('sad', 'happy');
  create function touch() returns trigger language plpgsql as $$ begin return new; end $$;
  comment on table notes is 'All notes';
`;

let site: Instance;
let project: string;
let asAdmin: AsAdmin;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  project = await mkdtemp(join(tmpdir(), 'greenroom-e2e-project-'));
  await mkdir(join(project, 'supabase/migrations'), { recursive: true });
  await writeFile(join(project, 'supabase/migrations/20260101000000_start.sql'), FIRST_MIGRATION);
  site = await startInstance(await newDataFolder(), { GREENROOM_ADMIN_SCHEMA_CHANGES: 'auto' }, 'start', [
    '--project',
    project,
  ]);
  ({ asAdmin } = await createAdministrator(browser, site));
});
test.afterAll(async () => {
  await site?.stop();
  if (site) await removeDataFolder(site.folder);
  await rm(project, { recursive: true, force: true });
});

const structure = (query = '') => `${site.url}/admin/tables/structure${query}`;
const sql = (page: Page) => page.getByRole('region', { name: 'SQL that will run' }).locator('code');
const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true }).click();
const done = (page: Page) =>
  expect(page.getByRole('status').filter({ hasText: 'Schema changed.' })).toBeVisible();
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

/** Runs the open form, and returns to the table. */
async function runForm(page: Page): Promise<void> {
  await run(page);
  await done(page);
}

/** Reads rows of the database as superuser. */
const query = (text: string) => withDatabase(site.folder, (database) => database.query({ text }));

/** Creates a table of `postgres`, as migrations do. */
async function createTable(name: string, columns: string): Promise<void> {
  await query(`create table public.${name} (${columns})`);
  await query(`alter table public.${name} owner to postgres`);
}

for (const scripts of [true, false]) {
  test(`creates a table, shows its SQL, and writes a migration and an audit entry with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    const name = `books_${scripts}`;
    await asAdmin(
      browser,
      async (page) => {
        await page.goto(structure());
        await link(page, 'New table').click();
        await page.getByLabel('Name', { exact: true }).first().fill(name);
        const second = page.getByRole('group', { name: 'Column 3' });
        await second.getByLabel('Name').fill('Title');
        await second.getByLabel('Type').fill('text');
        await page.getByLabel('Name of the migration').fill(`create ${name}`);
        if (!scripts) {
          await run(page);
          await expect(page.getByText('Check the SQL below, then run it.')).toBeVisible();
        }
        await expect(sql(page)).toContainText(`create table "public"."${name}" (`);
        await expect(sql(page)).toContainText('"Title" text');
        const shown = await sql(page).textContent();
        await runForm(page);
        const file = `_create_${name}.sql`;
        await expect(page.getByText(file)).toBeVisible();
        const files = await readdir(join(project, 'supabase/migrations'));
        const path = files.find((each) => each.endsWith(file)) ?? '';
        expect(await readFile(join(project, 'supabase/migrations', path), 'utf8')).toBe(`${shown}\n`);
        await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible();
        expect(
          await query(
            `select action, target, outcome, undo_sql, after ->> 'sql' as sql from greenroom.audit_log where target = 'public.${name}'`,
          ),
        ).toEqual([
          {
            action: 'table.create',
            target: `public.${name}`,
            outcome: 'done',
            undo_sql: `drop table "public"."${name}";`,
            sql: shown,
          },
        ]);
      },
      { javaScriptEnabled: scripts },
    );
  });
}

/** Returns the text of the newest migration file, and its path below the folder of the project. */
async function newestMigration() {
  const names = (await readdir(join(project, 'supabase/migrations'))).sort();
  const path = `supabase/migrations/${names.at(-1)}`;
  return { path, text: await readFile(join(project, path), 'utf8') };
}

test('undoes a change of the schema by another migration', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto(structure());
    await link(page, 'New table').click();
    await page.getByLabel('Name', { exact: true }).first().fill('made_by_mistake');
    await runForm(page);
    await page.goto(`${site.url}/admin/logs?tab=changes&target=public.made_by_mistake`);
    const entries = page.getByRole('list', { name: 'Changes of administrators' }).getByRole('listitem');
    await entries.locator('summary').click();
    await page.getByRole('button', { name: 'Undo', exact: true }).click();
    await expect(entries).toHaveCount(2);
    await expect(entries.last()).toContainText('Undone');
    expect(await query("select to_regclass('public.made_by_mistake') as found")).toEqual([{ found: null }]);
    const { path, text } = await newestMigration();
    expect(path).toMatch(/_undid_/);
    expect(text).toBe('drop table "public"."made_by_mistake";\n');
    expect(
      await query('select version from supabase_migrations.schema_migrations order by version desc limit 1'),
    ).toEqual([{ version: /\d{14}/.exec(path)?.[0] }]);
  });
});

test('runs SQL that changes the schema as a migration, reports its error, and cancels it', async ({
  browser,
}) => {
  const results = (page: Page) => page.getByRole('region', { name: 'Results' });
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin/sql`);
    const editor = page.getByRole('textbox', { name: 'SQL', exact: true });
    const runSql = async (text: string) => {
      await expect(page.locator('.cm-content')).toBeVisible();
      await editor.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.insertText(text);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+Shift+Enter');
    };
    const sql = 'create table pears (id int);\ninsert into pears values (1);';
    await runSql(sql);
    await expect(
      results(page).getByText(/ran as the migration supabase\/migrations\/\d{14}_create_table_pears\.sql/),
    ).toBeVisible();
    const written = await newestMigration();
    expect(written.text).toBe(`${sql}\n`);
    expect(await query('select id from public.pears')).toEqual([{ id: 1 }]);

    await runSql('alter table pears add column size int;\nalter table peaches add column size int;');
    await expect(results(page).getByRole('alert')).toContainText('relation "peaches" does not exist');
    await expect(results(page).getByText('took effect')).toHaveCount(0);
    expect(await newestMigration()).toEqual(written);
    await runSql('create table plums ();\nselect pg_sleep(60);');
    await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toBeVisible();
    await expect
      .poll(() =>
        query(
          "select 1 as one from pg_stat_activity where query like '%pg_sleep(60)%' and pid <> pg_backend_pid()",
        ),
      )
      .toEqual([{ one: 1 }]);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect(results(page).getByRole('alert')).toContainText('Cancelled.');
    expect(await newestMigration()).toEqual(written);

    await page.getByLabel('Migration file').uncheck();
    await runSql('create table cherries (id int); select 7 as seven;');
    await expect(results(page).getByRole('gridcell')).toHaveText(['7']);
    expect(await newestMigration()).toEqual(written);
    expect(
      await query(
        "select to_regclass('public.cherries')::text as cherries, to_regclass('public.plums') as plums, (select count(*)::int from information_schema.columns where table_name = 'pears') as columns",
      ),
    ).toEqual([{ cherries: 'public.cherries', plums: null, columns: 1 }]);
  });
});

test('adds, changes and drops columns, and shows the dependents before a drop', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto(structure('?table=notes'));
    await link(page, 'New column').click();
    await page.getByLabel('Name', { exact: true }).fill('score');
    await page.getByLabel('Type', { exact: true }).fill('int');
    await page.getByLabel('Default').fill('1');
    await page.getByLabel('Comment').fill('How good');
    await expect(sql(page)).toHaveText(
      `alter table "public"."notes" add column "score" int default 1;\ncomment on column "public"."notes"."score" is 'How good';`,
    );
    await runForm(page);
    await expect(section(page, 'Columns')).toContainText('How good');

    await link(page, 'Edit: score').click();
    await page.getByLabel('Type', { exact: true }).fill('numeric');
    await page.getByLabel('Not null').check();
    await expect(sql(page)).toHaveText(
      'alter table "public"."notes" alter column "score" type numeric;\nalter table "public"."notes" alter column "score" set not null;',
    );
    await runForm(page);
    await expect(section(page, 'Columns').getByRole('listitem').filter({ hasText: 'score' })).toContainText(
      'Not null',
    );

    await link(page, 'Drop: title').click();
    await expect(section(page, 'These objects depend on it')).toContainText('view titles');
    await page.getByLabel('Also drop the objects that depend on it').check();
    await run(page);
    await expect(page.getByText('The typed name is another one.')).toBeVisible();
    await page.getByLabel('Type title to confirm').fill('title');
    await runForm(page);
    expect(await query("select to_regclass('public.titles') as view")).toEqual([{ view: null }]);
  });
});

test('adds keys, foreign keys, checks and indexes, and drops them', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto(structure('?table=tags'));
    await link(page, 'New key').click();
    await page.getByRole('group', { name: 'Columns' }).getByLabel('label').check();
    await expect(sql(page)).toHaveText(
      'alter table "public"."tags" add constraint "tags_label_key" unique ("label");',
    );
    await runForm(page);
    await link(page, 'New check').click();
    await page.getByLabel('Expression').fill("label <> ''");
    await runForm(page);
    await expect(section(page, 'Keys and constraints')).toContainText("CHECK ((label <> ''::text))");
    await link(page, 'New foreign key').click();
    await page.getByRole('group', { name: 'Columns' }).getByLabel('id').check();
    await page.getByLabel('Referenced table', { exact: true }).fill('notes');
    await page.getByLabel('On delete').selectOption('cascade');
    await runForm(page);
    await expect(section(page, 'Keys and constraints')).toContainText(
      'REFERENCES notes(id) ON DELETE CASCADE',
    );
    await link(page, 'New index').click();
    await page.getByRole('group', { name: 'Columns' }).getByLabel('note').check();
    await page.getByLabel('Without blocking writes').check();
    await runForm(page);
    await expect(section(page, 'Indexes')).toContainText('tags_note_idx');
    for (const name of ['tags_note_idx', 'tags_label_key', 'tags_check', 'tags_id_fkey']) {
      await link(page, `Drop: ${name}`).click();
      await runForm(page);
      await expect(page.getByRole('main').getByText(name, { exact: true })).toHaveCount(0);
    }
  });
});

test('creates types, functions, triggers, publications and extensions, and changes them', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await page.goto(structure());
    await link(page, 'New type').click();
    await page.getByLabel('Name', { exact: true }).fill('size');
    await page.getByLabel('Values, one per line').fill('small\nlarge');
    await runForm(page);
    await link(page, 'Add value: size').click();
    await page.getByLabel('Value', { exact: true }).fill('medium');
    await page.getByLabel('Before').selectOption('large');
    await runForm(page);
    await expect(section(page, 'Enumerated types')).toContainText('small, medium, large');
    await link(page, 'Rename value: mood').click();
    await page.getByLabel('New name').fill('gloomy');
    await runForm(page);
    await expect(section(page, 'Enumerated types')).toContainText('gloomy, happy');

    await link(page, 'New function').click();
    await page.getByLabel('Name', { exact: true }).fill('double');
    await page.getByLabel('Arguments').fill('amount numeric');
    await page.getByLabel('Returns').fill('numeric');
    await page.getByRole('combobox', { name: 'Language' }).selectOption('sql');
    await page.getByLabel('Body').fill('select amount * 2');
    await runForm(page);
    await link(page, 'Edit: double(amount numeric)').click();
    await page.getByLabel('Body').fill('select amount * 2.0');
    await page.getByLabel('Behavior').selectOption('immutable');
    await runForm(page);
    expect(
      await query("select public.double(2) as result, provolatile from pg_proc where proname = 'double'"),
    ).toEqual([{ result: '4.0', provolatile: 'i' }]);

    await link(page, 'New publication').click();
    await page.getByLabel('Name', { exact: true }).fill('live');
    await runForm(page);
    await link(page, 'Install: citext').click();
    await runForm(page);
    await link(page, 'Remove: citext').click();
    await page.getByLabel('Type citext to confirm').fill('citext');
    await runForm(page);

    await page.goto(structure('?table=tags'));
    await link(page, 'New trigger').click();
    await page.getByLabel('Name', { exact: true }).fill('touch');
    await page.getByLabel('update', { exact: true }).check();
    await page.getByLabel('Function').selectOption('public.touch');
    await runForm(page);
    await link(page, 'Disable: touch').click();
    await runForm(page);
    await expect(section(page, 'Triggers')).toContainText('Disabled');
    await link(page, 'Add: live').click();
    await expect(sql(page)).toHaveText('alter publication "live" add table "public"."tags";');
    await runForm(page);
    await expect(
      section(page, 'Publications').getByRole('listitem').filter({ hasText: 'live' }),
    ).toContainText('Contains this table');
  });
});

test('turns row-level security on, and renames a table', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await createTable('plain', 'id int');
    await page.goto(structure('?table=plain'));
    await expect(section(page, 'Row-level security')).toContainText('Off');
    await link(page, 'Change').click();
    await page.getByRole('checkbox', { name: 'Row-level security' }).check();
    await expect(sql(page)).toHaveText('alter table "public"."plain" enable row level security;');
    await runForm(page);
    await expect(section(page, 'Row-level security')).toContainText('On');
    await link(page, 'Edit').first().click();
    await page.getByLabel('Name', { exact: true }).fill('renamed');
    await runForm(page);
    await expect(page.getByRole('heading', { name: 'renamed', level: 1 })).toBeVisible();
    await link(page, 'Drop').first().click();
    await page.getByLabel('Type renamed to confirm').fill('renamed');
    await runForm(page);
    expect(await query("select to_regclass('public.renamed') as found")).toEqual([{ found: null }]);
  });
});

test('refuses a form whose table another administrator has changed, and shows the difference', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await createTable('shared', 'id int, note text');
    await page.goto(structure('?table=shared&change=column.alter&object=note'));
    await page.getByLabel('Name', { exact: true }).fill('text');
    await query('alter table public.shared alter column note set not null');
    await run(page);
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(
      'This definition has changed since you opened the form. Nothing was run.',
    );
    await expect(alert).toContainText('columns.note.is_not_null: false');
    await expect(alert).toContainText('columns.note.is_not_null: true');
    await run(page);
    await expect(alert).toContainText('Nothing was run.');
    await link(page, 'Open the form again').click();
    await page.getByLabel('Name', { exact: true }).fill('text');
    await runForm(page);
    expect(
      await query(
        "select attname from pg_attribute where attrelid = 'public.shared'::regclass and attnum > 0",
      ),
    ).toEqual([{ attname: 'id' }, { attname: 'text' }]);
  });
});

test('keeps the form, and shows the error of the database, if a change is refused', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    const before = await readdir(join(project, 'supabase/migrations'));
    await page.goto(structure('?table=tags&change=check.add'));
    await page.getByLabel('Expression').fill('nope > 1');
    await run(page);
    await expect(page.getByRole('alert')).toContainText('column "nope" does not exist');
    await expect(page.getByLabel('Expression')).toHaveValue('nope > 1');
    expect(await readdir(join(project, 'supabase/migrations'))).toEqual(before);
    expect(
      await query(
        "select outcome from greenroom.audit_log where action = 'check.add' order by id desc limit 1",
      ),
    ).toEqual([{ outcome: 'failed' }]);
  });
});

test('changes a column with the keyboard only', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await createTable('keys_only', 'id int');
    await page.goto(structure('?table=keys_only'));
    await link(page, 'Edit: id').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: /Edit column/ })).toBeFocused();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('heading', { name: /Edit column/ })).toBeHidden();
    await link(page, 'Edit: id').focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: /Edit column/ })).toBeFocused();
    await page.keyboard.press('Tab');
    await page.keyboard.type('number');
    await page.keyboard.press('Enter');
    await done(page);
    await expect(section(page, 'Columns')).toContainText('number');
  });
});

test('draws the tables and foreign keys of a schema, finds a table, and opens it', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.goto(structure('?table=tags'));
    await link(page, 'Diagram').click();
    const drawing = section(page, 'Diagram of the tables');
    await expect(drawing.getByRole('link', { name: 'Open tags' })).toBeVisible();
    await expect(drawing.locator('.react-flow__edge')).not.toHaveCount(0);
    await drawing.getByRole('button', { name: 'Zoom in' }).click();
    await expect(drawing.getByText('label')).toBeVisible();
    for (const _ of Array.from({ length: 4 }))
      await drawing.getByRole('button', { name: 'Zoom out' }).click();
    await expect(drawing.getByText('label')).toHaveCount(0);
    await expect(drawing.getByRole('link', { name: 'Open tags' })).toHaveText('tags');
    await page.getByLabel('Find a table').fill('label');
    await expect(section(page, 'Tables as a list').getByRole('listitem')).toHaveText(['tagsRefers to notes']);
    await page.getByLabel('Find a table').fill('notes');
    await expectNoViolations(page);
    await drawing.getByRole('link', { name: 'Open notes' }).click();
    await expect(page.getByRole('heading', { name: 'notes', level: 1 })).toBeVisible();
    await page.goBack();
    await section(page, 'Tables as a list').getByRole('link', { name: 'tags' }).focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('heading', { name: 'tags', level: 1 })).toBeVisible();
  });
});

test('is accessible at all widths, also with an open form', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    for (const path of [
      '',
      '?table=tags',
      '?table=tags&change=foreign_key.add',
      '?change=table.create',
      '?table=missing',
    ]) {
      await page.goto(structure(path));
      await expectNoViolations(page, path);
    }
  });
});

test('only reads where schema changes are not allowed, and names the reason', async ({ browser }) => {
  await site.stop();
  const { url } = site;
  site = await startInstance(
    site.folder,
    { GREENROOM_ADMIN_SCHEMA_CHANGES: 'off', PORT: new URL(url).port },
    'start',
    ['--project', project],
  );
  await asAdmin(browser, async (page) => {
    await page.goto(structure('?table=tags&change=column.add'));
    await expect(page.getByText('The setting GREENROOM_ADMIN_SCHEMA_CHANGES is “off”.')).toBeVisible();
    await expect(section(page, 'Columns')).toContainText('label');
    await expect(page.getByRole('button', { name: 'Run' })).toHaveCount(0);
    await expect(link(page, 'New column')).toHaveCount(0);
    const refused = await page.request.post(structure('?table=tags&change=column.add'), {
      form: { name: 'x', type: 'int' },
      headers: { origin: site.url },
    });
    expect(refused.status()).toBe(400);
    expect(
      await query("select 1 from pg_attribute where attrelid = 'public.tags'::regclass and attname = 'x'"),
    ).toEqual([]);
  });
});
