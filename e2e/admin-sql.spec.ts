/** The SQL page of the admin area: the editor, runs and their results, drafts, saved queries and the history. */
import { readFile } from 'node:fs/promises';
import { type Browser, type BrowserContext, expect, type Page, test } from '@playwright/test';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { claimAdmin, createAccount, signUp, submitCredentials } from './support/person.ts';
import { baseUrl } from './support/shared-instance.ts';
import { sqlEditor as editor, resultGrid as grid, writeSql as write } from './support/sql-page.ts';

const SQL = '/admin/sql';

const results = (page: Page) => page.getByRole('region', { name: 'Results' });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const asSuperuser = (text: string, values: unknown[] = []) =>
  withDatabase(undefined, (database) => database.query<Record<string, unknown>>({ text, values }));

/** Runs `use` on the page of a new administrator. */
async function asAdmin(
  browser: Browser,
  use: (page: Page, context: BrowserContext) => Promise<void>,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const context = await browser.newContext({ locale: 'en-GB', ...options });
  const page = await context.newPage();
  await createAccount(page);
  await claimAdmin(page);
  await page.goto(baseUrl() + SQL);
  await use(page, context);
  await context.close();
}

async function runAll(page: Page, sql: string): Promise<void> {
  await write(page, sql);
  await page.keyboard.press('Control+Shift+Enter');
}

const textOf = (page: Page) =>
  page
    .locator('.cm-content')
    .evaluate((element) =>
      [...element.querySelectorAll('.cm-line')].map((line) => line.textContent).join('\n'),
    );

test('completes schemas, tables, columns, functions and types of the real database', async ({ browser }) => {
  // A retry finds the objects of the first attempt.
  await asSuperuser('drop schema if exists garden cascade');
  await asSuperuser('drop table if exists public.flower_shops');
  await asSuperuser('create schema garden');
  await asSuperuser('create table garden.flowers (petal_count int, scent text)');
  await asSuperuser('create table public.flower_shops (opening_hours text)');
  await asSuperuser(
    "create or replace function public.water_flowers(litres int) returns void language sql as ''",
  );
  await asSuperuser('create domain garden.leaf_shape as text');
  await asAdmin(browser, async (page) => {
    const answered = page.waitForResponse(/\/admin\/sql\/schema$/);
    await expect(page.locator('.cm-content')).toBeVisible();
    expect((await answered).status()).toBe(200);
    const options = page.locator('.cm-tooltip-autocomplete').getByRole('option');
    for (const [typed, option] of [
      ['select * from gard', 'gardenschema'],
      ['select * from garden.fl', 'flowerstable'],
      ['select * from flower_sh', 'flower_shopstable'],
      ['select petal from garden.flowers f where f.pet', 'petal_countinteger'],
      ['select water_fl', 'water_flowersfunction'],
      ['select 1::garden.leaf', 'garden.leaf_shapetype'],
      ['sele', 'select'],
    ] as const) {
      await write(page, '');
      await page.keyboard.type(typed);
      await expect(options.filter({ hasText: option }).first(), typed).toBeVisible();
      await page.keyboard.press('Escape');
    }
    await write(page, '');
    await page.keyboard.type('select * from flower_sh');
    await expect(options.first()).toHaveAttribute('aria-selected', 'true');
    // The editor ignores keys that may have been typed before the list appeared.
    await page.waitForTimeout(200);
    await page.keyboard.press('Tab');
    await expect.poll(() => textOf(page)).toBe('select * from flower_shops');
  });
});

test('runs the statement at the cursor, the selection, or all, by keyboard', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await write(page, "select 'first' as one;\n\nselect 'second' as two;\nselect 'third' as three");
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('Control+Enter');
    await expect(grid(page).getByRole('gridcell')).toHaveText(['first']);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Control+Enter');
    await expect(grid(page).getByRole('gridcell')).toHaveText(['second']);
    await page.keyboard.press('Shift+Control+End');
    await expect(button(page, 'Run selection')).toBeVisible();
    await page.keyboard.press('Control+Enter');
    await expect(page.getByRole('radio', { name: /^\d SELECT$/ })).toHaveCount(2);
    await expect(grid(page).getByRole('gridcell')).toHaveText(['third']);
    await page.keyboard.press('Control+Shift+Enter');
    await expect(page.getByRole('radio', { name: /^\d SELECT$/ })).toHaveCount(3);
  });
});

