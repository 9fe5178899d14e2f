/** Users: one of a million is found, changed and banned. */
import { open, query, type SectionTask } from '../desk.ts';
import { userOf } from '../fill.ts';
import { expect } from '../patient-expect.ts';

const USER = userOf(1234);

/** Searches for a user by address, gives a role, and bans. */
export const changeUser: SectionTask = {
  section: 'Users',
  async perform(desk) {
    const { page } = desk;
    await open(desk, '/admin/users');
    await page.getByLabel('Search').fill(USER.email);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const rows = page.getByRole('table', { name: 'Users' }).locator('tbody tr');
    await expect(rows).toHaveCount(1);
    await rows.getByRole('link', { name: USER.email }).click();
    await expect(page.getByRole('heading', { level: 1, name: USER.email })).toBeVisible();
    const account = page.getByRole('region', { name: 'Account', exact: true });
    await account.getByLabel('Role').fill('reviewer');
    await account.getByRole('button', { name: 'Save account' }).click();
    await expect(page.getByText('The user was saved.')).toBeVisible();
    await page.getByLabel('Ban for').selectOption('1 week');
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await expect(page.getByText('The user was banned.')).toBeVisible();
    expect(
      await query(
        desk,
        `select raw_app_meta_data ->> 'role' as role, banned_until > now() + interval '6 days' as is_banned
          from auth.users where id = $1`,
        [USER.id],
      ),
    ).toEqual([{ role: 'reviewer', is_banned: true }]);
  },
};
