/** Mailbox: the message that a user requested. */
import { open, type SectionTask } from '../desk.ts';
import { userOf } from '../fill.ts';
import { expect } from '../patient-expect.ts';

const USER = userOf(1600);

/** Requests a new password for a user, finds the message, and opens it. */
export const openMessage: SectionTask = {
  section: 'Mailbox',
  async perform(desk) {
    const { page, site } = desk;
    const response = await page.request.post(`${site.url}/login?mode=recover`, {
      form: { email: USER.email },
      headers: { origin: site.url },
    });
    expect(response.status()).toBe(200);
    await open(desk, '/admin/mailbox');
    await page.getByLabel('Search').fill(USER.email);
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    const messages = page.getByRole('list', { name: 'Messages' }).getByRole('listitem');
    await expect(messages).toHaveCount(1);
    await messages.getByRole('link').click();
    const preview = page.frameLocator('iframe[title="Email preview"]');
    await expect(preview.getByRole('heading').first()).toBeVisible();
    await expect(page.getByRole('link', { name: 'Open link' })).toBeVisible();
  },
};
