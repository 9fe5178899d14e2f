import { loadSettings } from '@greenroom/config';
import { parseFiveFields } from '@greenroom/schedule';
import { describe, expect, it } from 'vitest';
import { backupSettings } from './settings.ts';

const load = (GREENROOM_BACKUP_SCHEDULE?: string) =>
  loadSettings(backupSettings, { GREENROOM_BACKUP_SCHEDULE });

describe('the schedule of backups', () => {
  it('is 03:00 UTC by default', () => {
    expect(load().schedule).toEqual(parseFiveFields('0 3 * * *'));
  });

  it('can be passed to another process', () => {
    const { schedule } = load('*/30 1-4 $ * mon');
    expect(schedule).toEqual(parseFiveFields('*/30 1-4 $ * mon'));
    expect(structuredClone(schedule)).toEqual(schedule);
  });

  it('can be off', () => {
    expect(load('off').schedule).toBe('off');
  });

  it.each(['never', '@daily', '0 3 * *', '0 3 * * * root', '0 25 * * *', '0 0 30 2 *'])(
    'is rejected if it is %j',
    (text) => {
      expect(() => load(text)).toThrow('GREENROOM_BACKUP_SCHEDULE');
    },
  );
});
