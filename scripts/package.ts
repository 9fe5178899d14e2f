/** `npm run package`: writes the tarball of the package into `dist/`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryVersion } from './package/exports.ts';
import { ROOT } from './package/root.ts';
import { writePackage } from './package/write-package.ts';

const path = await writePackage({
  version: repositoryVersion(),
  into: join(ROOT, 'dist'),
  log: (message) => void process.stdout.write(`${message}\n`),
});
process.stdout.write(`${path} (${(statSync(path).size / 1e6).toFixed(1)} MB)\n`);
