/** The overview of the admin area: health, charts, recent errors, slow statements and changes. */
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { type AsAdmin, createAdministrator } from './support/administrator.ts';
import { expectNoViolations } from './support/axe.ts';
import { withDatabase } from './support/database.ts';
import { endFullInstance, startFullInstance } from './support/full-instance.ts';
import type { Instance } from './support/instance.ts';
import { readStatus } from './support/shared-instance.ts';

let site: Instance;
let asAdmin: AsAdmin;

// Keeps these tests in one worker: each further worker would start another instance.
test.describe.configure({ mode: 'default' });
test.beforeAll(async ({ browser }) => {
  site = await startFullInstance();
  ({ asAdmin } = await createAdministrator(browser, site));
  // The first sample is recorded within ten seconds.
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin`);
    await expect(async () => {
      await page.reload();
      await expect(page.getByRole('figure', { name: 'Requests' })).toBeVisible({ timeout: 1000 });
    }).toPass();
  });
});
test.afterAll(() => endFullInstance(site));

const CHARTS = [
  'Requests',
  'Latency',
  'Errors by service',
  'Realtime messages',
  'Realtime connections',
  'Database connections',
  'Processor',
  'Memory',
  'Database and files',
];

for (const scripts of [true, false]) {
  test(`shows the health, the version and the values of each chart, with JavaScript ${scripts ? 'on' : 'off'}`, async ({
    browser,
  }) => {
    await asAdmin(
      browser,
      async (page) => {
        await page.goto(`${site.url}/admin`);
        await expect(page.getByText(/^Greenroom \d+\.\d+/)).toBeVisible();
        const parts = page.getByRole('list', { name: 'Parts of the instance' }).getByRole('listitem');
        await expect(parts.filter({ hasText: 'database' })).toContainText('Ready');
        for (const name of CHARTS) {
          const chart = page.getByRole('figure', { name, exact: true });
          await expect(chart.locator('canvas')).toHaveCount(scripts ? 1 : 0);
          await chart.getByText('Show as table').click();
          await expect(chart.getByRole('table', { name }).getByRole('row').nth(1)).toBeVisible();
        }
        await expect(page.getByRole('figure', { name: 'Memory' })).toContainText(/Used \d+(\.\d)? MB/);
        await expect(page.getByRole('figure', { name: 'Database and files' })).toContainText(
          /Database [\d.]+ MB/,
        );
        await page.getByRole('navigation', { name: 'Range' }).getByRole('link', { name: 'Week' }).click();
        await expect(page).toHaveURL(`${site.url}/admin?range=week`);
        await expect(page.getByRole('figure', { name: 'Requests' })).toBeVisible();
      },
      { javaScriptEnabled: scripts },
    );
  });
}

test('lists recent errors, and leads from one to the lines of its request', async ({ browser }) => {
  const key = (await readStatus(site.folder)).SERVICE_ROLE_KEY ?? '';
  await withDatabase(site.folder, (database) =>
    database.query({
      text: `create or replace function public.fail_always() returns void language plpgsql as
        $$ begin raise sqlstate 'PT503' using message = 'broken on purpose'; end $$`,
    }),
  );
  const call = () =>
    fetch(`${site.url}/rest/v1/rpc/fail_always`, { method: 'POST', headers: { apikey: key } });
  // The schema cache loads the new function.
  await expect(async () => expect((await call()).status).toBe(503)).toPass();
  const id = (await call()).headers.get('x-request-id') ?? '-';
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin`);
    const errors = page.getByRole('region', { name: 'Recent errors' });
    await expect(errors).toContainText('503 POST /rest/v1/rpc/fail_always');
    await errors.getByRole('link', { name: id }).click();
    await expect(page).toHaveURL(`${site.url}/admin/logs?request=${id}`);
    await expect(page.getByText('POST /rest/v1/rpc/fail_always').first()).toBeVisible();
  });
});

test('lists the slowest statements and the last changes', async ({ browser }) => {
  await withDatabase(site.folder, (database) =>
    database.query({
      text: `insert into greenroom.audit_log (actor_email, action, target, summary, outcome)
        values ('ada@example.org', 'user.ban', 'bob', 'Banned bob@example.org', 'done')`,
    }),
  );
  await asAdmin(browser, async (page) => {
    await page.goto(`${site.url}/admin`);
    const statements = page.getByRole('region', { name: 'Slowest statements' });
    const table = statements.getByRole('table', { name: 'Statements by total time' });
    await expect(table.getByRole('row').nth(1)).toContainText(/ms$/);
    const changes = page.getByRole('region', { name: 'Last changes' });
    await expect(changes).toContainText('ada@example.org');
    await changes.getByRole('link', { name: 'Banned bob@example.org' }).click();
    await expect(page).toHaveURL(`${site.url}/admin/logs?tab=changes&target=bob`);
    await expect(page.getByRole('list', { name: 'Changes of administrators' })).toContainText('Banned bob');
  });
});

test('loads at most 180 KB of its own scripts, and is accessible on wide and narrow screens', async ({
  browser,
}) => {
  await asAdmin(browser, async (page) => {
    const scripts = new Set<string>();
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.add(request.url());
    });
    await page.goto(`${site.url}/admin/users`);
    await expect(page.getByRole('heading', { name: 'Users', exact: true })).toBeVisible();
    await page.waitForLoadState('networkidle');
    const shared = new Set(scripts);
    await page.goto(`${site.url}/admin`);
    await expect(page.getByRole('figure', { name: 'Memory' }).locator('canvas')).toBeVisible();
    await page.waitForLoadState('networkidle');
    const own = [...scripts].filter((url) => !shared.has(url));
    const sizes = await Promise.all(
      own.map(async (url) => gzipSync(await (await page.request.get(url)).body()).length),
    );
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeGreaterThan(0);
    expect(total).toBeLessThan(180_000);
    await expectNoViolations(page);
  });
});
