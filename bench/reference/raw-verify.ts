/** The reference for token checks: ES256 signatures alone, by node:crypto. */
import { createPublicKey, verify } from 'node:crypto';
import { checkedKey, signTokens } from '../measure/checked-tokens.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';

const { tokens: count } = loadInput<{ tokens: number }>();
const key = createPublicKey({ key: checkedKey, format: 'jwk' });
const options = { key, dsaEncoding: 'ieee-p1363' } as const;
const tokens = await signTokens(count);
const signed = tokens.map((token) => {
  const end = token.lastIndexOf('.');
  return {
    text: Buffer.from(token.slice(0, end)),
    signature: Buffer.from(token.slice(end + 1), 'base64url'),
  };
});
let next = 0;

serveLoad(1, async () => {
  next = (next + 1) % signed.length;
  const one = signed[next];
  if (!one || !verify('sha256', one.text, options, one.signature)) throw new Error('not verified');
});