test('shows several results with their times, counts of changed rows, and notices', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await runAll(
      page,
      `create temp table counted as select generate_series(1, 3) as id; update counted set id = id + 1;
       create temp table if not exists counted (id int); select count(*) as total from counted`,
    );
    await expect(grid(page).getByRole('gridcell')).toHaveText(['3']);
    await expect(results(page).getByText('relation "counted" already exists, skipping')).toBeVisible();
    await expect(results(page).getByText(/^1 row · [\d.,]+ ms$/)).toBeVisible();
    await page.getByRole('radio', { name: '2 UPDATE' }).check();
    await expect(results(page).getByText(/UPDATE · 3 rows changed · [\d.,]+ ms/)).toBeVisible();
    await expect(grid(page)).toBeHidden();
    await runAll(page, 'select 1 as nothing where false');
    await expect(page.getByRole('heading', { name: 'No rows' })).toBeVisible();
  });
});

test('marks the place of an error in the editor, also after a selection, and leads to it', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await runAll(page, "select 1;\nselect '😀', misspelled from pg_class");
    const alert = results(page).getByRole('alert');
    await expect(alert).toContainText('column "misspelled" does not exist (42703)');
    await expect(alert).toContainText('The statement before it took effect.');
    await expect(page.locator('.cm-sql-error')).toHaveText('misspelled');
    await page.keyboard.press('Control+Home');
    await button(page, 'Go to line 2, column 14').click();
    await expect(editor(page)).toBeFocused();
    await page.keyboard.insertText('relname as ');
    await expect(page.locator('.cm-sql-error')).toHaveCount(0);
    // The place of an explained statement is that in the editor, too.
    await write(page, 'select 1;\nselect nothing_here');
    await button(page, 'Explain').click();
    await expect(page.locator('.cm-sql-error')).toHaveText('nothing_here');
  });
});

test('cancels a running statement by its button and by Escape', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    for (const cancel of [() => button(page, 'Cancel').click(), () => page.keyboard.press('Escape')]) {
      await runAll(page, 'select pg_sleep(100)');
      await expect(results(page).getByRole('status')).toHaveText('Running…');
      await expect(page.getByText(/^Running for \d+ s$/)).toBeVisible();
      await cancel();
      await expect(results(page).getByRole('alert')).toHaveText('Cancelled.');
      await expect(button(page, 'Run all')).toBeEnabled();
    }
    const sleeping = await asSuperuser(
      "select 1 from pg_stat_activity where state = 'active' and query = 'select pg_sleep(100)'",
    );
    expect(sleeping).toEqual([]);
  });
});

test('continues a run when the page is left, and finds it again with its result', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    const lock = Math.floor(Math.random() * 1_000_000_000);
    await withDatabase(undefined, async (database) => {
      await database.query({ text: 'select pg_advisory_lock($1)', values: [lock] });
      await runAll(page, `select pg_advisory_lock(${lock}); select 'it went on' as answer`);
      await expect(page.getByText(/^Running for \d+ s$/)).toBeVisible();
      await expect
        .poll(async () => (await page.request.get(`${baseUrl()}${SQL}/runs`)).text())
        .toContain('"is_running":true');
      await page.goto(`${baseUrl()}/admin/users`);
      await page.goto(baseUrl() + SQL);
      const notice = page.getByRole('status').filter({ hasText: 'A statement of yours is running.' });
      await notice.getByRole('button', { name: 'Show' }).click();
      await expect(button(page, 'Cancel')).toBeVisible();
      await page.goto(`${baseUrl()}/admin/users`);
      await database.query({ text: 'select pg_advisory_unlock($1)', values: [lock] });
    });
    await expect
      .poll(async () => (await page.request.get(`${baseUrl()}${SQL}/runs`)).text())
      .toContain('"has_result":true');
    await page.goto(baseUrl() + SQL);
    await button(page, 'History').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show result' }).click();
    await expect(grid(page).getByRole('gridcell')).toHaveText(['it went on']);
  });
});

