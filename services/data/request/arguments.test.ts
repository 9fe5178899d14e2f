import { describe, expect, it } from 'vitest';
import type { FunctionParameter } from '../schema-cache/schema-cache.ts';
import { argumentNames, argumentsOf, argumentValues, wholeBodyParameter } from './arguments.ts';
import type { JsonBody } from './body.ts';
import { parseMediaType } from './media-type.ts';

const GET = { kind: 'call', function: 'f', method: 'GET', isHead: false } as const;
const POST = { ...GET, method: 'POST' } as const;
const IN_URL = [['a', '1']] as const;
const JSON_BODY: JsonBody = {
  kind: 'json',
  json: Buffer.from('{"x":1,"y":2}'),
  isArray: false,
  rowCount: 1,
  columns: ['x', 'y'],
};
const FORM = {
  kind: 'form',
  fields: [
    ['f', '1'],
    ['f', '2'],
  ],
} as const;
const TEXT = { kind: 'raw', mediaType: 'text/plain', bytes: Buffer.from('t') } as const;

const parameter = (name: string, type = 'text', isVariadic = false): FunctionParameter => ({
  name,
  type,
  typeWithModifier: type,
  isRequired: true,
  isVariadic,
});

describe('arguments', () => {
  it.each([
    ['of GET are in the URL', GET, undefined, { kind: 'texts', pairs: IN_URL }, ['a']],
    ['of POST are in its JSON', POST, JSON_BODY, { kind: 'json', body: JSON_BODY }, ['x', 'y']],
    ['of POST are in its form', POST, FORM, { kind: 'texts', pairs: FORM.fields }, ['f']],
    ['of POST are its text', POST, TEXT, { kind: 'raw', mediaType: { kind: 'text' }, bytes: TEXT.bytes }, []],
  ] as const)('%s', (_, action, body, expected, names) => {
    const found = argumentsOf(action, IN_URL, body);
    expect(found).toEqual(expected);
    expect(argumentNames(found)).toEqual(names);
  });
});

describe('argumentValues', () => {
  const pairs = [
    ['a', '1'],
    ['v', 'x'],
    ['a', '2'],
    ['v', 'y'],
  ] as const;

  it('are the last of each name', () => {
    const values = argumentValues({ parameters: [parameter('a'), parameter('v')] }, pairs);
    expect([...values]).toEqual([
      ['a', '2'],
      ['v', 'y'],
    ]);
  });

  it('are all values of the name for a variadic parameter', () => {
    const values = argumentValues({ parameters: [parameter('a'), parameter('v', 'text[]', true)] }, pairs);
    expect([...values]).toEqual([
      ['a', '2'],
      ['v', ['x', 'y']],
    ]);
  });

  it('are missing for a variadic parameter without arguments', () => {
    expect([...argumentValues({ parameters: [parameter('v', 'text[]', true)] }, [])]).toEqual([]);
  });
});

describe('wholeBodyParameter', () => {
  it.each([
    ['application/json', 'json', true],
    ['application/json', 'jsonb', true],
    ['text/plain', 'text', true],
    ['text/xml', 'xml', true],
    ['application/octet-stream', 'bytea', true],
    ['application/json', 'text', false],
    ['text/plain', 'json', false],
    ['application/x-www-form-urlencoded', 'json', false],
    ['image/png', 'bytea', false],
  ])('accepts %s for a parameter of type %s: %s', (contentType, type, expected) => {
    const only = parameter('', type);
    const found = wholeBodyParameter({ parameters: [only] }, parseMediaType(contentType));
    expect(found).toBe(expected ? only : undefined);
  });

  it.each([
    ['no parameter', []],
    ['a named parameter', [parameter('a', 'json')]],
    ['two parameters', [parameter('', 'json'), parameter('b')]],
  ])('returns undefined with %s', (_, parameters) => {
    expect(wholeBodyParameter({ parameters }, parseMediaType('application/json'))).toBeUndefined();
  });
});
