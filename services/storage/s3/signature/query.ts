/** Queries of requests, decoded once for the signature and for the operations alike. */
import { failure } from '../../errors.ts';

/** Names and values, decoded, in the order in which they were sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** More than any operation has. Each parameter is decoded before the sender is known, then encoded again and sorted. */
const MAX_PARAMETERS = 100;

/** Reads the text after the `?`. Throws InvalidRequest if it is not percent-encoded UTF-8 or has too many parameters. */
export function parseQuery(text: string): QueryPairs {
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw failure('InvalidRequest', { message: `A request has at most ${MAX_PARAMETERS} parameters` });
  }
  return pairs
    .filter((pair) => pair !== '')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals === -1 ? pair : pair.slice(0, equals);
      return [decode(name), equals === -1 ? '' : decode(pair.slice(equals + 1))] as const;
    });
}

/**
 * Percent-encodes all but unreserved characters (RFC 3986 §2.3). `encodeURIComponent` leaves five more as they are, since it
 * follows RFC 2396. Throws InvalidRequest for half a surrogate pair.
 */
export function encodeStrictly(text: string): string {
  if (!text.isWellFormed()) throw failure('InvalidRequest', { message: 'The text is not Unicode' });
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    // Clients that build forms write blanks so; a plus sign itself always comes as %2B.
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw failure('InvalidRequest', { message: 'The query is not percent-encoded UTF-8' });
  }
}
