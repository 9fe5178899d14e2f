/** Pictures of the sections of the admin area, on an instance with data. */
import type { Browser, Locator, Page } from '@playwright/test';
import { paletteButton } from '../support/axe.ts';
import { withDatabase } from '../support/database.ts';
import { type ProjectSite, startProjectSite } from '../support/project-site.ts';
import { readStatus } from '../support/shared-instance.ts';
import { resultGrid, writeSql } from '../support/sql-page.ts';
import { CONFIG, fillAdminData, MEMBER } from './admin-data.ts';
import { sendRequests } from './admin-requests.ts';
import { SIZES, type Size, take } from './camera.ts';

const ADMIN = { email: 'ada@example.org', password: 'correct horse' };

/** Long enough for a line in the charts, which have a value every ten seconds. */
const REQUESTS_MS = 150_000;

const QUERY = `-- Answers to each concert
select c.title, count(*) filter (where a.is_coming) as yes,
  count(*) filter (where not a.is_coming) as no, count(*) as asked
from concerts c join attendances a on a.concert_id = c.id
group by c.id order by yes desc;`;

/** A picture of a page. `prepare` brings the page into the state that the picture shows. */
interface Picture {
  name: string;
  path: string;
  prepare?(page: Page): Promise<void>;
  /** The part that is scrolled to the top. Default: the beginning of the page. */
  part?(page: Page): Locator;
}

/** Starts an instance, fills it, and takes the pictures. */
export async function takeAdminArea(browser: Browser): Promise<void> {
  const site = await startProjectSite(browser, CONFIG, {}, ADMIN);
  try {
    const { ANON_KEY: anonKey = '' } = await readStatus(site.folder);
    const memberId = await signUpMember(site.url, anonKey);
    await fillAdminData(site.folder, ADMIN.email);
    // The schema cache loads the tables.
    await withDatabase(site.folder, (database) => database.query({ text: `notify pgrst, 'reload schema'` }));
    await sendRequests({ url: site.url, anonKey, ...MEMBER }, AbortSignal.timeout(REQUESTS_MS));
    await takePictures(browser, site, memberId);
  } finally {
    await site.end();
  }
}

/** Signs up the member, who signs in on two more devices. */
async function signUpMember(url: string, apikey: string): Promise<string> {
  const post = async (path: string, agent: string) => {
    const response = await fetch(`${url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { apikey, 'content-type': 'application/json', 'user-agent': agent },
      body: JSON.stringify(MEMBER),
    });
    return (await response.json()) as { user: { id: string } };
  };
  const { user } = await post(
    'signup',
    'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  );
  await post(
    'token?grant_type=password',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
  );
  return user.id;
}

async function takePictures(browser: Browser, site: ProjectSite, memberId: string): Promise<void> {
  for (const size of ['desktop', 'phone'] as const) await takePicturesAt(size, browser, site, memberId);
}

/** Some pages choose their layout when they are loaded, so each size has its own browser. */
async function takePicturesAt(
  size: Size,
  browser: Browser,
  site: ProjectSite,
  memberId: string,
): Promise<void> {
  await site.asAdmin(
    browser,
    async (page) => {
      for (const { name, path, prepare, part } of picturesOf(memberId)) {
        await page.goto(site.url + path);
        await paletteButton(page).waitFor();
        await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {});
        await prepare?.(page);
        await take(page, name, [size], part?.(page) ?? page.locator('body'));
      }
    },
    { colorScheme: 'dark', reducedMotion: 'reduce', viewport: SIZES[size] },
  );
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const decisions = (page: Page) => page.getByRole('region', { name: 'Which policy decided' });

function picturesOf(memberId: string): readonly Picture[] {
  return [
    {
      name: 'admin-overview',
      path: '/admin',
      prepare: (page) => page.locator('canvas').nth(8).waitFor(),
    },
    { name: 'admin-users', path: '/admin/users' },
    { name: 'admin-user', path: `/admin/users?user=${memberId}` },
    {
      name: 'admin-tables',
      path: '/admin/tables?schema=public&table=concerts&sort=starts_at.asc',
      prepare: (page) => page.getByRole('grid').waitFor(),
    },
    { name: 'admin-structure', path: '/admin/tables/structure?schema=public&table=songs' },
    {
      name: 'admin-diagram',
      path: '/admin/tables/diagram?schema=public',
      prepare: (page) => page.getByRole('link', { name: 'Open songs' }).waitFor(),
    },
    { name: 'admin-policies', path: '/admin/policies' },
    {
      name: 'admin-try-as',
      path: `/admin/policies?schema=public&table=attendances&tab=try&as=person&user=${memberId}`,
      async prepare(page) {
        await page.getByLabel('Condition (SQL)').fill('concert_id = 7');
        await button(page, 'Try it').click();
        await decisions(page).waitFor();
      },
      part: decisions,
    },
    {
      name: 'admin-sql',
      path: '/admin/sql',
      async prepare(page) {
        await writeSql(page, QUERY);
        await button(page, 'Run all').click();
        await resultGrid(page).waitFor();
      },
    },
    {
      name: 'admin-plan',
      path: '/admin/sql',
      async prepare(page) {
        await writeSql(page, QUERY);
        await button(page, 'Explain analyze').click();
        await page.getByRole('list', { name: 'Plan' }).waitFor();
      },
      part: (page) => page.getByRole('region', { name: 'Results' }),
    },
    {
      name: 'admin-mailbox',
      path: '/admin/mailbox',
      async prepare(page) {
        await page.request.post(`${new URL(page.url()).origin}/login?mode=recover`, {
          form: { email: MEMBER.email },
          headers: { origin: new URL(page.url()).origin },
        });
        await button(page, 'Reload').click();
        const messages = page.getByRole('list', { name: 'Messages' });
        await messages.getByRole('link').filter({ hasText: MEMBER.email }).first().click();
        await page.frameLocator('iframe[title="Email preview"]').getByRole('heading').first().waitFor();
      },
    },
    { name: 'admin-templates', path: '/admin/mailbox?view=templates&kind=invite' },
    { name: 'admin-deliveries', path: '/admin/mailbox?view=deliveries' },
    {
      name: 'admin-logs',
      path: '/admin/logs?service=rest',
      async prepare(page) {
        const lines = page.getByRole('region', { name: 'Lines of the log' }).last().getByRole('listitem');
        await lines.filter({ hasText: 'tickets' }).first().locator('summary').click();
        await page.getByRole('link', { name: 'All lines of this request' }).waitFor();
      },
    },
    { name: 'admin-settings', path: '/admin/settings?section=sign-in&edit=GOTRUE_JWT_EXP' },
    {
      name: 'impersonation',
      path: `/admin/users?user=${memberId}`,
      async prepare(page) {
        const { origin } = new URL(page.url());
        await button(page, 'Use the site as this user').click();
        await page.waitForURL(`${origin}/`);
        await page.goto(`${origin}/account`);
        await page.getByRole('complementary', { name: 'Impersonation' }).waitFor();
        await paletteButton(page).waitFor();
      },
    },
  ];
}
