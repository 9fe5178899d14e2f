/** The editor of the SQL page and its results. */
import { expect, type Page } from '@playwright/test';

/** The editor, once its scripts run. */
export const sqlEditor = (page: Page) => page.getByRole('textbox', { name: 'SQL', exact: true });

/** The rows of a result. */
export const resultGrid = (page: Page) => page.getByRole('grid', { name: 'Rows' });

/** Waits for the editor, and replaces its text. Braces and quotes are completed by the editor, so the text is inserted at once. */
export async function writeSql(page: Page, sql: string): Promise<void> {
  await expect(page.locator('.cm-content')).toBeVisible();
  await sqlEditor(page).click();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(sql);
  // Closes the list of completions.
  await page.keyboard.press('Escape');
}
