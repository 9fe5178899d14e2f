import { describe, expect, it } from 'vitest';
import {
  bytesText,
  durationText,
  listText,
  negatedText,
  pairsText,
  pathText,
  scalarText,
  selectedText,
  wordText,
} from './config-conversions.ts';
import type { ConfigConversion, ConfigValue } from './config-key.ts';

const PATHS = { folder: '/project', supabaseFolder: '/project/supabase' };
const words = wordText({ '': '', letters: 'abc' });

describe('conversions of config.toml', () => {
  it.each<[string, ConfigConversion, ConfigValue, string | undefined]>([
    ['scalarText', scalarText, 5, '5'],
    ['scalarText', scalarText, 9007199254740993n, '9007199254740993'],
    ['scalarText', scalarText, true, 'true'],
    ['negatedText', negatedText, true, 'false'],
    ['negatedText', negatedText, 'false', 'true'],
    ['listText', listText, ['a', 1], 'a,1'],
    ['listText', listText, [], ''],
    ['listText', listText, 'a,b', 'a,b'],
    ['pairsText', pairsText, { 4152127777: '123456', b: 2 }, '4152127777=123456,b=2'],
    ['bytesText', bytesText, 10, '10'],
    ['bytesText', bytesText, '50MiB', '52428800'],
    ['bytesText', bytesText, '1.5 kb', '1500'],
    ['bytesText', bytesText, '2Gi', '2147483648'],
    ['durationText', durationText, '24h', '24h'],
    ['durationText', durationText, '0s', undefined],
    ['durationText', durationText, 0, undefined],
    ['pathText', pathText('folder'), './a/b.html', '/project/a/b.html'],
    ['pathText', pathText('supabaseFolder'), './keys.json', '/project/supabase/keys.json'],
    ['pathText', pathText('folder'), '/a', '/a'],
    ['pathText', pathText('folder'), '', undefined],
    ['wordText', words, 'letters', 'abc'],
    ['wordText', words, '', ''],
    ['selectedText', selectedText('twilio'), true, 'twilio'],
    ['selectedText', selectedText('twilio'), false, undefined],
    ['selectedText', selectedText('twilio'), 'true', 'twilio'],
  ])('%s converts (%#) %j', (_name, convert, value, expected) => {
    expect(convert(value, PATHS)).toBe(expected);
  });

  it.each<[string, ConfigConversion, ConfigValue, string]>([
    ['scalarText', scalarText, ['a'], 'a single value'],
    ['negatedText', negatedText, 'yes', 'true, false'],
    ['listText', listText, { a: 1 }, 'a list of texts'],
    ['listText', listText, ['a,b'], 'without commas'],
    ['listText', listText, [['a']], 'a single value'],
    ['pairsText', pairsText, ['a'], 'a table'],
    ['pairsText', pairsText, { a: 'b,c' }, 'without commas and equals signs'],
    ['bytesText', bytesText, '5 apples', 'bytes, or a number with a unit'],
    ['bytesText', bytesText, -1, 'bytes, or a number with a unit'],
    ['wordText', words, 'digits', '"", letters'],
    ['wordText', words, 'toString', '"", letters'],
    ['selectedText', selectedText('twilio'), 'yes', 'true, false'],
  ])('%s rejects (%#) %j', (_name, convert, value, allowed) => {
    expect(() => convert(value, PATHS)).toThrow(allowed);
  });
});
