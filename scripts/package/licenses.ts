/** The licenses of packages whose code is part of the bundles. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PACKAGE_FOLDER = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/;
const LICENSE_FILE = /^(licen[cs]e|notice|copying)/i;

/**
 * Returns the names, versions and license texts of the packages that the modules belong to.
 * @param modules absolute paths
 */
export function thirdPartyLicenses(modules: Iterable<string>): string {
  const folders = new Set(
    [...modules].map((path) => PACKAGE_FOLDER.exec(path)?.[0]).filter((folder) => folder !== undefined),
  );
  const parts = [...folders].map(licenseOf).toSorted();
  return ['Greenroom contains code of these packages.', ...new Set(parts)].join(`\n\n${'-'.repeat(80)}\n\n`);
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const texts = readdirSync(folder)
    .filter((file) => LICENSE_FILE.test(file) && !file.endsWith('.js'))
    .map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, ...texts].join('\n\n');
}
