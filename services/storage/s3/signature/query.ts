/** Parses queries once, for the signature and for operations. */
import { failure } from '../../errors.ts';

/** Decoded names and values in the order sent. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/**
 * More than any operation has. The limit is needed because parameters are decoded, encoded again and sorted before the
 * sender is authenticated.
 */
const MAX_PARAMETERS = 100;

/**
 * Parses the text after the `?`. Throws InvalidRequest if it is not percent-encoded UTF-8 or has too many parameters.
 */
export function parseQuery(text: string): QueryPairs {
  const pairs = text.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) {
    throw failure('InvalidRequest', {
      message: `A request must not have more than ${MAX_PARAMETERS} parameters`,
    });
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
 * Percent-encodes all except unreserved characters (RFC 3986 §2.3). `encodeURIComponent` leaves five more characters
 * unencoded, since it follows RFC 2396. Throws InvalidRequest for a lone surrogate.
 */
export function encodeStrictly(text: string): string {
  if (!text.isWellFormed()) throw failure('InvalidRequest', { message: 'The text is not valid Unicode' });
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    // Form encoding writes spaces as `+`; a literal plus sign is always encoded as %2B.
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw failure('InvalidRequest', { message: 'The query is not percent-encoded UTF-8' });
  }
}
