/**
 * `node e2e/admin-scale/main.ts --users 1000000 --rows 10000000`: uses the admin area of an instance with so many users and rows.
 * Measures first answers, statements, scripts and scrolling; performs the main task of each section, checks its page with axe, and
 * performs five tasks with the keyboard only. Fails if a measurement exceeds its limit or a check fails.
 */
import { parseArgs } from 'node:util';
import { chromium, type Page } from '@playwright/test';
import { withDatabase } from '../support/database.ts';
import { startProjectSite } from '../support/project-site.ts';
import { SessionApi } from '../support/sessions.ts';
import { fill } from './fill.ts';
import { performKeyboardTasks } from './keyboard/keyboard-tasks.ts';
import { measure } from './measurements.ts';
import { Report } from './report.ts';
import { performSectionTasks } from './tasks/section-tasks.ts';
import { CONFIG } from './tasks/settings.ts';

const { values } = parseArgs({
  options: { users: { type: 'string', default: '1000000' }, rows: { type: 'string', default: '10000000' } },
});
const sizes = `${values.users} users and ${values.rows} rows`;
const report = new Report((line) => process.stdout.write(`${line}\n`));
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
const site = await startProjectSite(browser, CONFIG, { GREENROOM_META_MAX_RUNNING: '8' });
try {
  await withDatabase(site.folder, (database) =>
    fill(database, { users: Number(values.users), rows: Number(values.rows) }),
  );
  report.note('filled', sizes);
  const use = async (page: Page) => {
    await measure(page.context(), site, report);
    const desk = { page, site, api: await SessionApi.of(site) };
    await performSectionTasks(desk, report);
    await performKeyboardTasks(desk, report);
  };
  await site.asAdmin(browser, use, { viewport: { width: 1280, height: 800 } });
} finally {
  await browser.close();
  await site.end();
}
report.end(sizes);
process.exitCode = report.hasFailed ? 1 : 0;
