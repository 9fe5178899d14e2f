/** Five tasks with the keyboard only. Each begins on the overview. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from '@playwright/test';
import { resultGrid, sqlEditor } from '../../support/sql-page.ts';
import { gridCell, tableGrid } from '../../support/table-grid.ts';
import { type Desk, query } from '../desk.ts';
import { FAILED_LINE, failRequest } from '../failed-request.ts';
import { userOf } from '../fill.ts';
import { expect } from '../patient-expect.ts';
import type { Report } from '../report.ts';
import { KeyboardUser } from './keyboard-user.ts';

/** A task. `page` only names elements. */
interface KeyboardTask {
  name: string;
  perform(keys: KeyboardUser, page: Page, desk: Desk): Promise<void>;
}

const BANNED = userOf(1700);
const EDITED = userOf(1750);
const TRIED = userOf(1800);
const EXPORTED = userOf(1850);
/** Column of the grid. */
const NOTE = 4;
/** Text that the editor does not complete. */
const EXPORT_QUERY = `select id, note from events where user_id = '${EXPORTED.id}' order by id `;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const TASKS: readonly KeyboardTask[] = [
  {
    name: 'find and ban a user',
    async perform(keys, page, desk) {
      await keys.press('g', 'u');
      await keys.fill(page.getByLabel('Search'), BANNED.email);
      await keys.press('Enter');
      const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr');
      await expect(rows).toHaveCount(1);
      await keys.activate(rows.getByRole('link', { name: BANNED.email }));
      await expect(page.getByRole('heading', { level: 1, name: BANNED.email })).toBeVisible();
      await keys.choose(page.getByLabel('Ban for'), '30');
      await keys.activate(button(page, 'Ban'));
      await expect(page.getByText('The user was banned.')).toBeVisible();
      const text = `select banned_until > now() + interval '29 days' as is_banned from auth.users where id = $1`;
      expect(await query(desk, text, [BANNED.id])).toEqual([{ is_banned: true }]);
    },
  },
  {
    name: 'filter a table and edit a cell',
    async perform(keys, page, desk) {
      await keys.press('g', 't');
      const list = page.getByRole('navigation', { name: 'Tables and views' });
      await keys.fill(list.getByRole('searchbox'), 'public events');
      await keys.activate(list.getByRole('link', { name: /^events/ }));
      await keys.activate(button(page, 'Add filter'));
      await keys.choose(page.getByLabel('Column', { exact: true }), 'user');
      await keys.fill(page.getByLabel('Value', { exact: true }), EDITED.id);
      await keys.press('Enter');
      const notes = await notesOf(desk, EDITED.id);
      await expect(tableGrid(page)).toHaveAttribute('aria-rowcount', String(notes.length + 1));
      await keys.tabTo(tableGrid(page));
      await keys.press(...Array.from({ length: NOTE }, () => 'ArrowRight'), 'Enter');
      await expect(page.getByRole('dialog').getByRole('textbox')).toBeFocused();
      await keys.press('Control+A');
      await keys.type('edited with the keyboard');
      await keys.press('Enter');
      await expect(gridCell(page, 0, NOTE)).toHaveText('edited with the keyboard');
      expect(await notesOf(desk, EDITED.id)).toEqual(['edited with the keyboard', ...notes.slice(1)]);
    },
  },
  {
    name: 'try a policy as a user',
    async perform(keys, page, desk) {
      await keys.press('g', 'p');
      await keys.fill(page.getByLabel('Search', { exact: true }), 'public events');
      await keys.press('Enter');
      await keys.activate(page.getByRole('rowheader').getByRole('link', { name: 'public.events' }));
      await keys.activate(page.getByRole('link', { name: 'Try as' }));
      await keys.activate(page.getByRole('link', { name: 'A user' }));
      await keys.fill(page.getByLabel('Email address or user ID'), TRIED.email);
      await keys.press('Enter');
      await keys.activate(page.getByRole('list', { name: 'Users found' }).getByRole('link'));
      await expect(page.getByRole('region', { name: 'Claims (JSON)' })).toContainText(TRIED.id);
      await keys.activate(button(page, 'Try it'));
      const notes = await notesOf(desk, TRIED.id);
      await expect(page.getByText(`Rows read: ${notes.length}`)).toBeVisible();
    },
  },
  {
    name: 'run a query and export its result',
    async perform(keys, page, desk) {
      await keys.press('g', 'q');
      await keys.fill(sqlEditor(page), EXPORT_QUERY);
      await keys.press('Escape', 'Control+Enter');
      const notes = await notesOf(desk, EXPORTED.id);
      await expect(resultGrid(page).getByRole('gridcell').last()).toHaveText(notes.at(-1) ?? '');
      const file = await keys.download(page.getByRole('link', { name: 'Download all rows' }));
      const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n');
      expect(lines.map((line) => line.split(',')[1])).toEqual(['note', ...notes]);
    },
  },
  {
    name: 'follow an error of the log to its request',
    async perform(keys, page, desk) {
      const id = await failRequest(desk);
      await keys.press('g', 'o');
      await keys.fill(page.getByLabel('Status'), '5xx');
      await keys.press('Enter');
      const lines = page.getByRole('region', { name: 'Lines of the log' }).last().getByRole('listitem');
      await keys.activate(summaryOf(lines));
      await keys.activate(page.getByRole('link', { name: 'All lines of this request' }).first());
      await expect(page).toHaveURL(`${desk.site.url}/admin/logs?request=${id}`);
      await expect(lines.filter({ hasText: FAILED_LINE }).first()).toBeVisible();
    },
  },
];

/** Performs the tasks, each on a new page. */
export async function performKeyboardTasks(desk: Desk, report: Report): Promise<void> {
  for (const { name, perform } of TASKS) {
    const page = await desk.page.context().newPage();
    const keys = await KeyboardUser.at(page);
    await report.check('keyboard task', name, async () => {
      await keys.load(`${desk.site.url}/admin`);
      await perform(keys, page, desk);
      keys.leave();
    });
    await page.close();
  }
}

/** The newest line of a failed request. */
function summaryOf(lines: Locator): Locator {
  return lines.filter({ hasText: FAILED_LINE }).first().locator('summary');
}

async function notesOf(desk: Desk, user: string): Promise<(string | null)[]> {
  const text = 'select note from public.events where user_id = $1 order by id';
  const rows = await query<{ note: string | null }>(desk, text, [user]);
  return rows.map(({ note }) => note);
}
