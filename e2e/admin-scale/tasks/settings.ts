/** Settings: a value of config.toml. */
import { open, type SectionTask } from '../desk.ts';
import { expect } from '../patient-expect.ts';

/** The project of the trial. */
export const CONFIG = `# Settings of the trial.
project_id = "scale"

[auth]
minimum_password_length = 8 # characters
`;

/** Finds a setting by words, and changes it. */
export const changeSetting: SectionTask = {
  section: 'Settings',
  async perform(desk) {
    const { page, site } = desk;
    await open(desk, '/admin/settings');
    await page.getByLabel('Search settings').fill('minimum password length');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('link', { name: 'Change auth.minimum_password_length' }).click();
    await page.getByLabel('Value').fill('10');
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved and applied: auth.minimum_password_length.')).toBeVisible();
    expect(await site.config()).toBe(CONFIG.replace('= 8 #', '= 10 #'));
  },
};
