import { describe, expect, it } from 'vitest';
import { readRecords, readStart } from './csv-records.ts';

const fileOf = (...parts: string[]) => new Blob(parts);

async function all(file: Blob): Promise<string[][]> {
  const start = await readStart(file);
  const records: string[][] = [];
  if (start) for await (const batch of readRecords(file, start)) records.push(...batch);
  return records;
}

describe('readStart', () => {
  it('reads fields, records and the format of a file with a byte order mark', async () => {
    const start = await readStart(fileOf('\uFEFFid;name\r\n1;"Ada; Countess"\r\n\r\n2;Grace\r\n'));
    expect(start).toEqual({
      delimiter: ';',
      newline: '\r\n',
      fields: ['id', 'name'],
      records: [
        ['1', 'Ada; Countess'],
        ['2', 'Grace'],
      ],
    });
  });

  it('returns undefined for an empty file', async () => {
    expect(await readStart(fileOf(''))).toBeUndefined();
  });
});

describe('readRecords', () => {
  it.each([
    ['with a line break at its end', 'id,name\n1,Ada\n2,Grace\n'],
    ['without a line break at its end', 'id,name\n1,Ada\n2,Grace'],
    ['with empty lines', 'id,name\n\n1,Ada\n\n2,Grace\n\n'],
    ['with a byte order mark', '\uFEFFid,name\n1,Ada\n2,Grace\n'],
  ])('yields the records of a file %s', async (_, text) => {
    expect(await all(fileOf(text))).toEqual([
      ['1', 'Ada'],
      ['2', 'Grace'],
    ]);
  });

  it('keeps line breaks and quotes within quoted fields', async () => {
    expect(await all(fileOf('id,text\n1,"a\nb ""c"""\n'))).toEqual([['1', 'a\nb "c"']]);
  });

  it('yields each record once if the file has several pieces and characters of several bytes', async () => {
    const lines = Array.from({ length: 60_000 }, (_, index) => `${index},"é€😀 ${index}\nsecond, line"`);
    const records = await all(fileOf(`id,text\n${lines.join('\n')}\n`));
    expect(records).toHaveLength(60_000);
    expect(records.at(-1)).toEqual(['59999', 'é€😀 59999\nsecond, line']);
    expect(new Set(records.map(([id]) => id)).size).toBe(60_000);
  });
});
