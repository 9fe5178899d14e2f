/** Tables of the admin area: rows are listed, filtered, changed, imported and exported. Each test has a schema with its own tables. */
import { readFile, writeFile } from 'node:fs/promises';
import { type Browser, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { baseUrl } from './support/shared-instance.ts';
import { addFilter, gridCell as cell, tableGrid as gridOf, toast } from './support/table-grid.ts';
import { cookiesOf } from './support/viewer.ts';

const TABLES = `
  create type @.mood as enum ('calm', 'glad');
  create table @.people (id int generated always as identity primary key, name text not null);
  insert into @.people (name) select 'Person ' || n from generate_series(1, 40) n;
  create table @.notes (
    id bigint primary key, title text, body text, mood @.mood, done boolean not null default false, amount numeric(20, 4),
    tags text[], data jsonb, due date, at timestamptz, token uuid default gen_random_uuid(), file bytea,
    person int references @.people (id)
  );
  insert into @.notes (id, title, body, mood, amount, tags, data, due, at, file, person) values
    (1, 'First', 'body', 'calm', 12345678901234.5678, '{red,blue}', '{"a": 1, "big": 12345678901234567890}', '2026-01-31', '2026-01-31 10:00+00', '\\x00ff', 1),
    (2, '', null, 'glad', 2, '{}', '[]', null, null, null, 2),
    (3, null, repeat('long ', 400), null, 3, null, null, null, null, null, null);
  alter table @.notes enable row level security;
  create view @.titles as select id, title from @.notes;
  create table @.unkeyed (value text);
  insert into @.unkeyed values ('only');`;

let schemas = 0;

/** Creates the tables as `postgres` and returns their schema. */
async function newSchema(sql = ''): Promise<string> {
  schemas += 1;
  const schema = `tables_${process.pid}_${schemas}_${Date.now() % 100_000}`;
  const statements = [
    `create schema @ authorization postgres`,
    'set role postgres',
    ...(TABLES + sql).split(/;\s*$/m),
  ];
  await withDatabase(undefined, async (database) => {
    for (const text of statements.map((each) => each.replaceAll('@', schema).trim()).filter(Boolean))
      await database.query({ text });
    await database.query({ text: 'reset role' });
  });
  return schema;
}

async function query<Row extends object>(text: string): Promise<Row[]> {
  return withDatabase(undefined, (database) => database.query<Row>({ text }));
}

const pathOf = (schema: string, table: string, more = '') =>
  `${baseUrl()}/admin/tables?schema=${schema}&table=${table}${more}`;

/** Runs `use` on a page of a new browser context that is signed in as an admin. */
async function asAdmin(
  browser: Browser,
  use: (page: Page) => Promise<void>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const storageState = await cookiesOf('admin', browser);
  const context = await browser.newContext({
    storageState,
    locale: 'en-GB',
    reducedMotion: 'reduce',
    ...options,
  });
  await use(await context.newPage());
  await context.close();
}

async function open(page: Page, schema: string, table: string, more = ''): Promise<void> {
  await page.goto(pathOf(schema, table, more));
  await expect(gridOf(page)).toBeVisible();
}

test('lists schemas, tables and views with rows, sizes and row-level security, and finds them by name', async ({
  browser,
}) => {
  const schema = await newSchema();
  await query(`analyze ${schema}.people`);
  await asAdmin(browser, async (page) => {
    await page.goto(`${baseUrl()}/admin/tables`);
    const list = page.getByRole('navigation', { name: 'Tables and views' });
    await list.getByRole('searchbox', { name: 'Search tables' }).fill(`${schema} PEOPLE`);
    await expect(list.getByRole('link')).toHaveCount(1);
    await expect(list.getByRole('link')).toContainText('About 40 rows');
    await expect(list.getByRole('link')).toContainText(/\d+(\.\d)? kB/);
    await list.getByRole('searchbox').fill(schema);
    await expect(list.getByRole('link', { name: /^titles/ })).toContainText('View');
    await list.getByRole('link', { name: /^notes/ }).click();
    await expect(page).toHaveURL(pathOf(schema, 'notes'));
    await expect(page.getByText('RLS on')).toBeVisible();
    await list.getByRole('link', { name: /^people/ }).click();
    await expect(page.getByText('RLS off')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Structure' })).toHaveAttribute(
      'href',
      new RegExp(`schema=${schema}&table=people`),
    );
  });
});

test('loads rows and columns of a large table while they scroll, and keeps few of them', async ({
  browser,
}) => {
  const columns = Array.from({ length: 40 }, (_, index) => `column_${index} int default ${index}`).join(', ');
  const schema = await newSchema(`
  create table @.large (id int primary key, ${columns});
  insert into @.large (id) select n from generate_series(1, 30000) n;`);
  await asAdmin(browser, async (page) => {
    const requests: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/admin/tables/rows')) requests.push(request.url());
    });
    await open(page, schema, 'large');
    await expect(cell(page, 0, 0)).toHaveText('1');
    for (let reached = 0; reached < 2600; ) {
      await expect(async () => {
        await gridOf(page).evaluate((grid) => grid.parentElement?.scrollTo({ top: grid.scrollHeight }));
        const last = await page.getByRole('row').last().getAttribute('aria-rowindex');
        expect(Number(last)).toBeGreaterThan(reached + 90);
        reached = Number(last);
      }).toPass({ intervals: [100] });
    }
    expect(await page.getByRole('row').count()).toBeLessThan(90);
    expect(await page.getByRole('columnheader').count()).toBeLessThan(25);
    expect(requests.every((url) => url.includes('after='))).toBe(true);
    await gridOf(page).focus();
    await page.keyboard.press('Control+End');
    await expect(page.getByRole('columnheader', { name: 'column_39' })).toBeVisible();
    await page.keyboard.press('Control+Home');
    await expect(cell(page, 0, 0)).toHaveText('1');
    await expect(cell(page, 0, 0)).toBeInViewport();
  });
});

