import { describe, expect, it } from 'vitest';
import { chartData, suggestColumns } from './chart-data.ts';

const columnsOf = (...types: string[]) => types.map((type, index) => ({ name: `c${index}`, type }));

describe('suggestColumns', () => {
  it.each([
    ['a time and a number', ['text', 'timestamp with time zone', 'bigint'], { x: 1, y: 2 }],
    ['a text and a number', ['integer', 'text', 'numeric(10,2)'], { x: 1, y: 2 }],
    ['a number in front of the text', ['integer', 'text'], { x: 1, y: 0 }],
    ['two numbers', ['integer', 'double precision'], { x: 0, y: 1 }],
    ['one number', ['real'], { x: 0, y: 0 }],
    ['no number', ['text', 'date'], undefined],
  ])('finds the axes of %s', (_, types, expected) => {
    expect(suggestColumns({ columns: columnsOf(...types) })).toEqual(expected);
  });
});

describe('chartData', () => {
  it('sorts times, and reads dates, zones and times without zones', () => {
    const rows = [
      ['2026-01-02 00:00:00+02', '2'],
      ['2026-01-01', '1'],
      [null, '9'],
      ['2026-01-03 12:30:00.5', null],
      ['infinity', '4'],
    ];
    expect(
      chartData({ columns: columnsOf('timestamp with time zone', 'integer'), rows }, { x: 0, y: 1 }),
    ).toEqual({
      x: ['2026-01-01T00:00Z', '2026-01-01T22:00Z', '2026-01-03T12:30:00.5Z'].map(
        (text) => Date.parse(text) / 1000,
      ),
      y: [1, 2, null],
      kind: 'time',
      labels: [],
    });
  });

  it('keeps the order of texts, and labels them', () => {
    const rows = [
      ['pears', '3'],
      [null, 'NaN'],
      ['apples', '-1.5'],
    ];
    expect(chartData({ columns: columnsOf('text', 'numeric'), rows }, { x: 0, y: 1 })).toEqual({
      x: [0, 1, 2],
      y: [3, null, -1.5],
      kind: 'text',
      labels: ['pears', '', 'apples'],
    });
  });

  it('sorts numbers of the x axis', () => {
    const rows = [
      ['10', '$1,000.50'],
      ['-2', '2'],
    ];
    expect(chartData({ columns: columnsOf('bigint', 'money'), rows }, { x: 0, y: 1 })).toMatchObject({
      x: [-2, 10],
      y: [2, 1000.5],
    });
  });
});
