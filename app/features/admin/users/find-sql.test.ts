import { describe, expect, it } from 'vitest';
import { nameSql, startSql } from './find-sql.ts';

const ADMIN = '00000000-0000-4000-8000-000000000001';
const ID = '9f1c3c0e-7d51-4f5e-8a55-0b6f3a2c1d00';

/** Returns the numbers of the parameters that a text uses. */
const used = (text: string) => new Set([...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));

describe('startSql', () => {
  it.each<[query: string, ranges: [string, string][]]>([
    ['Ada', [['ada', 'ada\u{10ffff}']]],
    ['ada@ex', [['ada@ex', 'ada@ex\u{10ffff}']]],
    [
      '+49 (151)',
      [
        ['+49 (151)', '+49 (151)\u{10ffff}'],
        ['49151', '4915199999999999'],
      ],
    ],
    [
      '9F1C3C0E-7d',
      [
        ['9f1c3c0e-7d', '9f1c3c0e-7d\u{10ffff}'],
        ['9f1c3c0e7d0000000000000000000000', '9f1c3c0e7dffffffffffffffffffffff'],
      ],
    ],
    [
      ID,
      [
        [ID, `${ID}\u{10ffff}`],
        [ID.replaceAll('-', ''), ID.replaceAll('-', '')],
      ],
    ],
    [
      '123456',
      [
        ['123456', '123456\u{10ffff}'],
        ['123456', '1234569999999999'],
        ['12345600000000000000000000000000', '123456ffffffffffffffffffffffffff'],
      ],
    ],
    ['facade-x', [['facade-x', 'facade-x\u{10ffff}']]],
    [`${ID}0`, [[`${ID}0`, `${ID}0\u{10ffff}`]]],
  ])('reads for %j a range of each index that can have it', (query, ranges) => {
    const { text, values } = startSql(query, ADMIN, 5);
    expect(values).toEqual([ADMIN, ...ranges.flat()]);
    expect(used(text).size).toBe(values.length);
    expect(text.split(' limit 5)')).toHaveLength(ranges.length + 1);
  });
});

describe('nameSql', () => {
  it('finds the beginning of each word, and passes it as a parameter without special characters', () => {
    const { text, values } = nameSql("o'n%", ADMIN, 5);
    expect(values).toEqual([ADMIN, "o'n\\%%", "% o'n\\%%"]);
    expect(text).not.toContain("o'n");
    expect(used(text).size).toBe(values.length);
  });

  it('reads a limited number of users', () => {
    expect(nameSql('ada', ADMIN, 5).text).toMatch(/order by u\.created_at desc limit 10000\n/);
  });
});