test('filters rows by type and sorts them by the header, and the URL has the selection', async ({
  browser,
}) => {
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes');
    const filters: [column: string, operator: string, value: string | undefined, ids: string[]][] = [
      ['amount', '>', '2.5', ['1', '3']],
      ['title', 'ilike', 'fir%', ['1']],
      ['title', '=', '', ['2']],
      ['title', 'is null', undefined, ['3']],
      ['id', 'in', '1, 3', ['1', '3']],
      ['data', 'contains', '{"a": 1}', ['1']],
      ['tags', 'contains', 'red', ['1']],
      ['mood', '<>', 'calm', ['2']],
    ];
    for (const [column, operator, value, ids] of filters) {
      await addFilter(page, { column, operator, value });
      await expect(gridOf(page)).toHaveAttribute('aria-rowcount', String(ids.length + 1));
      for (const [row, id] of ids.entries()) await expect(cell(page, row, 0)).toHaveText(id);
      await page.getByRole('link', { name: /^Remove the filter/ }).click();
      await expect(gridOf(page)).toHaveAttribute('aria-rowcount', '4');
    }
    await page.getByRole('columnheader', { name: 'title' }).click();
    await expect(page).toHaveURL(/sort=title\.asc/);
    await expect(page.getByRole('columnheader', { name: 'title' })).toHaveAttribute('aria-sort', 'ascending');
    await expect(cell(page, 0, 0)).toHaveText('2');
    await expect(cell(page, 2, 0)).toHaveText('3');
    await page.getByRole('columnheader', { name: 'title' }).click();
    await expect(page).toHaveURL(/sort=title\.desc/);
    await expect(cell(page, 0, 0)).toHaveText('3');
    await page.goto(pathOf(schema, 'notes', '&filter=gt:amount:much'));
    await expect(page.getByRole('alert')).toContainText('invalid input syntax for type numeric: "much"');
  });
});

