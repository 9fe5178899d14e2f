/** Queries of requests, decoded once for the signature and for the operations alike. */
import { failure } from '../../errors.ts';

/** Names and values, decoded, in the order in which they were sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** Reads what follows the `?`. Throws InvalidRequest where it is not percent-encoded UTF-8. */
export function parseQuery(text: string): QueryPairs {
  return text
    .split('&')
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
