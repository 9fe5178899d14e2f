/** A page of the product `products/shop` that follows changes of a table. */
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { startTestInstance } from 'greenroom/testing';

test('a page of a product shows rows that the user adds, changes and deletes elsewhere, and none of others', async ({
  page,
  context,
}) => {
  await using instance = await startTestInstance({
    project: join(import.meta.dirname, 'products/shop'),
    pages: true,
  });
  const ada = await instance.asUser();
  const grace = await instance.asUser();
  await context.addCookies(await ada.cookies());
  await page.goto(`${instance.url}/items`);
  const items = page.locator('.shop-list li');
  await expect(items).toHaveCount(0);

  await grace.client.from('items').insert({ title: 'Lampe' }).throwOnError();
  await ada.client.from('items').insert({ title: 'Tisch' }).throwOnError();
  await expect(items).toHaveText(['Tisch']);
  await instance.admin.from('items').update({ title: 'Stuhl' }).eq('title', 'Tisch').throwOnError();
  await expect(items).toHaveText(['Stuhl']);
  await ada.client.from('items').delete().eq('title', 'Stuhl').throwOnError();
  await expect(items).toHaveCount(0);
});
