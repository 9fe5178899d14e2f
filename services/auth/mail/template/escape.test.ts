/** Escaping keeps every value in its context and preserves its text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileHtml, TrustedUrl } from './index.ts';

/** Values that try to leave their context, among random ones. */
const ATTEMPTS = [
  '"',
  "'",
  '`',
  '<',
  '>',
  '&',
  '=',
  ' ',
  '\t',
  '\n',
  '\f',
  '\r',
  '\0',
  '\u00a0',
  '\ud800',
  '/',
  '\\',
  ':',
  '%',
  '%3',
  '#',
  '?',
  '{{ .b }}',
  '</title>',
  '</textarea>',
  '<!--',
  '-->',
  '<script>',
  'onload=',
  '&quot;',
  '&#34;',
  '&colon;',
  'javascript:',
  'JavaScript:',
  'java',
  'script:',
  'data:',
  '//',
];
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...ATTEMPTS), fc.string({ unit: 'binary', maxLength: 4 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(''));

/** The output between two marks of a template. */
function between(text: string, from: string, to: string): string {
  const start = text.indexOf(from) + from.length;
  return text.slice(start, text.indexOf(to, start));
}

const NAMED: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/** Decodes entities like a browser, as far as the escaping uses them. */
function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_all, code?: string, name?: string) =>
    code === undefined ? (NAMED[name ?? ''] ?? '') : String.fromCodePoint(Number(code)),
  );
}

describe('in text and in quotes', () => {
  it.each([
    ['<p>', '{{ .a }}', '</p>'],
    ['<p>', '{{ .a | html }}', '</p>'],
    ['<p>', '{{ print .a }}', '</p>'],
    ['<p>', '{{ if true }}{{ .a }}{{ end }}', '</p>'],
    ['<p>', '{{ with .a }}{{ . }}{{ end }}', '</p>'],
    ['<p title="', '{{ .a }}', '">'],
    ["<p title='", '{{ .a }}', "'>"],
    ['<title>', '{{ .a }}', '</title>'],
    ['<textarea>', '{{ .a }}', '</textarea>'],
  ])('%s%s%s contains any value', (before, output, after) => {
    const template = compileHtml(before + output + after);
    fc.assert(
      fc.property(hostile, (a) => {
        const filled = template({ a });
        expect(filled.startsWith(before) && filled.endsWith(after)).toBe(true);
        const written = filled.slice(before.length, filled.length - after.length);
        expect(written).not.toMatch(/[<>"'`\0]/);
        expect(decode(written)).toBe(a.replaceAll('\0', '\ufffd'));
      }),
    );
  });
});

it('an unquoted value contains any value', () => {
  const template = compileHtml('<p title={{ .a }} class=end>');
  fc.assert(
    fc.property(hostile, (a) => {
      const written = between(template({ a }), '<p title=', ' class=end>');
      expect(written).toMatch(/^[^\s<>"'`=]+$/);
      expect(decode(written)).toBe(a === '' ? ' ' : a.replaceAll('\0', '\ufffd'));
    }),
  );
});

describe('a URL', () => {
  const BASE = 'https://base.example/';

  it.each([
    '{{ .a }}',
    '{{ .a }}{{ .b }}',
    '{{ .a }}/{{ .b }}',
    '{{ .a }}?{{ .b }}',
    ' {{ .a }}',
    '{{ .a | print }}',
    '{{ if .a }}{{ .a }}{{ else }}{{ .b }}{{ end }}',
    '{{ .a }}{{ range .l }}{{ . }}{{ end }}',
  ])('%s leads only to http, https and mailto', (url) => {
    for (const template of [compileHtml(`<a href="${url}">`), compileHtml(`<img src='${url}'>`)]) {
      fc.assert(
        fc.property(hostile, hostile, (a, b) => {
          const filled = template({ a, b, l: [a, b] });
          const value = decode(filled.slice(filled.indexOf('=') + 2, -2));
          const { protocol } = URL.canParse(value, BASE) ? new URL(value, BASE) : { protocol: 'none' };
          expect(['http:', 'https:', 'mailto:', 'none:', 'none']).toContain(protocol);
          expect(filled.slice(filled.indexOf('=') + 2, -2).trimStart()).not.toMatch(/[<>"'`\s\0\\]/);
        }),
      );
    }
  });

  it('keeps a value after host and question mark together', () => {
    const template = compileHtml('<a href="https://x.example/{{ .a }}?to={{ .b }}&end=1#{{ .b }}">');
    fc.assert(
      fc.property(hostile, hostile, (a, b) => {
        const url = new URL(decode(template({ a, b }).slice('<a href="'.length, -2)));
        expect(url.host).toBe('x.example');
        if (!/[?#]/.test(a)) {
          expect(url.searchParams.get('to')).toBe(b.toWellFormed());
          expect(url.searchParams.get('end')).toBe('1');
        }
      }),
    );
  });

  it('of the service may have a custom scheme, but runs nothing', () => {
    const template = compileHtml('<a href="{{ .a }}">');
    fc.assert(
      fc.property(hostile, (a) => {
        const value = decode(template({ a: new TrustedUrl(a) }).slice('<a href="'.length, -2));
        expect(value).not.toMatch(/^[\0-\x20]*(j\s*a\s*v\s*a|v\s*b)\s*s\s*c\s*r\s*i\s*p\s*t\s*:|^\s*data:/i);
      }),
    );
  });
});

it('the compiler terminates for every template', () => {
  const fragment = fc.oneof(
    fc.constantFrom(
      ...ATTEMPTS,
      '{{ .a }}',
      '{{ if .a }}',
      '{{ else }}',
      '{{ end }}',
      '{{ range .l }}',
      '{{- /* x */ -}}',
      '<a href="',
      '<p title=',
      '<style>',
      '</style>',
      '{{',
      '}}',
    ),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 12 }), (fragments) => {
      try {
        compileHtml(fragments.join(''))({ a: '"><script>', l: [1, 2] });
      } catch (error) {
        expect((error as Error).name).toBe('TemplateError');
      }
    }),
    { numRuns: 2000 },
  );
});

it('rendering preserves the tags of the template', () => {
  const template = fc.constantFrom(
    '<p>{{ .a }}</p>',
    '<p title="{{ .a }}" class=\'{{ .b }}\'>{{ .b }}</p>',
    '<a href="{{ .a }}">{{ range .l }}<b id={{ . }}>{{ . }}</b>{{ end }}</a>',
    '<!-- {{ .a }} --><title>{{ .b }}</title>',
    '{{ if .a }}<i title={{ .a }}{{ .b }}>{{ else }}<i>{{ end }}x</i>',
    '<img src={{ .a }} alt={{ .b }}>',
  );
  fc.assert(
    fc.property(fc.array(template, { maxLength: 5 }), hostile, hostile, (templates, a, b) => {
      const template = compileHtml(templates.join(''));
      const shape = (text: string) => text.replace(/[^<>"']/g, '');
      const harmless = a === '' ? '' : 'a';
      expect(shape(template({ a, b, l: [a, b] }))).toBe(
        shape(template({ a: harmless, b: 'b', l: ['a', 'b'] })),
      );
    }),
  );
});
