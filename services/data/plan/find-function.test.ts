import { CatalogueError } from '@greenroom/errors';
import { describe, expect, it } from 'vitest';
import type { Arguments } from '../request/arguments.ts';
import { parseMediaType } from '../request/media-type.ts';
import { type FunctionParameter, keyOf, type SqlFunction } from '../schema-cache/schema-cache.ts';
import { findFunction, findWithoutArguments } from './find-function.ts';

/** `a int, b? text`: a question mark is for a default, and no name for no name. */
function parameters(text: string): FunctionParameter[] {
  if (text === '') return [];
  return text.split(', ').map((each) => {
    const [name = '', type = ''] = each.split(' ');
    return {
      name: name.replace('?', ''),
      type,
      typeWithModifier: type,
      isRequired: !name.endsWith('?'),
      isVariadic: false,
    };
  });
}

function overload(name: string, text: string): SqlFunction {
  return {
    schema: 'api',
    name,
    description: text,
    parameters: parameters(text),
    result: {
      isSet: false,
      shape: { kind: 'scalar', type: { schema: 'pg_catalog', name: 'int4' }, isVoid: false },
    },
    volatility: 'volatile',
    hasVariadic: false,
    isolation: undefined,
    settings: [],
  };
}

const cache = {
  functions: Map.groupBy(
    [
      ['none', ''],
      ['one', 'a int'],
      ['optional', 'a? int, b? int'],
      ['mixed', 'a int, b? int, c? int'],
      ['overloaded', ''],
      ['overloaded', 'a int'],
      ['overloaded', 'a int, b text'],
      ['overloaded', ' json'],
      ['overloaded', ' text'],
      ['overloaded', ' bytea'],
      ['same', 'a int'],
      ['same', 'a text'],
      ['overlapping', 'a int'],
      ['overlapping', 'a int, b? int'],
      ['jsons', ' json'],
      ['jsons', ' jsonb'],
      ['body', ' json'],
      ['xml', ' xml'],
      ['default_body', '? json'],
      ['named_json', 'data json'],
      ['quiet', ''],
      ['quietly', ''],
    ].map(([name = '', text = '']) => overload(name, text)),
    keyOf,
  ),
};
cache.functions.set(keyOf({ schema: 'hidden', name: 'secret' }), [
  { ...overload('secret', ''), schema: 'hidden' },
]);

/** `json a,b`, `url a,b`, `form a`, `csv a`, `text`, `xml`, `bytes`. */
function argumentsOf(text: string): [Arguments, string] {
  const [kind = '', list = ''] = text.split(' ');
  const names = list === '' ? [] : list.split(',');
  const json = {
    kind: 'json',
    json: Buffer.from('{}'),
    isArray: false,
    rowCount: 1,
    columns: names,
  } as const;
  const texts: Arguments = { kind: 'texts', pairs: names.map((name) => [name, '1']) };
  const raw = (of: 'text' | 'xml' | 'octet-stream'): Arguments => ({
    kind: 'raw',
    mediaType: { kind: of },
    bytes: Buffer.from(''),
  });
  const all: Record<string, [Arguments, string]> = {
    url: [texts, 'application/json'],
    form: [texts, 'application/x-www-form-urlencoded'],
    json: [{ kind: 'json', body: json }, 'application/json'],
    csv: [{ kind: 'json', body: json }, 'text/csv'],
    text: [raw('text'), 'text/plain'],
    xml: [raw('xml'), 'text/xml'],
    bytes: [raw('octet-stream'), 'application/octet-stream'],
  };
  const found = all[kind];
  if (found === undefined) throw new Error(`what is ${kind}?`);
  return found;
}

function find(name: string, text: string) {
  const [args, contentType] = argumentsOf(text);
  return findFunction(cache, { schema: 'api', name }, args, parseMediaType(contentType));
}

function refusal(run: () => unknown): CatalogueError {
  try {
    run();
  } catch (error) {
    if (error instanceof CatalogueError) return error;
    throw error;
  }
  throw new Error('it was found');
}

describe('findFunction', () => {
  it.each<[name: string, given: string, signature: string]>([
    ['none', 'url', ''],
    ['none', 'json', ''],
    ['none', 'form', ''],
    ['one', 'url a', 'a int'],
    ['one', 'json a', 'a int'],
    ['one', 'csv a', 'a int'],
    ['one', 'form a', 'a int'],
    ['one', 'url a,a', 'a int'],
    ['optional', 'url', 'a? int, b? int'],
    ['optional', 'url b', 'a? int, b? int'],
    ['mixed', 'url a', 'a int, b? int, c? int'],
    ['mixed', 'json c,a', 'a int, b? int, c? int'],
    ['overloaded', 'url', ''],
    ['overloaded', 'json', ''],
    ['overloaded', 'url a', 'a int'],
    ['overloaded', 'json b,a', 'a int, b text'],
    ['overlapping', 'url a,b', 'a int, b? int'],
    ['named_json', 'json data', 'data json'],
    ['default_body', 'url', '? json'],
  ])('resolves %s with %s to the overload (%s)', (name, text, signature) => {
    const found = find(name, text);
    expect([found.function.description, found.wholeBody]).toEqual([signature, undefined]);
  });

  it.each<[name: string, given: string, type: string]>([
    ['overloaded', 'json x', 'json'],
    ['overloaded', 'json a,b,c', 'json'],
    ['overloaded', 'text', 'text'],
    ['overloaded', 'bytes', 'bytea'],
    ['body', 'json', 'json'],
    ['xml', 'xml', 'xml'],
    ['default_body', 'json', 'json'],
    ['default_body', 'text', 'json'],
    ['default_body', 'csv', 'json'],
  ])('resolves %s with %s to an overload with a %s body', (name, text, type) => {
    const { function: found, wholeBody } = find(name, text);
    expect(wholeBody).toBe(found.parameters[0]);
    expect(wholeBody?.type).toBe(type);
  });

  it('accepts only functions without required arguments for OPTIONS', () => {
    expect(findWithoutArguments(cache, { schema: 'api', name: 'optional' }).name).toBe('optional');
    const error = refusal(() => findWithoutArguments(cache, { schema: 'api', name: 'one' }));
    expect([error.status, error.code]).toEqual([404, 'PGRST202']);
  });
});

