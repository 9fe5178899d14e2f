import { readFile } from 'node:fs/promises';
import { configurationReference } from '@greenroom/config';
import { keysWithoutSettingReference } from '@greenroom/project/config-file';
import { expect, it } from 'vitest';
import { settingsGroups } from './settings.ts';
import { standaloneSettings } from './standalone-settings.ts';

it('the reference page lists exactly the existing settings, and the keys of config.toml without one', async () => {
  const page = await readFile(new URL('../docs/reference/configuration.md', import.meta.url), 'utf8');
  expect(page, '`npm run docs` writes the page').toContain(
    configurationReference([...settingsGroups, standaloneSettings]),
  );
  expect(page, '`npm run docs` writes the page').toContain(keysWithoutSettingReference());
});
