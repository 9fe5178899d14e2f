/** The pages of a product in a browser. */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startTestInstance, type TestInstance } from 'greenroom/testing';

let instance: TestInstance;

test.beforeAll(async () => {
  instance = await startTestInstance({ project: join(import.meta.dirname, 'products/shop'), pages: true });
});
test.afterAll(() => instance?.close());

test('a page reads and writes rows in the browser as its user', async ({ page, context }) => {
  const ada = await instance.asUser();
  await context.addCookies(await ada.cookies());
  await page.goto(`${instance.url}/browser`);
  await page.getByRole('button', { name: 'Vase hinzufügen' }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Vase' })).toBeVisible();
  expect((await ada.client.from('items').select('title')).data).toEqual([{ title: 'Vase' }]);
});
