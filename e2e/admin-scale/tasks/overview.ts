/** Overview: the health of all parts, and the lines of a recent error. */
import { type Desk, open, type SectionTask } from '../desk.ts';
import { FAILED_LINE, failRequest } from '../failed-request.ts';
import { expect } from '../patient-expect.ts';

/** Reads the health, opens a recent error, and returns. */
export const readHealth: SectionTask = {
  section: 'Overview',
  async perform(desk: Desk) {
    const { page, site } = desk;
    const id = await failRequest(desk);
    await open(desk, '/admin');
    const parts = page.getByRole('list', { name: 'Parts of the instance' }).getByRole('listitem');
    await expect(parts.filter({ hasText: 'database' })).toContainText('Ready');
    expect(await parts.filter({ hasNotText: 'Ready' }).count()).toBe(0);
    const link = page.getByRole('region', { name: 'Recent errors' }).getByRole('link', { name: id });
    await link.click();
    await expect(page).toHaveURL(`${site.url}/admin/logs?request=${id}`);
    await expect(page.getByText(FAILED_LINE).first()).toBeVisible();
    await page.goBack();
    await expect(link).toBeVisible();
  },
};
