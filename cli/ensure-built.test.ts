import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productBuild } from '@greenroom/app/build';
import { ensureBuild } from '@greenroom/builds';
import { readProduct } from '@greenroom/product';
import { expect, it } from 'vitest';
import { arePagesBuilt } from './ensure-built.ts';

/** Tests of its pages use the same build. */
const SHOP = join(import.meta.dirname, '../e2e/products/shop');

it('knows whether the pages of a product are built, not only the built-in ones', async () => {
  const product = (await readProduct(SHOP)) ?? expect.unreachable('no product');
  await ensureBuild(productBuild(product), () => {});
  expect(await arePagesBuilt(product)).toBe(true);
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-unbuilt-'));
  expect(await arePagesBuilt({ ...product, folder })).toBe(false);
  await rm(folder, { recursive: true });
});
