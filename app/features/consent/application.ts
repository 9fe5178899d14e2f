/** An OAuth application that requests access. Its name and logo are its own claims and not trusted. */

/** The properties of an application that the page shows. */
export interface Application {
  /** Undefined if it has no name. */
  name: string | undefined;
  /** URL of its logo, https only. */
  logo: string | undefined;
  /** The destination of its response, which it cannot forge. */
  destination: Destination;
}

/** The host of a site, the host of an app on the visitor's own device, or the scheme of a native app. */
export type Destination = { kind: 'site' | 'machine' | 'app'; name: string };

const MAX_NAME_CHARACTERS = 60;
const MAX_DESTINATION_CHARACTERS = 100;
/** Invisible characters, including those that change the text direction. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]+/gu;
/** The origin becomes part of a content security policy, so only plain host names are accepted. */
const PLAIN_ORIGIN = /^https:\/\/[a-z0-9.-]+(?::\d+)?$/;

/** Parses the backend's data of an application. `redirectUri` is the destination of the response. */
export function readApplication(client: unknown, redirectUri: unknown): Application {
  const { name, logo_uri: logo } = toRecord(client);
  return { name: plainName(name), logo: safeLogo(logo), destination: destinationOf(redirectUri) };
}

/** Returns a short name on one line, without invisible characters. Undefined if nothing remains. */
export function plainName(name: unknown): string | undefined {
  if (typeof name !== 'string') return undefined;
  const plain = name.replace(INVISIBLE, ' ').replace(/\s+/g, ' ').trim();
  const characters = [...plain];
  if (characters.length <= MAX_NAME_CHARACTERS) return plain || undefined;
  return `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`;
}

/** Returns the URL of a logo, if it is https with a plain host name. */
export function safeLogo(address: unknown): string | undefined {
  if (typeof address !== 'string' || !URL.canParse(address)) return undefined;
  const { origin, href, username, password } = new URL(address);
  return PLAIN_ORIGIN.test(origin) && username === '' && password === '' ? href : undefined;
}

/** Returns the destination of a redirect URI, shortened. */
export function destinationOf(redirectUri: unknown): Destination {
  if (typeof redirectUri !== 'string' || !URL.canParse(redirectUri)) return { kind: 'app', name: '' };
  const { protocol, host, hostname } = new URL(redirectUri);
  if (protocol !== 'https:' && protocol !== 'http:') {
    return { kind: 'app', name: protocol.slice(0, MAX_DESTINATION_CHARACTERS) };
  }
  const isMachine = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  // Keeps the end of the host, because it identifies the owner.
  const name =
    host.length > MAX_DESTINATION_CHARACTERS ? `…${host.slice(1 - MAX_DESTINATION_CHARACTERS)}` : host;
  return { kind: isMachine ? 'machine' : 'site', name };
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
