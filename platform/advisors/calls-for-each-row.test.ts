import { expect, it } from 'vitest';
import { hasCallForEachRow } from './calls-for-each-row.ts';

it.each([
  ['(auth.uid() = owner)', true],
  ['(owner = auth.uid())', true],
  ["((auth.jwt() ->> 'team'::text) = team)", true],
  ["(current_setting('app.team'::text) = team)", true],
  ['(owner = ( SELECT auth.uid() AS uid))', false],
  ["(team = ( SELECT (auth.jwt() ->> 'team'::text)))", false],
  ["(team = ( SELECT ((current_setting('request.jwt.claims'::text, true))::jsonb ->> 'team'::text)))", false],
  ['((owner = ( SELECT auth.uid() AS uid)) OR (auth.role() = role))', true],
  ['(EXISTS ( SELECT 1 FROM members m WHERE (m.id = auth.uid())))', true],
  ['(EXISTS ( SELECT 1 FROM members m WHERE (m.id = ( SELECT auth.uid() AS uid))))', false],
  ["(title <> 'auth.uid()'::text)", false],
  ['("auth.uid()" = owner)', false],
  ["(title <> '( SELECT '::text) AND (owner = auth.uid())", true],
  ['(EXTRACT(year FROM created) = ( SELECT auth.email() AS email))', false],
  ['(my_auth.uid() = owner)', false],
  ['true', false],
])('finds calls that run for each row: %s', (expression, expected) => {
  expect(hasCallForEachRow(expression)).toBe(expected);
});
