import { describe, expect, it } from 'vitest';
import type { Arguments } from '../request/arguments.ts';
import type { MediaType } from '../request/media-type.ts';
import type { FunctionParameter, SqlFunction } from '../schema-cache/schema-cache.ts';
import { callAccess } from './call-access.ts';
import { callKey, callValues, planCall } from './call-plan.ts';
import { bodySlot } from './slots.ts';

const parameter = (name: string, type = 'integer', isVariadic = false): FunctionParameter => ({
  name,
  type,
  typeWithModifier: type,
  isRequired: false,
  isVariadic,
});
const a = parameter('a');
const b = parameter('b');
const rest = parameter('rest', 'text[]', true);
const called: SqlFunction = {
  schema: 'api',
  name: 'f',
  description: null,
  parameters: [a, b, rest],
  result: {
    isSet: false,
    shape: { kind: 'scalar', type: { schema: 'pg_catalog', name: 'int4' }, isVoid: false },
  },
  volatility: 'volatile',
  hasVariadic: true,
  isolation: undefined,
  settings: [],
};
const slots = { of: () => 0, count: 5 };
const BODY = 7;

const texts = (...pairs: [string, string][]): Arguments => ({ kind: 'texts', pairs });
const json = (columns: string[], isArray = false): Arguments => ({
  kind: 'json',
  body: { kind: 'json', json: Buffer.from('{"a":1}'), isArray, rowCount: 1, columns },
});
const raw = (kind: 'text' | 'xml' | 'octet-stream'): Arguments => ({
  kind: 'raw',
  mediaType: { kind },
  bytes: Buffer.from('raw'),
});

it('the slot of the body follows limit and offset', () => {
  expect(bodySlot(slots)).toBe(BODY);
});

describe('planCall', () => {
  const chosen = { function: called, wholeBody: undefined };
  it.each<[name: string, given: Arguments, input: unknown]>([
    ['a call without arguments', texts(), { kind: 'none' }],
    ['an empty object', json([]), { kind: 'none' }],
    [
      'texts in the order of the parameters',
      texts(['rest', 'x'], ['b', '2'], ['rest', 'y']),
      {
        kind: 'texts',
        arguments: [
          { parameter: b, slot: BODY + 1 },
          { parameter: rest, slot: BODY + 2 },
        ],
      },
    ],
    ['an object', json(['b', 'a']), { kind: 'json', parameters: [a, b], slot: BODY, isList: false }],
    ['a list of objects', json(['a'], true), { kind: 'json', parameters: [a], slot: BODY, isList: true }],
  ])('plans %s', (_, args, input) => {
    expect(planCall(chosen, args, slots)).toEqual({ function: called, input });
  });

  it('plans a whole body', () => {
    const plan = planCall({ function: called, wholeBody: a }, json(['x']), slots);
    expect(plan.input).toEqual({ kind: 'body', parameter: a, slot: BODY });
  });
});

describe('callValues', () => {
  const chosen = { function: called, wholeBody: undefined };
  const bytes = Buffer.from('raw');
  it.each<[name: string, given: Arguments, values: unknown[]]>([
    ['null without arguments', texts(), [null]],
    ['the last text of each name', texts(['b', '2'], ['a', '1'], ['b', '3']), [null, '1', '3']],
    ['variadic texts as an array literal', texts(['rest', 'x'], ['rest', '"y"']), [null, '{"x","\\"y\\""}']],
    ['an object', json(['a']), [Buffer.from('{"a":1}')]],
    ['a text body', raw('text'), [bytes]],
    ['an XML body', raw('xml'), [bytes]],
    ['a binary body', raw('octet-stream'), [{ binary: bytes }]],
  ])('returns %s', (_, args, values) => {
    expect(callValues(planCall(chosen, args, slots), args)).toEqual(values);
  });
});

describe('callKey', () => {
  const JSON_TYPE: MediaType = { kind: 'json' };
  const different: [Arguments, MediaType][] = [
    [texts(), JSON_TYPE],
    [texts(['a', '1']), JSON_TYPE],
    [texts(['a', '1'], ['b', '1']), JSON_TYPE],
    [texts(['a","b', '1']), JSON_TYPE],
    [json([]), JSON_TYPE],
    [json(['a']), JSON_TYPE],
    [json(['a'], true), JSON_TYPE],
    [json(['a'], true), { kind: 'csv' }],
    [raw('text'), { kind: 'text' }],
    [raw('xml'), { kind: 'xml' }],
  ];

  it('differs for calls with different plans', () => {
    expect(new Set(different.map((each) => callKey(...each))).size).toBe(different.length);
  });

  it('is equal for other values and repeated names', () => {
    const many = texts(['a', '1'], ['a', '2']);
    expect(callKey(many, JSON_TYPE)).toBe(callKey(texts(['a', '3']), JSON_TYPE));
  });
});

describe('callAccess', () => {
  it.each([
    ['GET', 'volatile', true],
    ['HEAD', 'volatile', true],
    ['POST', 'stable', true],
    ['POST', 'immutable', true],
    ['POST', 'volatile', false],
  ] as const)('makes %s of a %s function read-only: %s', (method, volatility, isReadOnly) => {
    expect(callAccess({ ...called, volatility }, method).isReadOnly).toBe(isReadOnly);
  });

  it('contains the isolation and the settings of the function', () => {
    const isolation = 'serializable';
    const settings = [
      ['default_transaction_isolation', isolation],
      ['statement_timeout', '3s'],
    ] as const;
    expect(callAccess({ ...called, isolation, settings }, 'POST')).toEqual({
      isReadOnly: false,
      isolation,
      functionSettings: [['statement_timeout', '3s']],
    });
  });
});
