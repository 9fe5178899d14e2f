import { describe, expect, it } from 'vitest';
import { exceptionInParams, exceptionText, noSuchTable } from './messages.ts';
import { parseSubscription, type SubscriptionParams } from './parse.ts';

const ALL = { event: '*', schema: 'public', table: 't', conditions: [], select: undefined } as const;
const parseFilter = (filter: string) => parseSubscription({ schema: 'public', table: 't', filter });

describe('parseSubscription', () => {
  it.each<[name: string, params: Record<string, unknown>, expected: Partial<SubscriptionParams>]>([
    ['a schema and a table', { schema: 'public', table: 't' }, {}],
    ['a schema without a table', { schema: 's' }, { schema: 's', table: '*' }],
    ['a table without a schema', { table: 't' }, {}],
    ['wildcards', { schema: '*', table: '*' }, { schema: '*', table: '*' }],
    ['an event in upper case', { event: 'inSert', table: 't' }, { event: 'INSERT' }],
    ['the event *', { event: '*', table: 't' }, {}],
    ['an unknown event', { event: 'TRUNCATE', table: 't' }, {}],
    ['an event that is not a text', { event: 1, table: 't' }, {}],
    ['a selection of columns', { table: 't', select: ['a', 1, 'b'] }, { select: ['a', 'b'] }],
    ['an empty selection', { table: 't', select: [] }, {}],
    ['a blank filter', { schema: 'public', table: 't', filter: '  ' }, {}],
  ])('parses %s', (_, params, expected) => {
    expect(parseSubscription(params)).toEqual({ value: { ...ALL, ...expected } });
  });

  it.each<[filter: string, ...conditions: [string, string, string, boolean?][]]>([
    ['id=eq.1', ['id', 'eq', '1']],
    [' id=gt.0 , id=not.lt.100 ', ['id', 'gt', '0'], ['id', 'lt', '100', true]],
    ['s=in.(hidee,ho)', ['s', 'in', '{hidee,ho}']],
    ['s=in.("a,b",c),id=eq.1', ['s', 'in', '{"a,b",c}'], ['id', 'eq', '1']],
    ['s=eq."a,b"', ['s', 'eq', 'a,b']],
    ['s=eq."a\\"b\\\\,"', ['s', 'eq', 'a"b\\,']],
    ['s=eq."a"b', ['s', 'eq', '"a"b']],
    ['s=eq.a"b,id=eq.1', ['s', 'eq', 'a"b'], ['id', 'eq', '1']],
    ['s=eq.f(a,b)', ['s', 'eq', 'f(a,b)']],
    ['s=eq.)a,id=eq.1', ['s', 'eq', ')a'], ['id', 'eq', '1']],
    ['s=eq.', ['s', 'eq', '']],
    ['s=eq.a.b=c', ['s', 'eq', 'a.b=c']],
    ['s=is.null', ['s', 'is', 'null']],
    ['s=not.not.eq.1', ['s', 'eq', '1', true]],
  ])('parses the filter %s', (filter, ...conditions) => {
    const read = parseFilter(filter);
    if (filter.includes('not.not'))
      return expect(read).toEqual({ error: expect.stringContaining('["not", "eq.1"]') });
    expect(read).toEqual({
      value: {
        ...ALL,
        conditions: conditions.map(([column, operator, value, isNegated = false]) => ({
          column,
          operator,
          value,
          isNegated,
        })),
      },
    });
  });

  it.each([
    ['subject=foo.hey', '["foo", "hey"]'],
    ['subject=not.foo.hey', '["foo", "hey"]'],
    ['undefined', '["undefined"]'],
    ['id=eq', '["eq"]'],
    ['id=eq.1,', 'filter must not contain empty segments (check for extra commas)'],
    ['id=in.1', '`in` filter value must be wrapped by parentheses'],
    ['a"\n=x', '["x"]'],
    ['a"\n', '["a\\""]'],
  ])('rejects the filter %j', (filter, reason) => {
    expect(parseFilter(filter)).toEqual({ error: `Error parsing \`filter\` params: ${reason}` });
  });

  const NO_PARAMS =
    'No subscription params provided. Please provide at least a `schema` or `table` to subscribe to: ';
  it.each<[params: Record<string, unknown>, error: string]>([
    [{}, `${NO_PARAMS}%{}`],
    [
      { event: '*', filter: 'id=eq.1', table: 't' },
      `${NO_PARAMS}%{"event" => "*", "filter" => "id=eq.1", "table" => "t"}`,
    ],
    [{ schema: 's', table: 7 }, `${NO_PARAMS}%{"schema" => "s", "table" => 7}`],
    [
      { schema: null, table: ['t'], x: { y: true } },
      `${NO_PARAMS}%{"schema" => nil, "table" => ["t"], "x" => %{"y" => true}}`,
    ],
    [
      { schema: 's', table: 't', filter: null },
      `${NO_PARAMS}%{"filter" => nil, "schema" => "s", "table" => "t"}`,
    ],
    [{ user_token: 'secret' }, `${NO_PARAMS}<redacted>`],
    [
      { table: 't', select: 'a' },
      'Error parsing `select` params: expected a list of column name strings, e.g. select: ["col1", "col2"]',
    ],
    [
      { schema: 's', select: ['a'] },
      'Column selection is not supported for wildcard subscriptions. Provide an explicit schema and table name.',
    ],
  ])('rejects %j', (params, error) => {
    expect(parseSubscription(params)).toEqual({ error });
  });
});

describe('messages', () => {
  const params: SubscriptionParams = {
    ...ALL,
    event: 'INSERT',
    conditions: [{ column: 'subject', operator: 'eq', value: 'hey', isNegated: false }],
  };

  it('report a missing table', () => {
    expect(noSuchTable({ ...params, table: 'nope', conditions: [] })).toBe(
      'Unable to subscribe to changes with given parameters. Please check Realtime is enabled for the given connect parameters: [event: INSERT, schema: public, table: nope, filters: [], select: nil]',
    );
  });

  it('contain the error of PostgreSQL', () => {
    const text = exceptionText('P0001', 'invalid column for filter subject');
    expect(exceptionInParams({ ...params, select: ['a', 'b'] }, text)).toBe(
      'Unable to subscribe to changes with given parameters. An exception happened so please check your connect parameters: [event: INSERT, schema: public, table: t, filters: [{"subject", "eq", "hey", false}], select: ["a", "b"]]. Exception: ERROR P0001 (raise_exception) invalid column for filter subject',
    );
    expect(exceptionText('XX000', 'odd')).toBe('ERROR XX000 odd');
  });
});