test('explains a statement with its times in a transaction that is rolled back, and marks the costliest part', async ({
  browser,
}) => {
  await asSuperuser('create table public.explained (id int)');
  await asSuperuser('alter table public.explained owner to postgres');
  await asAdmin(browser, async (page) => {
    await write(page, 'select 1;\ninsert into explained select generate_series(1, 20000) order by random()');
    await button(page, 'Explain').click();
    const plan = page.getByRole('list', { name: 'Plan' });
    await expect(plan.getByText('Insert', { exact: true })).toBeVisible();
    await expect(plan.getByText('Costliest', { exact: true })).toBeVisible();
    await expect(results(page).getByText(/^Execution/)).toBeHidden();
    await button(page, 'Explain analyze').click();
    await expect(results(page).getByText(/^Execution [\d.,]+ ms$/)).toBeVisible();
    await expect(results(page).getByText(/^Planning [\d.,]+ ms$/)).toBeVisible();
    await expect(results(page).getByText('Rolled back: nothing was changed.')).toBeVisible();
    await expect(plan.getByText(/20,000 rows · [\d,]+ rows? estimated/).first()).toBeVisible();
    await expect(plan.getByText(/\d ms · \d+ % of the whole/).first()).toBeVisible();
    await expect(plan.getByText('Costliest', { exact: true })).toBeVisible();
    await write(
      page,
      'select * from generate_series(1, (select count(*)::int * 20 from pg_class)) g where g % 2 = 0',
    );
    await button(page, 'Explain analyze').click();
    await expect(plan.getByText(/× more rows than estimated/).first()).toBeVisible();
  });
  expect(await asSuperuser('select count(*)::int as rows from public.explained')).toEqual([{ rows: 0 }]);
});

test('draws a line or bars over a number of a result', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await runAll(
      page,
      `select day::date, (extract(day from day) ^ 2)::int as sales, 'x' as word
       from generate_series('2026-01-01'::date, '2026-01-20', '1 day') day`,
    );
    await page.getByRole('radio', { name: 'Chart' }).check();
    const chart = page.getByRole('img', { name: 'sales by day' });
    await expect(chart.locator('canvas')).toBeVisible();
    await expect(page.getByRole('radio', { name: 'Line' })).toBeChecked();
    const line = await chart.screenshot();
    await page.getByRole('radio', { name: 'Bars' }).check();
    await expect.poll(async () => (await chart.screenshot()).equals(line)).toBe(false);
    await page.getByLabel('X axis').selectOption('word');
    await expect(page.getByRole('img', { name: 'sales by word' }).locator('canvas')).toBeVisible();
    await runAll(page, "select 'only text' as word");
    await page.getByRole('radio', { name: 'Chart' }).check();
    await expect(page.getByText('This result has no column with numbers')).toBeVisible();
  });
});

test('keeps typed SQL through reloads, a crash, a sign-out and a lost connection', async ({ browser }) => {
  const context = await browser.newContext({ locale: 'en-GB' });
  const page = await context.newPage();
  const person = await createAccount(page);
  await claimAdmin(page);
  await page.goto(baseUrl() + SQL);
  await write(page, 'select 1 as kept_one');
  await button(page, 'New query').click();
  await write(page, 'select 2 as kept_two');
  await page.reload();
  await expect.poll(() => textOf(page)).toBe('select 2 as kept_two');
  const tabs = page.getByRole('navigation', { name: 'Queries' });
  await tabs.getByRole('button', { name: 'select 1 as kept_one', exact: true }).click();
  await expect.poll(() => textOf(page)).toBe('select 1 as kept_one');

  await context.setOffline(true);
  await editor(page).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(', 3 as offline');
  await page.keyboard.press('Control+Shift+Enter');
  await expect(results(page).getByText(/The connection was lost/)).toBeVisible();
  await context.setOffline(false);
  // The run never began, so it can be started again.
  await expect(results(page).getByRole('alert')).toHaveText(
    'The connection was lost. What you typed is kept.',
  );
  await expect.poll(() => textOf(page)).toBe('select 1 as kept_one, 3 as offline');

  // A crash: the window ends without any event of the page.
  await page.keyboard.insertText(', 4 as crashed');
  await expect.poll(() => textOf(page)).toContain('crashed');
  const next = await context.newPage();
  await page.close({ runBeforeUnload: false });
  await next.goto(baseUrl() + SQL);
  await expect.poll(() => textOf(next)).toBe('select 1 as kept_one, 3 as offline, 4 as crashed');

  await next.goto(`${baseUrl()}/sign-out`);
  await next.goto(`${baseUrl()}/login`);
  if (await next.getByLabel('Email address').isVisible()) await submitCredentials(next, person);
  await expect(next.getByRole('heading', { name: 'Home' })).toBeVisible();
  await next.goto(baseUrl() + SQL);
  await expect.poll(() => textOf(next)).toBe('select 1 as kept_one, 3 as offline, 4 as crashed');
  await expect(
    next
      .getByRole('navigation', { name: 'Queries' })
      .getByRole('button', { name: 'select 2 as kept_two', exact: true }),
  ).toHaveCount(1);
  await context.close();
});

