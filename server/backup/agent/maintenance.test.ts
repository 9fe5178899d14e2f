import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { acquireLease, openOrCreateArchive, openStore } from '@greenroom/backup';
import { expect, it, vi } from 'vitest';
import { Maintenance, type MaintenanceReport } from './maintenance.ts';

it('tries a backup again as soon as the archive can be written, instead of after a pause', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'greenroom-maintenance-'));
  const store = await openStore(folder);
  const archive = await openOrCreateArchive(store, {
    secrets: { noEncryption: true },
    greenroomVersion: '1',
  });
  const reports: MaintenanceReport['type'][] = [];
  const maintenance = new Maintenance({
    archive,
    lineage: { systemId: '1', timeline: 1 },
    lease: await acquireLease(store, 'log', { holder: 'test', purpose: 'a test' }),
    holder: 'test',
    settings: {
      schedule: 'off',
      verifies: false,
      keep: { hourly: 0, daily: 1, weekly: 0, monthly: 0 },
      keepLogDays: 1,
    },
    hasGap: false,
    run: () => Promise.reject(new Error('the disk is full')),
    betweenRounds: (work) => work(),
    onReport: ({ type }) => reports.push(type),
  });
  await vi.waitFor(() => expect(reports).toEqual(['started', 'failed']));
  // The next attempt would follow after a minute.
  maintenance.resume();
  await vi.waitFor(() => expect(reports).toEqual(['started', 'failed', 'started', 'failed']));
  await maintenance.close();
  await rm(folder, { recursive: true });
});
