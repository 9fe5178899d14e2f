/** The grid of rows on the page of a table. */
import { expect, type Page } from '@playwright/test';

/** The grid, once its scripts run. */
export const tableGrid = (page: Page) => page.getByRole('grid');

/** A cell by its row and column on the page, both from 0. */
export const gridCell = (page: Page, row: number, column: number) => page.locator(`#cell-${row}-${column}`);

/** A message about a change. */
export const toast = (page: Page, text: string) => page.getByText(text, { exact: true }).first();

/** Adds a filter to the rows of a table, and waits until the URL has it. */
export async function addFilter(
  page: Page,
  { column, operator, value }: { column: string; operator: string; value?: string | undefined },
): Promise<void> {
  await page.getByRole('button', { name: 'Add filter' }).click();
  await page.getByLabel('Column', { exact: true }).selectOption(column);
  await page.getByLabel('Condition').selectOption({ label: operator });
  if (value !== undefined) await page.getByLabel('Value', { exact: true }).fill(value);
  await page.getByRole('button', { name: 'Apply filter' }).click();
  await expect(page).toHaveURL(/filter=/);
}
