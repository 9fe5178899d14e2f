import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { configurationReference } from './index.ts';

it('the reference page lists exactly the settings there are', async () => {
  const page = await readFile(new URL('../../docs/reference/configuration.md', import.meta.url), 'utf8');
  expect(page).toContain(configurationReference());
});
