/** Policies: a statement on ten million rows is tried as one of a million users. */
import { open, query, type SectionTask } from '../desk.ts';
import { userOf } from '../fill.ts';
import { EVENTS } from '../pages.ts';
import { expect } from '../patient-expect.ts';

const USER = userOf(1400);

/** Finds a user, tries a select, and reads which policy decided. */
export const tryAsUser: SectionTask = {
  section: 'Policies',
  async perform(desk) {
    const { page } = desk;
    const [own] = await query<{ count: number }>(
      desk,
      'select count(*)::int as count from public.events where user_id = $1',
      [USER.id],
    );
    await open(desk, `/admin/policies?${EVENTS}`);
    await page.getByRole('link', { name: 'Try as' }).click();
    await page.getByRole('link', { name: 'A user' }).click();
    await page.getByLabel('Email address or user ID').fill(USER.email);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('list', { name: 'Users found' }).getByRole('link', { name: USER.email }).click();
    await expect(page.getByRole('region', { name: 'Claims (JSON)' })).toContainText(USER.id);
    await page.getByRole('button', { name: 'Try it' }).click();
    await expect(page.getByText(`Rows read: ${own?.count}`)).toBeVisible();
    await expect(page.getByRole('region', { name: 'Which policy decided' })).toContainText(
      'Users read their own events',
    );
  },
};
