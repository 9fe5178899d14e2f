/** A release of the package: the facts that matter to its users, read from its files. */
import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The facts of a release. */
export interface Release {
  version: string;
  /** Text of CHANGELOG.md. */
  changelog: string;
  /** Platform migrations, e.g. `services/auth/migrations/0001_users.sql`, sorted. */
  migrations: readonly string[];
  /** Versions of Node.js, PostgreSQL and Deno for each platform, by the names of their packages. */
  programs: Readonly<Record<string, string>>;
}

/** Reads the release whose package is in a folder. Throws if the folder contains another package. */
export async function readRelease(folder: string): Promise<Release> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    name: string;
    version: string;
    optionalDependencies?: Record<string, string>;
  };
  if (manifest.name !== 'greenroom') throw new Error(`the package is ${manifest.name}, not greenroom`);
  return {
    version: manifest.version,
    changelog: await readFile(join(folder, 'CHANGELOG.md'), 'utf8').catch(() => ''),
    migrations: globSync('{platform,services}/*/migrations/*.sql', { cwd: folder })
      .map((file) => file.replaceAll('\\', '/'))
      .sort(),
    programs: manifest.optionalDependencies ?? {},
  };
}
