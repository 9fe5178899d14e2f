/** Random bodies: rows and arguments, well-formed and not. */
import fc from 'fast-check';

/** A body and its usual media type. */
interface FuzzBody {
  contentType: string;
  bytes: Buffer;
}

const UNUSUAL_KEYS = String.raw`"" "\u0000" "a\u0000b" "__proto__" "constructor" "\ud800" "\u00e9" "*"`.split(
  ' ',
);
const PLAIN_VALUES = `1 2 3 1990 0 "x" null true "oak" "2020-01-01" "{1,2}" "[1,5)" [1,2] {"a":1}`.split(' ');
const ODD_VALUES = [
  ...String.raw`1e400 -0 1E-400 123456789012345678901234567890 "\u0000" "a\u0000b" "\ud800" "\udc00\ud800"`.split(
    ' ',
  ),
  ...String.raw`"" [[[[]]]] [null,{"a":[1]}] "\\x00ff" "infinity" "NaN" {"width":1,"height":null} "(1,2)"`.split(
    ' ',
  ),
  ...String.raw`[ " {"a" nul 01 1. \ -`.split(' '),
  '\u0000',
  '"\n"',
];
const DEEP = 600;

/** As JSON text. */
const values = fc.oneof(
  { weight: 30, arbitrary: fc.constantFrom(...PLAIN_VALUES) },
  { weight: 3, arbitrary: fc.constantFrom(...ODD_VALUES) },
  fc.constantFrom(
    '['.repeat(DEEP) + ']'.repeat(DEEP),
    `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
    `"${'long '.repeat(4000)}"`,
  ),
  { weight: 3, arbitrary: fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.stringify(value)) },
);

/** Bodies about somewhere that has these columns or parameters. */
export function bodiesFor(columns: readonly string[]): fc.Arbitrary<FuzzBody> {
  const json = jsonFor(columns);
  const of = (contentType: string, bytes: fc.Arbitrary<Buffer>) =>
    bytes.map((each) => ({ contentType, bytes: each }));
  const text = (arbitrary: fc.Arbitrary<string>) => arbitrary.map((each) => Buffer.from(each));
  const anyBytes = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
  return fc.oneof(
    { weight: 14, arbitrary: of('application/json', text(json)) },
    of('application/json', fc.tuple(json, fc.nat(), fc.nat(255)).map(corrupted)),
    { weight: 2, arbitrary: of('text/csv', text(csvFor(columns))) },
    { weight: 2, arbitrary: of('application/x-www-form-urlencoded', text(formFor(columns))) },
    of('application/octet-stream', anyBytes),
    of('text/plain', anyBytes),
  );
}

function jsonFor(columns: readonly string[]): fc.Arbitrary<string> {
  const keys = keysFor(columns);
  const members = fc.uniqueArray(fc.tuple(keys, values), { maxLength: 4, selector: ([key]) => key });
  const object = members.map(objectText);
  // Rows have to have the same keys.
  const rows = fc
    .tuple(members, fc.array(fc.infiniteStream(values), { minLength: 1, maxLength: 3 }))
    .map(([first, others]) => {
      const more = others.map((stream) =>
        first.map(([key]): [string, string] => [key, stream.next().value as string]),
      );
      return `[${[first, ...more].map(objectText).join(',')}]`;
    });
  return fc.oneof(
    { weight: 6, arbitrary: object },
    { weight: 4, arbitrary: rows },
    fc.array(object, { maxLength: 3 }).map((objects) => `[${objects.join(',')}]`),
    values,
    fc.constantFrom('', ' ', '[]', '{}', '[{}]', '[{},{}]', '[[]]', '\ufeff{}'),
  );
}

function objectText(members: readonly (readonly [key: string, value: string])[]): string {
  return `{${members.map((member) => member.join(':')).join(',')}}`;
}

/** Keys as JSON text, sometimes unknown ones. */
function keysFor(columns: readonly string[]): fc.Arbitrary<string> {
  const unusual = fc.oneof(
    fc.constantFrom(...UNUSUAL_KEYS),
    fc.string({ unit: 'binary', maxLength: 6 }).map((name) => JSON.stringify(name)),
  );
  if (columns.length === 0) return unusual;
  return fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...columns).map((name) => JSON.stringify(name)) },
    unusual,
  );
}

function csvFor(columns: readonly string[]): fc.Arbitrary<string> {
  const fields = fc.constantFrom(...'1 2 NULL "x,y" "" é x 2020-01-01 " \u0000 \r'.split(' '));
  const names = fc.oneof(
    { weight: 4, arbitrary: fc.shuffledSubarray([...columns], { maxLength: Math.min(3, columns.length) }) },
    fc.array(fc.constantFrom('id', '"id"', '', 'a"b', '\u0000'), { maxLength: 3 }),
  );
  return fc
    .tuple(
      names,
      fc.array(fc.array(fields, { maxLength: 3 }), { maxLength: 3 }),
      fc.constantFrom('\n', '\r\n', '\r'),
    )
    .map(([header, rows, newline]) => [header, ...rows].map((row) => row.join(',')).join(newline));
}

function formFor(columns: readonly string[]): fc.Arbitrary<string> {
  const names = fc.constantFrom(...columns, ...columns, '', '%00', '%ff', '%', '%zz', '+', 'a%20b');
  const texts = fc.constantFrom(...'1 2 x  %00 %ff % %ed%a0%80 %e2%82%ac x=y +'.split(' '));
  return fc
    .array(fc.tuple(names, texts), { maxLength: 4 })
    .map((fields) => fields.map((field) => field.join('=')).join('&'));
}

/** One byte of it is another. */
function corrupted([text, at, byte]: [string, number, number]): Buffer {
  const bytes = Buffer.from(text);
  if (bytes.length > 0) bytes[at % bytes.length] = byte;
  return bytes;
}
