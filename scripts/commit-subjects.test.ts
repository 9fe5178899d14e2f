import { expect, it } from 'vitest';
import { problemsOfSubject } from './commit-subjects.ts';

it.each([
  'feat(app): ship the component catalogue in development only',
  'fix: retry once after a concurrent insert',
  'refactor(postgres): feed the pipeline from a queue',
  'feat(auth)!: reject tokens without an audience',
])('accepts %j', (subject) => {
  expect(problemsOfSubject(subject)).toEqual([]);
});

it.each<[subject: string, problems: string[]]>([
  ['Update things', ['is not of the form `type(scope): imperative`']],
  ['docs: What is garbage', ['is not of the form `type(scope): imperative`']],
  ['fix(data): fixed the count', ['does not begin with an imperative']],
  ['fix(data): fixes the count', ['does not begin with an imperative']],
  [`fix(data): ${'x'.repeat(30)} ${'y'.repeat(40)}`, ['has 82 characters']],
  ["Merge branch 'x' of /tmp/y", ['is not of the form `type(scope): imperative`']],
])('rejects %j', (subject, problems) => {
  expect(problemsOfSubject(subject)).toEqual(problems);
});
