import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  COLOUR_MODE_SCRIPT,
  type ColourMode,
  type ColourPreference,
  FORCED_COLOUR_ATTRIBUTE,
  parseColourPreference,
  parseForcedMode,
  resolveColourMode,
} from './colour-mode.ts';

const rows: [ColourPreference, ColourMode | undefined, boolean, ColourMode][] = [
  ['system', undefined, false, 'light'],
  ['system', undefined, true, 'dark'],
  ['light', undefined, true, 'light'],
  ['dark', undefined, false, 'dark'],
  ['light', 'dark', false, 'dark'],
  ['system', 'dark', false, 'dark'],
  ['dark', 'light', true, 'light'],
];

/** Runs the head's script with a fake browser; returns the classes of the document. */
function runScript(
  stored: string | null | Error,
  forced: string | undefined,
  isDeviceDark: boolean,
): string[] {
  const classes: string[] = [];
  const documentElement = {
    getAttribute: (name: string) => (name === FORCED_COLOUR_ATTRIBUTE ? (forced ?? null) : null),
    classList: { add: (name: string) => classes.push(name) },
  };
  const getItem = () => {
    if (stored instanceof Error) throw stored;
    return stored;
  };
  const browser = {
    document: { documentElement },
    localStorage: { getItem },
    matchMedia: () => ({ matches: isDeviceDark }),
  };
  runInNewContext(COLOUR_MODE_SCRIPT, browser);
  return classes;
}

describe('resolveColourMode', () => {
  it.each(rows)('returns for %s, forced %s, dark device %s: %s', (preference, forced, isDeviceDark, mode) => {
    expect(resolveColourMode({ preference, forced, isDeviceDark })).toBe(mode);
  });
});

describe('the colour mode script', () => {
  it.each(rows)(
    'returns the same: %s, forced %s, dark device %s: %s',
    (preference, forced, isDeviceDark, mode) => {
      expect(runScript(preference, forced, isDeviceDark)).toEqual([mode]);
    },
  );

  it.each([
    ['nothing stored', null, 'light'],
    ['an unknown stored value', 'sepia', 'light'],
    ['a blocked storage', new Error('denied'), 'light'],
  ])('follows the device with %s', (_name, stored, mode) => {
    expect(runScript(stored, undefined, false)).toEqual([mode]);
  });
});

describe('parseColourPreference', () => {
  it.each([
    ['light', 'light'],
    ['dark', 'dark'],
    ['system', 'system'],
    ['sepia', 'system'],
    [null, 'system'],
    [undefined, 'system'],
  ])('parses %j as %s', (text, preference) => {
    expect(parseColourPreference(text)).toBe(preference);
  });
});

describe('parseForcedMode', () => {
  it.each([
    [{ colourMode: 'dark' }, 'dark'],
    [{ colourMode: 'light' }, 'light'],
    [{ colourMode: 'system' }, undefined],
    [{}, undefined],
    [undefined, undefined],
    [null, undefined],
  ])('parses %j as %s', (handle, mode) => {
    expect(parseForcedMode(handle)).toBe(mode);
  });
});
