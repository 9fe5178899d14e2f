/** Random headers of requests. Characters are bytes. */
import fc from 'fast-check';

/** Bytes that HTTP lets into a value: all but control characters (RFC 9110 §5.5). */
const anyValue = fc
  .array(fc.oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff })), {
    maxLength: 24,
  })
  .map((codes) => String.fromCharCode(...codes));

const PREFERENCES = [
  ...'return=minimal return=headers-only return=representation return=representation'.split(' '),
  ...'count=exact count=planned count=estimated resolution=merge-duplicates resolution=ignore-duplicates'.split(
    ' ',
  ),
  ...'missing=default missing=null handling=lenient tx=rollback tx=commit max-affected=1 timezone=UTC'.split(
    ' ',
  ),
];
const ODD_PREFERENCES = [
  ...'handling=strict max-affected=-1 max-affected=99999999999999999999 max-affected= timezone= timezone=-99:99'.split(
    ' ',
  ),
  ...'timezone="x" timezone=../etc timezone=\u00ff timezone=1e9 timezone=infinity timezone=interval return= = count'.split(
    ' ',
  ),
  "timezone='; select 1",
  `timezone=${'x'.repeat(3000)}`,
];
const prefer = fc
  .array(
    fc.oneof(
      { weight: 16, arbitrary: fc.constantFrom(...PREFERENCES) },
      { weight: 2, arbitrary: fc.constantFrom(...ODD_PREFERENCES) },
      anyValue,
    ),
    { maxLength: 4 },
  )
  .map((tokens) => tokens.join(','));

const TYPES = [
  ...'*/* application/json text/csv application/geo+json application/openapi+json text/plain text/xml'.split(
    ' ',
  ),
  ...'application/octet-stream application/x-www-form-urlencoded text/names image/x application/vnd.odd'.split(
    ' ',
  ),
  ...'application/vnd.pgrst.object+json application/vnd.pgrst.array+json application/vnd.pgrst.plan'.split(
    ' ',
  ),
  ...'application/vnd.pgrst.plan+json a  / application/* *'.split(' '),
];
const PARAMETERS = [
  ...' ;nulls=stripped ;q=0 ;q=1.5 ;q= ;q=0.1 ;charset=utf-8 ;for="text/csv" ;" ;= ;; ;a'.split(' '),
  ...';options=analyze|verbose|buffers|wal|settings ;for="application/vnd.pgrst.plan" ;for="\\"'.split(' '),
  ...';nulls=stripped;nulls=x ;options=analyze|nothing'.split(' '),
  `;a="${'x'.repeat(3000)}"`,
];
const mediaType = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .tuple(fc.constantFrom(...TYPES), fc.constantFrom(...PARAMETERS))
      .map((parts) => parts.join('')),
  },
  anyValue,
);
const accept = fc.array(mediaType, { minLength: 1, maxLength: 3 }).map((types) => types.join(','));

const anyNumber = fc.bigInt({ min: 0n, max: 1n << 70n });
const range = fc.oneof(
  fc.constantFrom('0-', '0-0', '0-1', '1-', '1-2'),
  fc.tuple(anyNumber, anyNumber).map((pair) => pair.join('-')),
  fc.constantFrom('1-0', 'items=0-1', 'bytes=0-1', '-1', '-', '0-1,2-3', `${'9'.repeat(400)}-`, '0x1-0x2'),
  anyValue,
);

/** A header, which may be there several times. */
export type FuzzHeader = [name: string, value: string];

function header(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<FuzzHeader> {
  return value.map((text) => [name, text]);
}

/** Other headers of a request. */
export const otherHeaders: fc.Arbitrary<FuzzHeader[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: header('prefer', prefer) },
    { weight: 5, arbitrary: header('accept', accept) },
    { weight: 3, arbitrary: header('range', range) },
    header('accept-profile', anyValue),
    header('content-profile', anyValue),
    header('content-type', mediaType),
    header('cookie', anyValue),
    header('x-any', anyValue),
    header('x-forwarded-for', anyValue),
    header('apikey', anyValue),
    header('origin', anyValue),
    header('if-none-match', anyValue),
    header('content-encoding', fc.constantFrom('gzip', 'identity', 'x')),
    header('upgrade', fc.constantFrom('websocket', 'h2c')),
  ),
  { maxLength: 2 },
);

/** The header Authorization, mostly with one of the tokens. */
export function authorizations(tokens: readonly string[]): fc.Arbitrary<FuzzHeader[]> {
  const token = header(
    'authorization',
    fc.constantFrom(...tokens).map((each) => `Bearer ${each}`),
  );
  const malformed = fc.constantFrom(
    '',
    'Bearer',
    'Bearer ',
    'bearer a.b.c',
    'Basic eA==',
    'Bearer ..',
    'Bearer sb_x',
    'Bearer a.e30.c',
  );
  return fc.oneof(
    { weight: 30, arbitrary: token.map((each) => [each]) },
    { weight: 2, arbitrary: fc.constant<FuzzHeader[]>([]) },
    header('authorization', fc.oneof(malformed, anyValue)).map((each) => [each]),
  );
}
