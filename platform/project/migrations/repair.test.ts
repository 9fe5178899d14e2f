import { createTestDatabase, type TestDatabase } from '@greenroom/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpProject } from '../set-up-project.ts';
import { createTestProject } from '../testing/project-folder.ts';
import { listStates } from './list-states.ts';
import { repairHistory } from './repair.ts';

let database: TestDatabase;

beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const FILES = {
  'migrations/1_a.sql': 'create table a (id int)',
  'migrations/2_b.sql': 'create table b (id int)',
};

it('records versions as applied without running them', async () => {
  await using project = await createTestProject(FILES);
  await repairHistory({ url: database.ownerUrl, project, status: 'applied', versions: ['1', '2'] });
  expect(await listStates(database.ownerUrl, project)).toMatchObject([
    { version: '1', name: 'a', isApplied: true, isEdited: false },
    { version: '2', name: 'b', isApplied: true, isEdited: false },
  ]);
  expect(await setUpProject({ url: database.ownerUrl, project, onProgress: () => {} })).toBe(0);
});

it('replaces the record of an edited migration', async () => {
  await using project = await createTestProject(FILES);
  await setUpProject({ url: database.ownerUrl, project, onProgress: () => {} });
  await project.write('migrations/1_a.sql', 'create table a (id bigint)');
  expect(await listStates(database.ownerUrl, project)).toMatchObject([
    { isEdited: true },
    { isEdited: false },
  ]);
  await repairHistory({ url: database.ownerUrl, project, status: 'applied', versions: ['1'] });
  expect(await listStates(database.ownerUrl, project)).toMatchObject([
    { isEdited: false },
    { isEdited: false },
  ]);
});

it('removes versions from the history, whether their files exist or not', async () => {
  await using project = await createTestProject(FILES);
  await setUpProject({ url: database.ownerUrl, project, onProgress: () => {} });
  await project.remove('migrations/1_a.sql');
  expect(await listStates(database.ownerUrl, project)).toMatchObject([
    { version: '1', name: 'a', hasFile: false, isApplied: true },
    { version: '2', name: 'b', hasFile: true, isApplied: true },
  ]);
  await repairHistory({ url: database.ownerUrl, project, status: 'reverted', versions: ['1', '2'] });
  expect(await listStates(database.ownerUrl, project)).toMatchObject([
    { version: '2', hasFile: true, isApplied: false },
  ]);
});

it.each([
  ['an applied version without a file', ['1', '9'], 'no file with the version 9'],
  ['a version that is no number', ['1', 'x'], '"x" is not the version of a migration'],
])('rejects %s and changes nothing', async (_, versions, message) => {
  await using project = await createTestProject(FILES);
  const repair = repairHistory({ url: database.ownerUrl, project, status: 'applied', versions });
  await expect(repair).rejects.toThrow(message);
  expect(await listStates(database.ownerUrl, project)).toMatchObject([
    { isApplied: false },
    { isApplied: false },
  ]);
});
