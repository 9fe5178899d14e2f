/** SQL: a query over the rows of a user, and its plan. */
import { resultGrid, writeSql } from '../../support/sql-page.ts';
import { open, type SectionTask } from '../desk.ts';
import { userOf } from '../fill.ts';
import { expect } from '../patient-expect.ts';

const QUERY = `select kind, count(*) as events from public.events where user_id = '${userOf(1500).id}' group by kind`;

/** Runs a query, and explains it with its times. */
export const runQuery: SectionTask = {
  section: 'SQL',
  async perform(desk) {
    const { page } = desk;
    await open(desk, '/admin/sql');
    await writeSql(page, QUERY);
    await page.getByRole('button', { name: 'Run statement', exact: true }).click();
    await expect(resultGrid(page).getByRole('gridcell').first()).toBeVisible();
    await page.getByRole('button', { name: 'Explain analyze' }).click();
    const plan = page.getByRole('list', { name: 'Plan' });
    await expect(plan.getByText('events_user_id_idx').first()).toBeVisible();
    await expect(plan.getByText('Costliest', { exact: true })).toBeVisible();
    await expect(page.getByText(/^Execution [\d.,]+ ms$/)).toBeVisible();
  },
};
