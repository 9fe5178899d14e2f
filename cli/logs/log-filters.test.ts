import { parseLogLine } from '@greenroom/log';
import { expect, it } from 'vitest';
import { type Filters, readFilters } from './log-filters.ts';

const NOW = new Date('2026-11-26T15:00:00Z');
const LINES = [
  'starting',
  '{"level":30,"time":"2026-11-26T13:00:00.000Z","path":"/auth/v1/user","msg":"request"}',
  '{"level":50,"time":"2026-11-26T14:00:00.000Z","path":"/rest/v1/notes","msg":"request"}',
  'stopping',
];

it.each<[Partial<Filters>, number[]]>([
  [{}, [0, 1, 2, 3]],
  [{ services: ['auth', 'rest'] }, [1, 2]],
  [{ services: ['greenroom'] }, [0, 3]],
  [{ levels: ['error', 'fatal'] }, [2]],
  [{ levels: ['error'], services: ['auth'] }, []],
  [{ since: 'start' }, [0, 1, 2, 3]],
  [{ since: '90m' }, [2, 3]],
  [{ since: '2h0m' }, [1, 2, 3]],
  [{ since: '2026-11-26T14:30:00+01:00' }, [2, 3]],
  [{ since: '2026-11-27' }, []],
])('readFilters %j selects the lines %j', (filters, expected) => {
  const matches = readFilters({ services: undefined, levels: undefined, since: undefined, ...filters }, NOW);
  const found = LINES.flatMap((line, index) => (matches(parseLogLine(line)) ? [index] : []));
  expect(found).toEqual(expected);
});
