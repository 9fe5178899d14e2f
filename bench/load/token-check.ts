/**
 * Checks access tokens with the keys of an instance: either tokens that its cache contains, or more than it can
 * contain.
 */
import { createKeyring } from '@greenroom/keys';
import { checkedKey, signTokens } from '../measure/checked-tokens.ts';
import { loadInput, serveLoad } from '../measure/load-process.ts';

const { tokens: count } = loadInput<{ tokens: number }>();
const keys = createKeyring({ signingKeys: [checkedKey], jwtSecret: 'a-secret-of-at-least-thirty-two-bytes' });
const tokens = await signTokens(count);
let next = 0;

serveLoad(1, () => {
  next = (next + 1) % tokens.length;
  return keys.verify(tokens[next] ?? '');
});
