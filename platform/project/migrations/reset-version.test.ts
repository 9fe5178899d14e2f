import { describe, expect, it } from 'vitest';
import { createTestProject } from '../testing/project-folder.ts';
import { resetVersion } from './reset-version.ts';

const FILES = {
  'migrations/1_a.sql': '',
  'migrations/2_b.sql': '',
  'migrations/3_c.sql': '',
};

describe('resetVersion', () => {
  it.each([
    ['nothing', {}, undefined],
    ['a version', { version: '2' }, '2'],
    ['all but none', { last: 0 }, undefined],
    ['all but the last', { last: 1 }, '2'],
    ['all but all', { last: 3 }, ''],
    ['all but more than there are', { last: 9 }, ''],
  ])('returns the last version to apply: %s', async (_, target, version) => {
    await using project = await createTestProject(FILES);
    expect(await resetVersion(project, target)).toBe(version);
  });

  it.each([
    ['a missing version', FILES, '4', /no file with the version 4. The newest version is 3/],
    ['a project without migrations', {}, '1', /no file with the version 1. It has no migrations/],
    ['a text that is no version', FILES, '../1', /"..\/1" is not the version of a migration/],
  ])('rejects %s', async (_, files, version, message) => {
    await using project = await createTestProject(files);
    await expect(resetVersion(project, { version })).rejects.toThrow(message);
  });
});
