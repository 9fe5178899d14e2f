import { expect, it } from 'vitest';
import { defaultValue } from './default-value.ts';

it.each([
  ["'x'::text", 'string', 'x'],
  ["'x'", 'string', 'x'],
  ["'it''s'::character varying(40)", 'string', "it's"],
  ["E'a\\\\b''c'::text", 'string', "a\\b'c"],
  [`'x'::"odd ""schema"."type's"[]`, 'string', 'x'],
  [`'x'::text COLLATE "C"`, 'string', 'x'],
  ["'2026-01-01 00:00:00'::timestamp(3) without time zone", 'string', '2026-01-01 00:00:00'],
  ["''::text", 'string', ''],
  ["'::text", 'string', "'::text"],
  ['now()', 'string', 'now()'],
  ["('a'::text || 'b'::text)", 'string', "('a'::text || 'b'::text)"],
  ["'a'::text || 'b'::text", 'string', "'a'::text || 'b'::text"],
  ['NULL::character varying', 'string', undefined],
  ['42', 'integer', 42],
  ['(-42)', 'integer', -42],
  ["'-42'::integer", 'integer', -42],
  ["'1'::integer + 1", 'integer', undefined],
  ["nextval('a'::regclass)", 'integer', undefined],
  ['9007199254740993', 'integer', undefined],
  ['1.50', 'number', 1.5],
  ['100.0', 'number', 100],
  ['0.1000000000000000055', 'number', undefined],
  ["'NaN'::numeric", 'number', undefined],
  ['true', 'boolean', true],
  ['false', 'boolean', false],
  ['(1 = 1)', 'boolean', undefined],
  ["'{}'::jsonb", undefined, undefined],
  ["'{}'::text[]", 'array', undefined],
  [null, 'string', undefined],
] as const)('converts the default %s of a column of type %s to %j', (expression, type, value) => {
  expect(defaultValue(expression, type)).toBe(value);
});
