import { expect, it } from 'vitest';
import { lintTexts } from './admin-policies-lints.ts';

const FINDING = {
  name: 'no_primary_key',
  title: 'No Primary Key',
  description: 'Rows of a table without a primary key cannot be addressed quickly.',
  remediation: 'Add a primary key to the table.',
};

it('returns the German title and remediation of a lint', () => {
  expect(lintTexts(FINDING, 'de')).toMatchObject({
    title: 'Kein Primärschlüssel',
    remediation: 'Fügen Sie der Tabelle einen Primärschlüssel hinzu.',
    language: 'de',
  });
});

it.each([
  ['a known lint in English', FINDING, 'en'],
  ['an unknown lint in German', { ...FINDING, name: 'toString' }, 'de'],
] as const)('returns the texts of the finding for %s', (_case, finding, language) => {
  const { name: _, ...texts } = finding;
  expect(lintTexts(finding, language)).toEqual({ ...texts, language: 'en' });
});
