/**
 * Landed migrations never change, comments included: databases know them by their checksums. To add one, write its file
 * and add its checksum (`sha256sum`) to frozen-migrations.json.
 */
import { createHash } from 'node:crypto';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import frozen from './frozen-migrations.json' with { type: 'json' };

const ROOT = join(import.meta.dirname, '..');

it('each migration is unchanged, and none is missing', async () => {
  const found: Record<string, string> = {};
  for await (const path of glob('{app,platform/*,services/*}/migrations/*.sql', { cwd: ROOT })) {
    found[path] = createHash('sha256')
      .update(await readFile(join(ROOT, path)))
      .digest('hex');
  }
  expect(found).toEqual(frozen);
});
