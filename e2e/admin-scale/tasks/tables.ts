/** Tables: rows among ten million are filtered, changed, inserted, deleted and restored. */
import type { Page } from '@playwright/test';
import { addFilter, gridCell, tableGrid, toast } from '../../support/table-grid.ts';
import { type Desk, open, query, type SectionTask } from '../desk.ts';
import { userOf } from '../fill.ts';
import { EVENTS } from '../pages.ts';
import { expect } from '../patient-expect.ts';

const USER = userOf(1300);
/** Columns of the grid. */
const ID = 0;
const NOTE = 4;

/** Edits a cell of the rows of a user, inserts a row, deletes it, and takes that back. */
export const changeRows: SectionTask = {
  section: 'Tables',
  async perform(desk) {
    const { page } = desk;
    const before = await notesOf(desk);
    await open(desk, `/admin/tables?${EVENTS}`);
    await addFilter(page, { column: 'user_id', operator: '=', value: USER.id });
    await expect(tableGrid(page)).toHaveAttribute('aria-rowcount', String(before.length + 1));
    await gridCell(page, 0, NOTE).dblclick();
    await page.getByRole('dialog').getByRole('textbox').fill('edited');
    await page.keyboard.press('Enter');
    await expect(gridCell(page, 0, NOTE)).toHaveText('edited');
    await insertRow(page);
    await expect(gridCell(page, 0, NOTE)).toHaveText('inserted');
    await deleteRow(page, (await gridCell(page, 0, ID).textContent()) ?? '');
    expect(await notesOf(desk)).toEqual(['edited', ...before.slice(1)]);
    await page.getByRole('button', { name: 'Undo' }).last().click();
    await expect(toast(page, 'Undone')).toBeVisible();
    await expect(tableGrid(page)).toHaveAttribute('aria-rowcount', String(before.length + 2));
    expect(await notesOf(desk)).toEqual(['edited', ...before.slice(1), 'inserted']);
  },
};

async function insertRow(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Insert row' }).click();
  const form = page.getByRole('dialog', { name: 'Insert a row into public.events' });
  for (const [column, value] of [
    ['user_id', USER.id],
    ['note', 'inserted'],
  ] as const) {
    const kind = form.getByRole('group', { name: `Kind of value: ${column}` });
    await kind.getByRole('radio', { name: 'Value' }).check();
    await form.getByLabel(column, { exact: true }).fill(value);
  }
  await form.getByRole('button', { name: 'Insert row' }).click();
  await expect(toast(page, 'Row inserted')).toBeVisible();
}

async function deleteRow(page: Page, id: string): Promise<void> {
  await page.getByRole('checkbox', { name: `Select row ${id}`, exact: true }).click();
  await page.getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('dialog', { name: 'Delete 1 row?' }).getByRole('button', { name: 'Delete' }).click();
  await expect(toast(page, '1 row deleted')).toBeVisible();
}

async function notesOf(desk: Desk): Promise<(string | null)[]> {
  const text = 'select note from public.events where user_id = $1 order by id';
  const rows = await query<{ note: string | null }>(desk, text, [USER.id]);
  return rows.map(({ note }) => note);
}
