import { expect, it } from 'vitest';
import { explainOffset, explainSql } from './explain-sql.ts';

it('explains a statement, and knows the offset of it', () => {
  const sql = 'select 1';
  for (const mode of ['explain', 'analyze'] as const)
    expect(explainSql(sql, mode).slice(explainOffset(mode))).toBe(sql);
  expect(explainSql(sql, 'analyze')).toBe('explain (analyze, buffers, verbose, format json) select 1');
});