test('replaces the text area by the editor without losing text, cursor or focus', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/\/create-editor-.*\.js$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.reload();
    const area = page.locator('textarea[name=sql]');
    await area.click();
    await area.pressSequentially('select 12 as typed');
    for (let key = 0; key < 'as typed'.length; key++) await page.keyboard.press('ArrowLeft');
    release();
    await expect(page.locator('.cm-content')).toBeFocused();
    await expect(area).toBeHidden();
    await page.keyboard.insertText('+ 1 ');
    await expect.poll(() => textOf(page)).toBe('select 12 + 1 as typed');
  });
});

test('saves queries privately or for all, and overwrites no change of another administrator', async ({
  browser,
}) => {
  const name = `Shared ${crypto.randomUUID()}`;
  const secret = `Private ${crypto.randomUUID()}`;
  const save = async (page: Page, title: string, isShared: boolean) => {
    await button(page, 'Save').click();
    const dialog = page.getByRole('dialog', { name: 'Save query' });
    await dialog.getByLabel('Name').fill(title);
    if (isShared) await dialog.getByLabel('Share with all administrators').check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toBeHidden();
    await expect(button(page, 'Saved')).toBeDisabled();
  };
  await asAdmin(browser, async (first) => {
    await write(first, 'select 1 as original');
    await save(first, name, true);
    await button(first, 'New query').click();
    await write(first, 'select 1 as secret');
    await save(first, secret, false);
    await asAdmin(browser, async (second) => {
      await button(second, 'Saved queries').click();
      const list = second.getByRole('dialog', { name: 'Saved queries' });
      await list.getByLabel('Search by name').fill(name.slice(0, 20));
      await expect(list.getByRole('button', { name: `Open ${secret}` })).toHaveCount(0);
      await list.getByRole('button', { name: `Open ${name}` }).click();
      await expect.poll(() => textOf(second)).toBe('select 1 as original');
      await write(second, 'select 2 as theirs');
      await button(second, 'Save').click();
      await expect(button(second, 'Saved')).toBeDisabled();
    });
    await first
      .getByRole('navigation', { name: 'Queries' })
      .getByRole('button', { name, exact: true })
      .click();
    await write(first, 'select 3 as mine');
    await button(first, 'Save').click();
    const conflict = first.getByRole('dialog', { name: 'This query was changed meanwhile' });
    await expect(conflict.getByRole('region', { name: 'Their version' })).toContainText('select 2 as theirs');
    await expect(conflict.getByRole('region', { name: 'Your version' })).toContainText('select 3 as mine');
    const stored = () => asSuperuser('select sql from greenroom.saved_queries where name = $1', [name]);
    expect(await stored()).toEqual([{ sql: 'select 2 as theirs' }]);
    await conflict.getByRole('button', { name: 'Save yours' }).click();
    await expect(conflict).toBeHidden();
    expect(await stored()).toEqual([{ sql: 'select 3 as mine' }]);
    await button(first, 'Saved queries').click();
    await first.getByRole('button', { name: `Delete ${name}` }).click();
    await first.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(first.getByText('Query deleted').first()).toBeVisible();
    expect(await stored()).toEqual([]);
  });
});

