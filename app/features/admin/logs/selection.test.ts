import { describe, expect, it } from 'vitest';
import {
  changesPath,
  isFiltered,
  lineQuery,
  linesPath,
  readChangeSelection,
  readLineSelection,
} from './selection.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const read = (query: string) => readLineSelection(new URLSearchParams(query));

describe('the filter of lines', () => {
  it.each([
    ['', {}],
    ['range=1h&service=auth', { from: '2026-01-02T11:00:00.000Z', service: 'auth' }],
    ['range=1h&from=2026-01-01T00:00', { from: '2026-01-01T00:00:00.000Z' }],
    ['service=meta', { service: 'meta' }],
    ['service=operator', { service: 'operator' }],
    [
      'from=2026-01-01T00:00:30&to=2026-01-01T01:00',
      { from: '2026-01-01T00:00:30.000Z', to: '2026-01-01T01:00:00.000Z' },
    ],
    ['level=error&status=5XX&q=%20broken%20', { level: 'error', status: '5xx', text: 'broken' }],
    ['user=ada&request=r1&before=3-100', { user: 'ada', request: 'r1', before: '3-100' }],
    ['range=2h&service=other&level=loud&status=abc&from=today&before=x', {}],
    ['from=2026-02-31T99:00', {}],
  ])('of the URL ?%s becomes the query %j', (query, expected) => {
    expect(lineQuery(read(query), NOW)).toEqual(expected);
  });

  it('has a URL that contains only values that are set', () => {
    const selection = read('service=auth&status=404&live=1&other=1');
    expect(linesPath(selection)).toBe('/admin/logs?service=auth&status=404&live=1');
    expect(linesPath()).toBe('/admin/logs');
  });

  it.each([
    ['', false],
    ['live=1&before=1-2', false],
    ['q=a', true],
  ])('of the URL ?%s excludes lines: %s', (query, expected) => {
    expect(isFiltered(read(query))).toBe(expected);
  });
});

it('the filter of changes ignores values that are not valid, and has a URL', () => {
  const id = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
  const selection = readChangeSelection(
    new URLSearchParams(`actor=${id}&action=user.ban&target=public.notes&before=12`),
  );
  expect(selection).toEqual({ actor: id, action: 'user.ban', target: 'public.notes', before: '12' });
  expect(changesPath(selection)).toBe(
    `/admin/logs?tab=changes&actor=${id}&action=user.ban&target=public.notes&before=12`,
  );
  expect(readChangeSelection(new URLSearchParams('actor=ada&before=-1'))).toEqual({
    actor: '',
    action: '',
    target: '',
    before: '',
  });
});
