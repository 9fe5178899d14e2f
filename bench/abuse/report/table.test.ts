import { expect, it } from 'vitest';
import { type Row, tableHead, tableRow } from './table.ts';

const row: Row = {
  name: 'http/pages',
  latencies: { data: { count: 9, p50Ms: 1.4, p99Ms: 12_345, errors: 2, reasons: [] } },
  server: { stallMs: 12.2, stallByClockMs: 40, serverMb: 201.7, postgresMb: 90 },
  verdict: 'FAILED',
  notes: ['data: 2 of 9 failed'],
};

it('aligns rows with the head, marks errors and prints remarks below', () => {
  const services = ['data', 'health'];
  expect(`${tableHead(services)}\n${tableRow(services, row)}`).toBe(
    [
      'p50/p99 in ms                       data    health     stall    server  postgres  verdict',
      'http/pages                        1/12s!         –     12/40    202 MB     90 MB  FAILED',
      '    data: 2 of 9 failed',
    ].join('\n'),
  );
});