test('finds earlier runs by a part of their SQL and opens them', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await runAll(page, "select 'apples' as fruit");
    await expect(grid(page).getByRole('gridcell')).toHaveText(['apples']);
    await runAll(page, 'select no_such_fruit');
    await expect(results(page).getByRole('alert')).toBeVisible();
    await button(page, 'History').click();
    const history = page.getByRole('dialog', { name: 'History' });
    await expect(history.getByRole('listitem')).toHaveCount(2);
    await expect(history.getByRole('listitem').first()).toContainText('Failed');
    await history.getByLabel('Search in SQL').fill('APPLES');
    await expect(history.getByRole('listitem')).toHaveCount(1);
    await expect(history.getByRole('listitem')).toContainText('Done');
    await history.getByRole('button', { name: 'Open in a new tab' }).click();
    await expect.poll(() => textOf(page)).toBe("select 'apples' as fruit");
    await button(page, 'History').click();
    await history.getByRole('button', { name: 'Clear history' }).click();
    await expect(history.getByText('No runs found')).toBeVisible();
  });
});

test('refuses to write while it is read-only, and ends statements after their time limit', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    await page.getByLabel('Read-only').check();
    await runAll(page, 'create table public.must_not_exist (id int)');
    await expect(results(page).getByRole('alert')).toContainText('read-only transaction');
    await page.getByLabel('Time limit').selectOption('5 seconds');
    await runAll(page, 'select pg_sleep(60)');
    await expect(results(page).getByRole('alert')).toContainText('statement timeout');
  });
  expect(await asSuperuser("select to_regclass('public.must_not_exist') as found")).toEqual([
    { found: null },
  ]);
});