test('edits values of each type by keyboard alone, records them, and undoes a change', async ({
  browser,
}) => {
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes');
    await gridOf(page).focus();
    const edit = async (column: number, change: (editor: ReturnType<Page['getByRole']>) => Promise<void>) => {
      await page.keyboard.press('Control+Home');
      for (let step = 0; step < column; step++) await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const editor = page.getByRole('dialog');
      await expect(editor).toBeVisible();
      await change(editor);
      await expect(editor).toBeHidden();
    };
    const type = (text: string) => async () => {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Enter');
    };
    await edit(1, type('Changed'));
    await expect(cell(page, 0, 1)).toHaveText('Changed');
    await edit(5, type('98765432109876.5432'));
    await edit(3, async () => {
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
    });
    await edit(4, async () => {
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
    });
    await edit(6, type('{green}'));
    await edit(7, async (editor) => {
      await page.keyboard.press('Control+a');
      await page.keyboard.type('{"a": ');
      await page.keyboard.press('Enter');
      await expect(editor.getByText('Enter valid JSON.')).toBeVisible();
      await page.keyboard.type('98765432109876543210}');
      await page.keyboard.press('Enter');
    });
    await edit(8, type('2026-12-24'));
    await edit(9, type('2026-12-24 18:00:00+00'));
    await edit(10, type('00000000-0000-4000-8000-000000000000'));
    await edit(11, type('\\xcafe'));
    await edit(2, async (editor) => {
      await editor.getByRole('radio', { name: 'NULL' }).check();
      await editor.getByRole('button', { name: 'Save' }).click();
    });
    await expect(cell(page, 0, 2)).toHaveText('NULL');
    await edit(1, async () => {
      await page.keyboard.press('Control+a');
      await page.keyboard.type('unsaved');
      await page.keyboard.press('Escape');
    });
    const [row] = await query<Record<string, string>>(
      `select title, body, mood::text, done::text, amount::text, tags::text, data::text, due::text,
        extract(epoch from at)::int::text as at, token::text, file::text from ${schema}.notes where id = 1`,
    );
    expect(row).toEqual({
      title: 'Changed',
      body: null,
      mood: 'glad',
      done: 'true',
      amount: '98765432109876.5432',
      tags: '{green}',
      data: '{"a": 98765432109876543210}',
      due: '2026-12-24',
      at: '1798135200',
      token: '00000000-0000-4000-8000-000000000000',
      file: '\\xcafe',
    });
    await edit(1, async () => {
      await page.keyboard.press('Control+a');
      await page.keyboard.press('Delete');
      await page.keyboard.press('Enter');
    });
    await expect(cell(page, 0, 1)).toHaveText('“” empty text');
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(toast(page, 'Undone')).toBeVisible();
    await expect(cell(page, 0, 1)).toHaveText('Changed');
    const entries = await query<{ action: string; before: object; after: object; undo_sql: string }>(
      `select action, before, after, undo_sql from greenroom.audit_log
        where target = '${schema}.notes' and action = 'row.update' order by id limit 1`,
    );
    expect(entries).toMatchObject([{ before: { title: 'First' }, after: { title: 'Changed' } }]);
    expect(entries[0]?.undo_sql).toContain(`"title" = 'First'`);
  });
});

test('shows long values in part, and loads and copies them whole', async ({ browser }) => {
  const schema = await newSchema();
  await asAdmin(
    browser,
    async (page) => {
      await open(page, schema, 'notes');
      const text = 'long '.repeat(400);
      await expect(cell(page, 2, 2)).toHaveText(`${text.slice(0, 500)}…`);
      await cell(page, 2, 2).dblclick();
      await expect(page.getByRole('dialog').getByRole('textbox')).toHaveValue(text);
      await page.keyboard.press('Escape');
      await page.keyboard.press('Control+c');
      await expect(toast(page, 'Copied')).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
});

test('shows both values if another administrator has changed the row, and overwrites nothing', async ({
  browser,
}) => {
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes');
    await query(`update ${schema}.notes set title = 'Theirs' where id = 1`);
    const editTitle = async (text: string) => {
      await cell(page, 0, 1).dblclick();
      await page.getByRole('dialog').getByRole('textbox').fill(text);
      await page.keyboard.press('Enter');
    };
    await editTitle('Mine');
    const conflict = page.getByRole('dialog', { name: 'The row was changed meanwhile' });
    await expect(conflict).toContainText('Theirs');
    await expect(conflict).toContainText('Mine');
    expect(await query(`select title from ${schema}.notes where id = 1`)).toEqual([{ title: 'Theirs' }]);
    await conflict.getByRole('button', { name: 'Keep the stored value' }).click();
    await expect(cell(page, 0, 1)).toHaveText('Theirs');
    await query(`update ${schema}.notes set title = 'Theirs again' where id = 1`);
    await editTitle('Mine');
    await conflict.getByRole('button', { name: 'Save your value' }).click();
    await expect(cell(page, 0, 1)).toHaveText('Mine');
  });
});

