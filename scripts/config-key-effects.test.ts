/** Each key of config.toml has an effect that a test shows, or the reference says why it has none. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configKeysOf } from '../platform/config/index.ts';
import { documentedNames, KEYS_WITHOUT_SETTING } from '../platform/project/config-file/index.ts';
import { allSettings } from '../server/settings.ts';
import { KEY_EFFECTS } from './config-key-effects.ts';
import { filesWith, findTests } from './find-tests.ts';

const ROOT = join(import.meta.dirname, '..');

/** Products that have no counterpart here. Only their keys may be without meaning. */
const WITHOUT_COUNTERPART = [
  /^analytics\./,
  /^studio\./,
  /^db\.pooler\./,
  /^storage\.(?:analytics|vector)\./,
  // OrioleDB.
  /^db\.orioledb_version$/,
  /^experimental\.s3_/,
  /^edge_runtime\.policy$/,
  // Services of the hosted platform.
  /^(?:experimental\.)?compute(?:\.|$)/,
  /^experimental\.stack$/,
];

const keysOfSettings = allSettings.flatMap(configKeysOf);
const withSetting = new Set(keysOfSettings.map(({ key }) => key));
/** Keys that other keys depend on. */
const required = keysOfSettings.flatMap(({ requires }) =>
  requires === undefined || withSetting.has(requires) ? [] : [{ key: requires }],
);
const ofKind = (wanted: string) => KEYS_WITHOUT_SETTING.filter(({ kind }) => kind === wanted);

/** Keys whose effect a test must show. */
const keys = [...new Set([...keysOfSettings, ...required, ...ofKind('project')].flatMap(documentedNames))];
const patterns = Object.keys(KEY_EFFECTS);
const tests = findTests(ROOT);

/** Whether a row is about a key; `*` stands for one part of it. */
function covers(pattern: string, key: string): boolean {
  const [parts, names] = [pattern.split('.'), key.split('.')];
  return parts.length === names.length && parts.every((part, index) => part === '*' || part === names[index]);
}

describe('the table of effects', () => {
  it.each(keys)('has one row for the key %s', (key) => {
    expect(patterns.filter((pattern) => covers(pattern, key))).toHaveLength(1);
  });

  it.each(patterns)('has no row for an unknown key: %s', (pattern) => {
    expect(keys.some((key) => covers(pattern, key))).toBe(true);
  });

  it.each([...new Set(Object.values(KEY_EFFECTS))])('names one test: %s', (title) => {
    expect(filesWith(title, tests)).toHaveLength(1);
  });
});

it.each(ofKind('meaningless').flatMap(documentedNames))(
  'belongs to a product without counterpart, because it has no meaning here: %s',
  (key) => {
    expect(WITHOUT_COUNTERPART.some((product) => product.test(key))).toBe(true);
  },
);

it.each([
  ['auth.sessions.*', 'auth.sessions.timebox', true],
  ['auth.sessions.timebox', 'auth.sessions.timebox', true],
  ['auth.sessions', 'auth.sessions.timebox', false],
  ['auth.*', 'auth.sessions.timebox', false],
  ['auth.mfa.*.enroll_enabled', 'auth.mfa.totp.verify_enabled', false],
])('the row %s covers %s: %s', (pattern, key, expected) => {
  expect(covers(pattern, key)).toBe(expected);
});