for (const scripts of [true, false]) {
  test(`refuses SQL that changes the schema where changes are off, with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    await asAdmin(
      browser,
      async (page) => {
        await expect(page.getByText('SQL that changes the schema is refused.')).toBeVisible();
        await expect(page.getByLabel('Migration file')).toHaveCount(0);
        const sql = `select 1; create table public.must_not_be_created_${scripts} (id int)`;
        if (scripts) await runAll(page, sql);
        else {
          await editor(page).fill(sql);
          await button(page, 'Run').click();
        }
        await expect(results(page).getByRole('alert')).toContainText(
          'The SQL may change the schema, so it did not run. The setting GREENROOM_ADMIN_SCHEMA_CHANGES is “off”.',
        );
        await expect(results(page).getByText('1 row')).toHaveCount(0);
      },
      { javaScriptEnabled: scripts },
    );
    expect(
      await asSuperuser('select to_regclass($1) as found', [`public.must_not_be_created_${scripts}`]),
    ).toEqual([{ found: null }]);
  });
}

test('runs as another role with claims', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.getByLabel('Role').selectOption('authenticated');
    await page.getByLabel('Claims (JSON)').fill('{"sub": ');
    await expect(page.getByText('The claims are not a JSON object.')).toBeVisible();
    await page.getByLabel('Claims (JSON)').fill('{"sub": "00000000-0000-4000-8000-00000000000a"}');
    await runAll(page, 'select current_user, auth.uid()');
    await expect(grid(page).getByRole('gridcell')).toHaveText([
      'authenticated',
      '00000000-0000-4000-8000-00000000000a',
    ]);
  });
});

test('moves through ten thousand rows and hundreds of columns by keyboard, copies a cell and shows a whole value', async ({
  browser,
}) => {
  await asAdmin(
    browser,
    async (page) => {
      await page.getByLabel('Rows per result').selectOption('10,000');
      const columns = Array.from({ length: 200 }, (_, index) => `${index} as c${index}`).join(', ');
      await runAll(
        page,
        `select n, jsonb_build_object('number', n, 'list', array[1, 2]) as data, ${columns} from generate_series(1, 10001) n`,
      );
      await expect(grid(page)).toHaveAttribute('aria-rowcount', '10001');
      await expect(grid(page)).toHaveAttribute('aria-colcount', '203');
      expect(await grid(page).getByRole('gridcell').count()).toBeLessThan(2000);
      const focused = page.locator('[role=gridcell]:focus');
      await grid(page).getByRole('gridcell').first().click();
      await page.keyboard.press('Control+End');
      await expect(focused).toHaveText('199');
      await expect(focused).toBeInViewport();
      await page.keyboard.press('Home');
      await expect(focused).toHaveText('10000');
      await page.keyboard.press('Control+C');
      await expect(page.getByText('Copied').first()).toBeVisible();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('10000');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: 'Value of data' });
      await expect(dialog.locator('pre')).toHaveText(/\{\s+"list": \[\s+1,\s+2\s+\],\s+"number": 10000\s+\}/);
      // A toast is newer than the dialog, and does not keep Escape from it.
      await dialog.getByRole('button', { name: 'Copy value' }).click();
      await expect(page.getByText('Copied').last()).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(dialog).toBeHidden();
      await expect(focused).toContainText('10000');
    },
    { permissions: ['clipboard-read', 'clipboard-write'] },
  );
});

test('downloads the shown rows, and all rows of a query as a stream', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.getByLabel('Rows per result').selectOption('100');
    await runAll(
      page,
      `select 1 as skipped; select n as id, case when n = 1 then 'a, b' end as body from generate_series(1, 30000) n`,
    );
    await expect(results(page).getByText(/^First 100 rows/)).toBeVisible();
    const linesOf = async (press: () => Promise<void>) => {
      const download = page.waitForEvent('download');
      await press();
      return (await readFile(await (await download).path(), 'utf8')).split('\r\n');
    };
    const shown = await linesOf(() => button(page, 'Download shown rows').click());
    expect([shown.length, ...shown.slice(0, 3)]).toEqual([102, 'id,body', '1,"a, b"', '2,']);
    const all = await linesOf(() => page.getByRole('link', { name: 'Download all rows' }).click());
    expect([all.length, ...all.slice(0, 2), all.at(-2)]).toEqual([30_002, 'id,body', '1,"a, b"', '30000,']);
  });
});

test('records each run that may write in the audit log, with its SQL and its outcome', async ({
  browser,
}) => {
  const mark = crypto.randomUUID();
  await asAdmin(browser, async (page) => {
    await runAll(page, `select 'write ${mark}'`);
    await expect(grid(page)).toBeVisible();
    await runAll(page, `select failing_column /* ${mark} */`);
    await expect(results(page).getByRole('alert')).toBeVisible();
    await page.getByLabel('Read-only').check();
    await runAll(page, `select 'read ${mark}'`);
    await expect(grid(page).getByRole('gridcell')).toHaveText([`read ${mark}`]);
  });
  const entries = await asSuperuser(
    `select action, target, after ->> 'sql' as sql, outcome, actor_email is not null as has_actor
      from greenroom.audit_log where after ->> 'sql' like '%' || $1 || '%' order by id`,
    [mark],
  );
  expect(entries).toEqual([
    { action: 'sql.run', target: 'sql', sql: `select 'write ${mark}'`, outcome: 'done', has_actor: true },
    {
      action: 'sql.run',
      target: 'sql',
      sql: `select failing_column /* ${mark} */`,
      outcome: 'failed',
      has_actor: true,
    },
  ]);
});

test('runs SQL and shows its rows without scripts', async ({ browser }) => {
  await asAdmin(
    browser,
    async (page) => {
      await page.getByLabel('SQL', { exact: true }).fill("select 'without scripts' as answer; select broken");
      await button(page, 'Run').click();
      await expect(results(page).getByRole('cell', { name: 'without scripts' })).toBeVisible();
      await expect(results(page).getByRole('alert')).toContainText('column "broken" does not exist');
      await expect(page.getByLabel('SQL', { exact: true })).toHaveValue(/without scripts/);
      await page.getByLabel('SQL', { exact: true }).fill(' ');
      await button(page, 'Run').click();
      await expect(results(page).getByRole('alert')).toHaveText('Enter a statement first.');
    },
    { javaScriptEnabled: false },
  );
});

test('loads at most 300 KB of gzipped scripts, and other pages load no editor', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    await page.setExtraHTTPHeaders({ 'accept-encoding': 'gzip' });
    const sizes = new Map<string, number>();
    page.on('response', async (response) => {
      if (!/\.js($|\?)/.test(response.url())) return;
      const { responseBodySize } = await response.request().sizes();
      sizes.set(new URL(response.url()).pathname, responseBodySize);
    });
    await page.goto(`${baseUrl()}/admin/users`);
    await page.waitForLoadState('networkidle');
    expect([...sizes.keys()].filter((path) => /editor|admin-sql|chart/.test(path))).toEqual([]);
    const common = new Set(sizes.keys());
    await page.goto(baseUrl() + SQL);
    await runAll(page, 'select 1 as number');
    await page.getByRole('radio', { name: 'Chart' }).check();
    await expect(page.locator('canvas')).toBeVisible();
    await expect.poll(() => [...sizes.keys()].some((path) => path.includes('chart-view'))).toBe(true);
    const own = [...sizes].filter(([path]) => !common.has(path));
    expect(own.length).toBeGreaterThan(2);
    expect(own.reduce((sum, [, size]) => sum + size, 0)).toBeLessThan(300 * 1024);
  });
});

test('axe finds no violations on the SQL page with results, a plan, a chart and an error, at each width', async ({
  browser,
}) => {
  test.slow();
  await asAdmin(browser, async (page) => {
    await runAll(
      page,
      "select n as id, 'a long text with many words' as body, now() as at from generate_series(1, 50) n",
    );
    await expect(grid(page)).toBeVisible();
    await expectNoViolations(page, 'rows');
    await page.getByRole('radio', { name: 'Chart' }).check();
    await expect(page.locator('canvas')).toBeVisible();
    await expectNoViolations(page, 'chart');
    await button(page, 'Explain analyze').click();
    await expect(page.getByRole('list', { name: 'Plan' })).toBeVisible();
    await expectNoViolations(page, 'plan');
    await runAll(page, 'select broken');
    await expect(results(page).getByRole('alert')).toBeVisible();
    await expectNoViolations(page, 'error');
    await page.goto(`${baseUrl() + SQL}?lang=de`);
    await expect(button(page, 'Alles ausführen')).toBeVisible();
    await expectNoViolations(page, 'German');
  });
});

test('shows the SQL page and its data to admins only', async ({ page }) => {
  await page.goto(baseUrl() + SQL);
  await expect(page).toHaveURL(`${baseUrl()}/login`);
  await signUp(page);
  const response = await page.goto(baseUrl() + SQL);
  expect(response?.status()).toBe(403);
  await expect(page.getByRole('heading', { name: 'Admins only' })).toBeVisible();
  const id = crypto.randomUUID();
  for (const path of ['/runs', '/queries', '/schema', `/run?id=${id}`, `/export?run=${id}`]) {
    const answer = await page.request.get(`${baseUrl() + SQL}${path}`);
    expect([path, answer.status(), Object.keys(await answer.json())]).toEqual([
      path,
      403,
      ['code', 'message'],
    ]);
  }
  const sql = `create table public.forbidden_${id.slice(0, 8)} ()`;
  for (const path of ['', '/run', '/runs', '/queries']) {
    const form = { id, sql, intent: 'add', name: 'x' };
    const headers = { origin: new URL(baseUrl()).origin };
    const answer = await page.request.post(`${baseUrl() + SQL}${path}`, { form, headers });
    expect([path, answer.status()]).toEqual([path, 403]);
  }
  expect(
    await asSuperuser('select to_regclass($1) as found', [`public.forbidden_${id.slice(0, 8)}`]),
  ).toEqual([{ found: null }]);
});

test('refuses runs that another site sends, and unclear forms', async ({ browser }) => {
  await asAdmin(browser, async (page) => {
    const form = { id: crypto.randomUUID(), sql: 'select 1' };
    const post = (path: string, fields: Record<string, string>, origin = new URL(baseUrl()).origin) =>
      page.request.post(`${baseUrl() + SQL}${path}`, { form: fields, headers: { origin } });
    expect((await post('/run', form, 'https://evil.example')).status()).toBe(403);
    for (const [path, fields, code] of [
      ['/run', { ...form, id: 'x' }, 'form'],
      ['/run', { ...form, sql: ' ' }, 'empty'],
      ['/run', { ...form, claims: '[' }, 'claims'],
      ['/runs', { intent: 'drop' }, 'form'],
      ['/queries', { intent: 'add', sql: 'select 1' }, 'name'],
      ['/queries', { intent: 'delete', query: form.id, version: '0' }, 'form'],
    ] as const) {
      const answer = await post(path, fields);
      expect([path, answer.status(), ((await answer.json()) as { code: string }).code]).toEqual([
        path,
        400,
        code,
      ]);
    }
    expect((await post('/run', form)).status()).toBe(200);
    for (const path of ['/run?id=x', '/export?run=x', `/export?run=${form.id}&statement=7`])
      expect((await page.request.get(`${baseUrl() + SQL}${path}`)).status(), path).toBe(400);
    expect((await page.request.get(`${baseUrl() + SQL}/run?id=${crypto.randomUUID()}`)).status()).toBe(404);
  });
});