test('inserts rows with defaults and a reference that is searched, and duplicates them', async ({
  browser,
}) => {
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes');
    await page.getByRole('button', { name: 'Insert row' }).click();
    const form = page.getByRole('dialog', { name: `Insert a row into ${schema}.notes` });
    await form.getByLabel('id', { exact: true }).fill('10');
    await form
      .getByRole('group', { name: 'Kind of value: person' })
      .getByRole('radio', { name: 'Value' })
      .check();
    await form.getByRole('combobox', { name: 'person' }).fill('Person 17');
    await form.getByRole('option', { name: /Person 17/ }).click();
    await form.getByRole('button', { name: 'Insert row' }).click();
    await expect(toast(page, 'Row inserted')).toBeVisible();
    await expect(cell(page, 0, 0)).toHaveText('10');
    const [row] = await query(
      `select title, done, person, token is null as has_no_token from ${schema}.notes where id = 10`,
    );
    expect(row).toEqual({ title: null, done: false, person: 17, has_no_token: false });
    await page.getByRole('checkbox', { name: 'Select row 10' }).click();
    await page.getByRole('button', { name: 'Duplicate' }).click();
    const copy = page.getByRole('dialog', { name: `Duplicate a row of ${schema}.notes` });
    await copy.getByLabel('id', { exact: true }).fill('11');
    await copy.getByRole('button', { name: 'Insert row' }).click();
    await expect(cell(page, 0, 0)).toHaveText('11');
    expect(await query(`select person from ${schema}.notes where id = 11`)).toEqual([{ person: 17 }]);
  });
});

test('shows below the header why there are no rows, and offers to insert one or to clear the filters', async ({
  browser,
}) => {
  const schema = await newSchema('\ncreate table @.blank (id int primary key, title text);');
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'blank');
    const empty = page.getByRole('heading', { name: 'No rows', exact: true });
    await expect(empty).toBeInViewport();
    const head = await page.getByRole('columnheader', { name: 'title' }).boundingBox();
    const box = await empty.boundingBox();
    expect((box?.y ?? 0) - (head?.y ?? 0)).toBeGreaterThan(0);
    expect((box?.y ?? 0) - (head?.y ?? 0)).toBeLessThan(200);
    await page.getByRole('button', { name: 'Insert row' }).last().click();
    const form = page.getByRole('dialog', { name: `Insert a row into ${schema}.blank` });
    await form.getByLabel('id', { exact: true }).fill('1');
    await form.getByRole('button', { name: 'Insert row' }).click();
    await expect(cell(page, 0, 0)).toHaveText('1');
    await expect(empty).toBeHidden();
    await open(page, schema, 'blank', '&filter=eq:id:2');
    await expect(page.getByRole('heading', { name: 'No rows match the filters' })).toBeInViewport();
    await page.getByRole('link', { name: 'Clear filters' }).click();
    await expect(page).toHaveURL(pathOf(schema, 'blank'));
    await expect(cell(page, 0, 0)).toHaveText('1');
    await open(page, schema, 'titles', '&filter=eq:id:0');
    await expect(page.getByRole('link', { name: 'Clear filters' })).toBeInViewport();
    await expect(page.getByRole('button', { name: 'Insert row' })).toHaveCount(0);
  });
});

test('deletes selected rows after a question, and restores them exactly with undo', async ({ browser }) => {
  const schema = await newSchema();
  const before = await query(`select * from ${schema}.notes order by id`);
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes');
    await gridOf(page).focus();
    await page.keyboard.press('Shift+Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Space');
    await expect(page.getByText('2 rows selected')).toBeVisible();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page
      .getByRole('dialog', { name: 'Delete 2 rows?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    await expect(toast(page, '2 rows deleted')).toBeVisible();
    await expect(cell(page, 0, 0)).toHaveText('3');
    expect(await query(`select id from ${schema}.notes`)).toEqual([{ id: '3' }]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(cell(page, 0, 0)).toHaveText('1');
    expect(await query(`select * from ${schema}.notes order by id`)).toEqual(before);
    await open(page, schema, 'people');
    await page.getByRole('checkbox', { name: 'Select row 1', exact: true }).click();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await expect(page.getByText(/violates foreign key constraint/)).toBeVisible();
  });
});

test('imports a CSV file with mapped columns and errors by record, and continues after an interruption', async ({
  browser,
}) => {
  const schema = await newSchema(
    '\n  create table @.imported (id int primary key, name text, score numeric);',
  );
  const lines = Array.from(
    { length: 5000 },
    (_, index) => `"Name ${index}, é",${index === 4321 ? 'many' : index},${index + 1}`,
  );
  const text = `Full name,Score,ID\n${lines.join('\n')}\n`;
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'imported');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    const form = page.getByRole('dialog', { name: `Import a CSV file into ${schema}.imported` });
    // The file has the same time of change in both attempts.
    const path = test.info().outputPath('people.csv');
    await writeFile(path, text);
    await form.getByLabel('CSV file').setInputFiles(path);
    await expect(form.getByLabel('Column for Score')).toHaveValue('score');
    await form.getByLabel('Column for Full name').selectOption('name');
    await expect(form.getByRole('cell', { name: 'Name 0, é' })).toBeVisible();
    let sent = 0;
    await page.route('**/admin/tables/rows', async (route) => {
      if (route.request().postData()?.includes('import-rows') && ++sent === 3) await route.abort();
      else await route.continue();
    });
    await form.getByRole('button', { name: 'Import', exact: true }).click();
    await expect(form.getByText('Import stopped')).toBeVisible();
    expect(await query(`select count(*)::int as count from ${schema}.imported`)).toEqual([{ count: 2000 }]);
    await page.unroute('**/admin/tables/rows');
    await page.reload();
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await expect(form.getByText('The import of people.csv was interrupted.')).toBeVisible();
    await form.getByLabel('CSV file').setInputFiles(path);
    await form.getByRole('button', { name: 'Continue at record 2,001' }).click();
    await expect(form.getByText('Import finished')).toBeVisible();
    await expect(form.getByText('4,999 rows imported, 1 failed')).toBeVisible();
    await expect(form.getByText('Record 4,322: invalid input syntax for type numeric: "many"')).toBeVisible();
    expect(
      await query(`select count(*)::int as count, min(name) as name, max(id) as id from ${schema}.imported`),
    ).toEqual([{ count: 4999, name: 'Name 0, é', id: 5000 }]);
  });
});

