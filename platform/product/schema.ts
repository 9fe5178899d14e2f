/** The schema of `greenroom.config.ts`. Messages state the allowed values. */
import { z } from 'zod';
import { palette } from './colours.ts';

const LANGUAGES = ['en', 'de'] as const;

/** Characters that would end a header or a directive of the policy. */
const SOURCE = /^(?:https|wss):\/\/(?:\*\.)?[\w.-]+(?::\d{1,5})?(?:\/[\w./~%-]*)?$/;
const STROKES = /^(?:[^\s]|[a-z0-9] [a-z0-9])$/;
/** Keys of the built-in shortcuts. */
const OWN_KEYS = ['?', 't', 'n', 'g h', 'g a', 'g m', 'g c', 'g l', 'g n'];

const path = z.string().regex(/^\/(?![/\\])[^\s\\]*$/, 'a path that begins with one slash, e.g. /todos');

const label = z.union(
  [z.string().trim().min(1), z.partialRecord(z.enum(LANGUAGES), z.string().trim().min(1))],
  { error: 'a text, or a text for each language, e.g. { en: "Todos", de: "Aufgaben" }' },
);

const entry = z.strictObject({
  path,
  label,
  icon: z
    .string()
    .regex(/^(?:lucide:)?[a-z0-9]+(?:-[a-z0-9]+)*$/, 'the name of an icon of Lucide, e.g. list-todo')
    .transform((name): `lucide:${string}` =>
      name.startsWith('lucide:') ? (name as `lucide:${string}`) : `lucide:${name}`,
    ),
  keys: z
    .string()
    .regex(STROKES, 'one key, or two after each other, e.g. "g t"')
    .refine(
      (keys) => !OWN_KEYS.includes(keys),
      `keys other than those of built-in shortcuts: ${OWN_KEYS.join(', ')}`,
    )
    .optional(),
  for: z.enum(['everyone', 'signedIn', 'signedOut', 'admins']).default('signedIn'),
});

const sources = z
  .array(z.string().regex(SOURCE, 'an origin with https or wss, e.g. https://js.stripe.com'))
  .default([]);

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined;
  } catch {
    return false;
  }
}

function isLocale(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1;
  } catch {
    return false;
  }
}

const locale = z.string().refine(isLocale, 'a locale, e.g. en-US');
const isOn = z.boolean().default(true);

/** The values of the file. Unknown keys are errors, because they are most often misspelt. */
export const productConfig = z
  .strictObject({
    name: z.string().trim().min(1).max(60).optional(),
    logo: z
      .string()
      .regex(
        /^[\w-]+(?:\.[\w-]+)*\.(?:svg|png|webp|avif|jpe?g)$/i,
        'the name of a picture in app/public, e.g. logo.svg',
      )
      .optional(),
    colours: z.strictObject({ primary: palette.optional(), neutral: palette.optional() }).optional(),
    languages: z
      .array(z.enum(LANGUAGES))
      .min(1)
      .refine((list) => new Set(list).size === list.length, 'each language once')
      .optional(),
    navigation: z
      .array(entry)
      .refine((list) => isUnique(list.map((each) => each.path)), 'each path once')
      .refine((list) => isUnique(list.flatMap(({ keys }) => keys ?? [])), 'different keys for each entry')
      .optional(),
    pages: z.strictObject({ account: isOn, admin: isOn, consent: isOn }).optional(),
    csp: z
      .strictObject({
        scripts: sources,
        styles: sources,
        images: sources,
        fonts: sources,
        connect: sources,
        frames: sources,
      })
      .optional(),
    redirects: z
      .record(
        path.refine((text) => !/[,=]/.test(text), 'a path without comma and equals sign'),
        z
          .string()
          .regex(
            /^(?:\/(?![/\\])|https?:\/\/)[^\s,]*$/,
            'a path that begins with one slash, or an http(s) URL',
          ),
      )
      .optional(),
    formats: z
      .strictObject({
        locales: z.partialRecord(z.enum(LANGUAGES), locale).default({}),
        timeZone: z.string().refine(isTimeZone, 'a time zone, e.g. Europe/Berlin').optional(),
      })
      .optional(),
  })
  .superRefine(({ navigation = [], languages = LANGUAGES }, context) => {
    for (const [index, { label: text }] of navigation.entries()) {
      const missing = typeof text === 'string' ? [] : languages.filter((language) => !text[language]);
      if (missing.length === 0) continue;
      context.addIssue({
        code: 'custom',
        path: ['navigation', index, 'label'],
        message: `a text for each language; missing: ${missing.join(', ')}`,
      });
    }
  });

function isUnique(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

/** The validated values of the file. */
export type ProductConfig = z.output<typeof productConfig>;

/** A link of the navigation, the palette and the keyboard. */
export type NavigationEntry = z.output<typeof entry>;

/** Which of the built-in pages exist. */
export type PageSwitches = NonNullable<ProductConfig['pages']>;

/** Additional sources of the content security policy. */
export type SourceLists = NonNullable<ProductConfig['csp']>;
