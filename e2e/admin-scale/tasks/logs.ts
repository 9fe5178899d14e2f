/** Logs: from the id of a request to its line, and to its user. */
import { open, type SectionTask } from '../desk.ts';
import { expect } from '../patient-expect.ts';

/** Finds the line of a request by its id, opens its user, and returns. */
export const findRequest: SectionTask = {
  section: 'Logs',
  async perform(desk) {
    const { page, site, api } = desk;
    const session = await api.newUser();
    const response = await fetch(`${site.url}/auth/v1/user`, {
      headers: { apikey: api.keys.ANON_KEY ?? '', authorization: `Bearer ${session.access_token}` },
    });
    const { email } = (await response.json()) as { email: string };
    const id = response.headers.get('x-request-id') ?? '';
    await open(desk, '/admin/logs');
    await page.getByText('More filters').click();
    await page.getByLabel('Request ID').fill(id);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await expect(page).toHaveURL(new RegExp(`request=${id}`));
    const lines = page.getByRole('region', { name: 'Lines of the log' }).last().getByRole('listitem');
    const line = lines.filter({ hasText: 'GET /auth/v1/user' });
    await expect(line).toHaveCount(1);
    await line.locator('summary').click();
    await line.getByRole('link', { name: 'Show user' }).click();
    await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
    await page.goBack();
    await expect(line).toBeVisible();
  },
};
