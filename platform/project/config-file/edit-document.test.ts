import type { ConfigValue } from '@greenroom/config';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ConfigTable, isTable, parseConfigDocument, valueAt } from './document.ts';
import { ConfigEditError, editConfigText } from './edit-document.ts';

const DOCUMENT = `# The project.
project_id = "shop" # its name

[auth]
# Where users land.
site_url = "http://localhost:3000" # of the front end
additional_redirect_urls = [
  "http://localhost:3000/**", # local
]
email.enable_confirmations = false

  [auth.sms]
  # Not yet.
  template = "Code {{ .Code }}"

[auth.external]
github = { enabled = true, client_id = "a" }
empty = {}

# Buckets of the shop.
[storage.buckets.images]
public = true

[[rules]]
name = "first"
`;

describe('editConfigText', () => {
  it.each<[string, string[], ConfigValue | undefined, string, string]>([
    [
      'a value and keeps its comment',
      ['auth', 'site_url'],
      'https://shop.example',
      '"http://localhost:3000" #',
      '"https://shop.example" #',
    ],
    [
      'a list',
      ['auth', 'additional_redirect_urls'],
      ['a'],
      '[\n  "http://localhost:3000/**", # local\n]',
      '["a"]',
    ],
    ['a dotted key', ['auth', 'email', 'enable_confirmations'], true, '= false', '= true'],
    [
      'a value in an inline table',
      ['auth', 'external', 'github', 'client_id'],
      'b',
      'client_id = "a"',
      'client_id = "b"',
    ],
    [
      'a table by a key behind its last key, indented as that',
      ['auth', 'sms', 'enable_signup'],
      true,
      '{{ .Code }}"\n',
      '{{ .Code }}"\n  enable_signup = true\n',
    ],
    [
      'an inline table by a key',
      ['auth', 'external', 'github', 'secret'],
      'env(X)',
      '"a" }',
      '"a", secret = "env(X)" }',
    ],
    [
      'an empty inline table by a key',
      ['auth', 'external', 'empty', 'enabled'],
      true,
      '{}',
      '{ enabled = true }',
    ],
    [
      'a table of dotted keys by a dotted key',
      ['auth', 'email', 'max_frequency'],
      '1m',
      'confirmations = false\n',
      'confirmations = false\nemail.max_frequency = "1m"\n',
    ],
    ['the root by a key', ['kind'], 'x', 'its name\n', 'its name\nkind = "x"\n'],
    [
      'the document by a table next to its relatives',
      ['auth', 'mfa', 'totp', 'enabled'],
      true,
      'empty = {}\n',
      'empty = {}\n\n[auth.mfa.totp]\nenabled = true\n',
    ],
    [
      'the document by an unrelated table at its end',
      ['api', 'max rows'],
      5,
      'name = "first"\n',
      'name = "first"\n\n[api]\n"max rows" = 5\n',
    ],
    [
      'nothing but a removed line',
      ['storage', 'buckets', 'images', 'public'],
      undefined,
      'public = true\n',
      '',
    ],
    [
      'a removed key with a comment to the comment',
      ['auth', 'site_url'],
      undefined,
      'site_url = "http://localhost:3000" ',
      '',
    ],
    [
      'an inline table without its first key',
      ['auth', 'external', 'github', 'enabled'],
      undefined,
      'enabled = true, ',
      '',
    ],
    [
      'an inline table without its last key',
      ['auth', 'external', 'github', 'client_id'],
      undefined,
      ', client_id = "a"',
      '',
    ],
    ['nothing for a missing key to remove', ['api', 'port'], undefined, '', ''],
  ])('changes %s', (_, path, value, former, next) => {
    expect(editConfigText(DOCUMENT, path, value)).toBe(DOCUMENT.replace(former, () => next));
  });

  it('keeps line ends of Windows, a byte order mark and a missing last line break', () => {
    expect(editConfigText('\uFEFF[a]\r\nb = 1\r\n', ['a', 'c'], 2)).toBe('\uFEFF[a]\r\nb = 1\r\nc = 2\r\n');
    expect(editConfigText('[a]\nb = 1', ['a', 'c'], 2)).toBe('[a]\nb = 1\nc = 2\n');
    expect(editConfigText('\uFEFF[a]', ['c'], 2)).toBe('\uFEFFc = 2\n[a]');
  });

  it('creates the first table of an empty document', () => {
    expect(editConfigText('', ['auth', 'site_url'], 'x')).toBe('[auth]\nsite_url = "x"\n');
  });

  it.each([[['rules', 'name']], [['project_id', 'x']], [['auth', 'additional_redirect_urls', 'x']]])(
    'refuses a change of %j',
    (path) => {
      expect(() => editConfigText(DOCUMENT, path, 'x')).toThrow(ConfigEditError);
    },
  );

  it('refuses a text with half of a surrogate pair', () => {
    expect(() => editConfigText('', ['a'], '\ud800')).toThrow(ConfigEditError);
  });
});

describe('editConfigText for random documents', () => {
  const name = fc.constantFrom('a', 'b', 'c', 'two words', '"', 'é');
  const path = fc.array(name, { minLength: 1, maxLength: 4 });
  const scalar = fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean());
  const value: fc.Arbitrary<ConfigValue> = fc.oneof(scalar, fc.array(scalar, { maxLength: 12 }));
  const edit = fc.tuple(path, fc.option(value, { nil: undefined }));
  const comments = fc.constantFrom('', '# one\n', '# [not.a] = table\n\n', '\n\n');

  const written = (text: string, [at, next]: [string[], ConfigValue | undefined]): string => {
    try {
      return editConfigText(text, at, next);
    } catch (error) {
      if (error instanceof ConfigEditError) return text;
      throw error;
    }
  };

  function leaves(table: ConfigTable, at: string[] = []): Map<string, unknown> {
    const entries = Object.entries(table).flatMap(([key, member]): [string, unknown][] =>
      isTable(member) ? [...leaves(member, [...at, key])] : [[JSON.stringify([...at, key]), member]],
    );
    return new Map(entries);
  }

  it('sets the value, keeps all others, and keeps all comments', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(edit, comments), { maxLength: 8 }), edit, (edits, [at, next]) => {
        const text = edits.reduce((built, [one, comment]) => written(built, one) + comment, DOCUMENT);
        const edited = written(text, [at, next]);
        const before = leaves(parseConfigDocument(text, 'x').values);
        const { values } = parseConfigDocument(edited, 'x');
        if (edited !== text) expect(valueAt(values, at)).toEqual(next);
        before.delete(JSON.stringify(at));
        const after = leaves(values);
        after.delete(JSON.stringify(at));
        expect(after).toEqual(before);
        // The edited lines may have one comment less: that of a replaced list.
        for (const line of text.split('\n').filter((each) => each.startsWith('#')))
          expect(edited).toContain(line);
      }),
      { numRuns: 400 },
    );
  });

  it('restores the text when an added key is removed', () => {
    fc.assert(
      fc.property(edit, ([at, next]) => {
        if (next === undefined || valueAt(parseConfigDocument(DOCUMENT, 'x').values, at) !== undefined)
          return;
        const edited = written(DOCUMENT, [at, next]);
        const restored = editConfigText(edited, at, undefined);
        const rest = (text: string) =>
          text.split('\n').filter((line) => line !== '' && !line.startsWith('['));
        expect(rest(restored)).toEqual(rest(DOCUMENT));
      }),
      { numRuns: 200 },
    );
  });
});
