/** Another application that wants to know who somebody is, as the page may show it. What it says of itself is not to be trusted. */

/** See the head of this file. */
export interface Application {
  /** Undefined where it does not say. */
  name: string | undefined;
  /** Of its picture, on https. */
  logo: string | undefined;
  /** Where it is answered, which it cannot lie about. */
  place: Place;
}

/** A site by its host, an app that runs on the visitor's own machine by its host, or one by the scheme that opens it. */
export type Place = { kind: 'site' | 'machine' | 'app'; name: string };

const MAX_NAME_CHARACTERS = 60;
const MAX_PLACE_CHARACTERS = 100;
/** What is not seen, and what makes text run the other way. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu;
/** A policy for content is text, so nothing but a plain host may get into it. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Reads what the backend says of it. `redirectUri` is where it is answered. */
export function readApplication(client: unknown, redirectUri: unknown): Application {
  const { name, logo_uri: logo } = toRecord(client);
  return { name: plainName(name), logo: safeLogo(logo), place: placeOf(redirectUri) };
}

/** A name on one line, without what cannot be seen, and short. Undefined where nothing is left. */
export function plainName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  if (characters.length <= MAX_NAME_CHARACTERS) return plain || undefined;
  return `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`;
}

/** The address of a picture, where it is on https and its host is a plain one. */
export function safeLogo(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { origin, href, username, password } = new URL(address);
  return PLAIN_ORIGIN.test(origin) && username === '' && password === '' ? href : undefined;
}

/** Where an address leads, in as few words as tell it from others. */
export function placeOf(redirectUri: unknown): Place {
  if (typeof redirectUri !== 'string' || !URL.canParse(redirectUri)) return { kind: 'app', name: '' };
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { kind: 'app', name: protocol.slice(0, MAX_PLACE_CHARACTERS) };
  }
  const isMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  // The end of a host is what tells whose it is.
  const name = host.length > MAX_PLACE_CHARACTERS ? `…${host.slice(1 - MAX_PLACE_CHARACTERS)}` : host;
  return { kind: isMachine ? 'machine' : 'site', name };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