test('exports the filtered and sorted rows as a CSV file', async ({ browser }) => {
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes', '&filter=in:id:1,3&sort=id.desc');
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Export CSV' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toBe('notes.csv');
    const text = await readFile(await saved.path(), 'utf8');
    expect(text.split('\r\n')[0]).toBe('id,title,body,mood,done,amount,tags,data,due,at,token,file,person');
    expect(
      text
        .split('\r\n')
        .slice(1, 3)
        .map((line) => line.split(',')[0]),
    ).toEqual(['3', '1']);
    expect(text).toContain('long '.repeat(400));
  });
});

test('explains why rows without a key, rows of views and rows of other owners cannot be edited', async ({
  browser,
}) => {
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'unkeyed');
    await expect(page.getByText(/has no primary key and no unique index without nulls/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Insert row' })).toBeVisible();
    await cell(page, 0, 0).dblclick();
    await expect(page.getByRole('dialog').getByRole('button', { name: 'Save' })).toHaveCount(0);
    await open(page, schema, 'titles');
    await expect(page.getByText(/Rows of a view are read-only here/)).toBeVisible();
    await expect(page.getByRole('button', { name: 'Insert row' })).toHaveCount(0);
    await query(`create table ${schema}.foreign_owner (id int primary key, value text)`);
    await query(`revoke all on ${schema}.foreign_owner from postgres`);
    await query(`grant select on ${schema}.foreign_owner to postgres`);
    await query(`insert into ${schema}.foreign_owner values (1, 'theirs')`);
    await open(page, schema, 'foreign_owner');
    await expect(page.getByText(/the role postgres may not change its rows/)).toBeVisible();
    await cell(page, 0, 1).dblclick();
    await page.getByRole('dialog').getByRole('textbox').fill('mine');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog').getByRole('alert')).toContainText(
      'permission denied for table foreign_owner',
    );
  });
});

test('shows and pages the rows of a table without JavaScript', async ({ browser }) => {
  const schema = await newSchema(
    '\n  create table @.many (id int primary key);\n  insert into @.many select n from generate_series(1, 150) n;',
  );
  await asAdmin(
    browser,
    async (page) => {
      await page.goto(pathOf(schema, 'many'));
      await expect(page.getByRole('cell', { name: '100', exact: true })).toBeVisible();
      await page.getByRole('link', { name: 'Next rows' }).click();
      await expect(page.getByRole('cell', { name: '150', exact: true })).toBeVisible();
      await page.getByRole('link', { name: 'id', exact: true }).click();
      await page.getByRole('link', { name: 'id', exact: true }).click();
      await expect(page).toHaveURL(/sort=id\.desc/);
      await expect(page.getByRole('cell').first()).toHaveText('150');
    },
    { javaScriptEnabled: false },
  );
});

test('axe finds no violations on the page of a table, its editor and its forms', async ({ browser }) => {
  test.slow();
  const schema = await newSchema();
  await asAdmin(browser, async (page) => {
    await open(page, schema, 'notes', '&filter=gt:id:0&sort=id.asc');
    await expectNoViolations(page, 'grid');
    await page.setViewportSize({ width: 1280, height: 800 });
    await cell(page, 0, 7).dblclick();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoViolations(page, 'editor', [1280]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Insert row' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoViolations(page, 'form', [390, 1280]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Import CSV' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await expectNoViolations(page, 'import', [390, 1280]);
  });
});
