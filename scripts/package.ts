/** `npm run package`: writes the tarballs of the package and of its starter into `dist/`. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryVersion } from './package/exports.ts';
import { ROOT } from './package/root.ts';
import { writeStarter } from './package/starter.ts';
import { writePackage } from './package/write-package.ts';

const version = repositoryVersion();
const into = join(ROOT, 'dist');
const path = await writePackage({
  version,
  into,
  log: (message) => void process.stdout.write(`${message}\n`),
});
process.stdout.write(`${path} (${(statSync(path).size / 1e6).toFixed(1)} MB)\n`);
process.stdout.write(`${await writeStarter({ version, into })}\n`);
