import type { Setting } from './setting.ts';

/** Returns a setting for tests with the fields that sections and searches read. */
export const settingOf = (name: string, changes: Partial<Setting> = {}) =>
  ({
    name,
    group: 'Authentication',
    key: null,
    description: 'Words of it.',
    source: 'default',
    ...changes,
  }) as Setting;