describe('calls without a matching function', () => {
  it.each<[name: string, given: string, status: number, code: string]>([
    ['nothing', 'url', 404, 'PGRST202'],
    ['secret', 'url', 404, 'PGRST202'],
    ['one', 'url', 404, 'PGRST202'],
    ['one', 'url a,b', 404, 'PGRST202'],
    ['one', 'json A', 404, 'PGRST202'],
    ['mixed', 'url b,c', 404, 'PGRST202'],
    ['none', 'url a', 404, 'PGRST202'],
    ['none', 'text', 404, 'PGRST202'],
    ['none', 'xml', 404, 'PGRST202'],
    ['none', 'bytes', 404, 'PGRST202'],
    ['body', 'url', 404, 'PGRST202'],
    ['body', 'form', 404, 'PGRST202'],
    ['body', 'text', 404, 'PGRST202'],
    ['body', 'csv a', 404, 'PGRST202'],
    ['overloaded', 'csv x', 404, 'PGRST202'],
    ['overloaded', 'form x', 404, 'PGRST202'],
    ['overloaded', 'xml', 404, 'PGRST202'],
    ['named_json', 'json a', 404, 'PGRST202'],
    ['same', 'url a', 300, 'PGRST203'],
    ['overlapping', 'url a', 300, 'PGRST203'],
    ['jsons', 'json a', 300, 'PGRST203'],
  ])('are rejected: %s with %s returns %d %s', (name, text, status, code) => {
    const error = refusal(() => find(name, text));
    expect([error.status, error.code]).toEqual([status, code]);
  });

  it('exclude an unnamed parameter with the empty name as argument', () => {
    const pairs: Arguments = { kind: 'texts', pairs: [['', '1']] };
    const found = findFunction(cache, { schema: 'api', name: 'body' }, pairs, { kind: 'form' });
    expect([found.function.name, found.wholeBody]).toEqual(['body', undefined]);
  });

  it.each<[name: string, given: string, message: string]>([
    ['one', 'url b,a', 'api.one(a, b)'],
    ['one', 'url', 'api.one without parameters'],
    ['one', 'text', 'api.one in'],
  ])('name function and arguments in the message: %s with %s', (name, text, message) => {
    expect(refusal(() => find(name, text)).message).toContain(`the function ${message}`);
  });

  it.each<[name: string, given: string, details: RegExp]>([
    ['one', 'url b', /api\.one with parameter b, but/],
    ['one', 'json', /without parameters or with a single unnamed json\/jsonb parameter, but/],
    ['one', 'csv b', /api\.one with parameter b, but/],
    ['one', 'bytes', /with a single unnamed bytea parameter, but/],
  ])('describe the search in the details: %s with %s', (name, text, details) => {
    expect(refusal(() => find(name, text)).extra?.details).toMatch(details);
  });

  const HINT = 'Perhaps you meant to call the function ';
  it.each<[name: string, given: string, hint: string | null]>([
    ['optionl', 'url a', `${HINT}api.optional`],
    ['quietx', 'url', `${HINT}api.quiet`],
    ['secre', 'url', null],
    ['on', 'url', null],
    ['one', 'url b', `${HINT}api.one(a)`],
    ['one', 'url', `${HINT}api.one(a)`],
    ['mixed', 'json b,c,x', `${HINT}api.mixed(a, b, c)`],
    ['overloaded', 'url a,c', `${HINT}api.overloaded(a, b)`],
    ['named_json', 'json something_else_altogether', null],
    ['body', 'url a', null],
    ['one', 'text', null],
  ])('have a hint to a similar function: %s with %s', (name, text, hint) => {
    expect(refusal(() => find(name, text)).extra?.hint).toBe(hint);
  });

  it('have a message with a truncated list of names', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `name_${index}`).join(',');
    expect(refusal(() => find('one', `json ${names}`)).message.length).toBeLessThan(1200);
  });

  it('list all candidates', () => {
    const error = refusal(() => find('same', 'url a'));
    expect(error.message).toContain('api.same(a => int), api.same(a => text)');
    expect(error.extra?.hint).toContain('renaming');
  });
});
