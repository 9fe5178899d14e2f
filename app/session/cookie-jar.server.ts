/**
 * The cookies of one request and of its response: reads return values that were written before, and each
 * name is set once in the response.
 */
import { parseCookie, type SerializeOptions, stringifySetCookie } from 'cookie';

/** A cookie as a request carries it. */
export interface RequestCookie {
  name: string;
  value: string;
}

/** The cookies of one request and of its response. */
export class CookieJar {
  readonly #sent: ReadonlyMap<string, string>;
  readonly #values: Map<string, string>;
  readonly #responseCookies = new Map<string, string>();
  readonly #isSecure: boolean;

  /** `isSecure` marks every cookie of the response `Secure`: true if the visitor uses https. */
  constructor(header: string | null, isSecure: boolean) {
    this.#sent = readHeader(header);
    this.#values = new Map(this.#sent);
    this.#isSecure = isSecure;
  }

  /** Returns the current value, or undefined. */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  getAll(): RequestCookie[] {
    return Array.from(this.#values, ([name, value]) => ({ name, value }));
  }

  /** Sets a cookie in the response; without options it is a session cookie of the whole site. */
  set(name: string, value: string, options: SerializeOptions = {}): void {
    this.#values.set(name, value);
    if (options.maxAge === 0) this.#values.delete(name);
    this.#responseCookies.set(name, this.#serialize(name, value, options));
  }

  /** Deletes a cookie in the browser. */
  clear(name: string): void {
    this.set(name, '', { maxAge: 0 });
  }

  /** Undoes all writes to a cookie: the browser keeps the value that it sent, if any. */
  revert(name: string): void {
    this.#responseCookies.delete(name);
    const sent = this.#sent.get(name);
    if (sent === undefined) this.#values.delete(name);
    else this.#values.set(name, sent);
  }

  /** Returns the values of the response's `Set-Cookie` headers. */
  setCookieHeaders(): Iterable<string> {
    return this.#responseCookies.values();
  }

  #serialize(name: string, value: string, options: SerializeOptions): string {
    return stringifySetCookie(name, value, {
      sameSite: 'lax',
      path: '/',
      ...options,
      secure: this.#isSecure,
    });
  }
}

function readHeader(header: string | null): Map<string, string> {
  const values = new Map<string, string>();
  if (header === null) return values;
  for (const [name, value] of Object.entries(parseCookie(header)))
    if (value !== undefined) values.set(name, value);
  return values;
}
