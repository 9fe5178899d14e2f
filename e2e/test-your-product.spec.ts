/** The example of docs/test-your-product.md. */
import { test as base, expect } from '@playwright/test';
import { startTestInstance, type TestInstance } from 'greenroom/testing';

const test = base.extend<object, { instance: TestInstance }>({
  instance: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright requires this parameter.
    async ({}, use) => {
      const instance = await startTestInstance({ pages: true });
      await use(instance);
      await instance.close();
    },
    { scope: 'worker' },
  ],
});

test('greets the user on the account page', async ({ page, context, instance }) => {
  const ada = await instance.asUser({ email: 'ada@example.org' });
  await context.addCookies(await ada.cookies());
  await page.goto(`${instance.url}/account`);
  await expect(page.getByText('ada@example.org').first()).toBeVisible();
});
