import { expect, it } from 'vitest';
import { productBuild } from './build.ts';

it.each(['/srv/shop #1', '/srv/what?', '/srv/*'])('refuses to build the product in %s', async (folder) => {
  const product = { folder, appFolder: `${folder}/app`, hasPages: true, configFile: 'greenroom.config.ts' };
  await expect(productBuild({ ...product, config: {} }).build(`${folder}/build`, '')).rejects.toThrow(
    `The pages in ${folder} cannot be built. Allowed: a folder without # ? * in its path`,
  );
});
