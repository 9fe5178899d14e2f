/** The cookies of one request and of its answer: reads see what was written before, and each name is answered once. */
import { parseCookie, type SerializeOptions, stringifySetCookie } from 'cookie';

/** A cookie as a request carries it. */
export interface RequestCookie {
  name: string;
  value: string;
}

/** See the head of this file. */
export class CookieJar {
  readonly #sent: ReadonlyMap<string, string>;
  readonly #values: Map<string, string>;
  readonly #answers = new Map<string, string>();
  readonly #isSecure: boolean;

  /** `isSecure` marks every answered cookie `Secure`: true where the visitor's address is https. */
  constructor(header: string | null, isSecure: boolean) {
    this.#sent = readHeader(header);
    this.#values = new Map(this.#sent);
    this.#isSecure = isSecure;
  }

  /** The current value, or undefined. */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  names(): string[] {
    return [...this.#values.keys()];
  }

  getAll(): RequestCookie[] {
    return Array.from(this.#values, ([name, value]) => ({ name, value }));
  }

  /** Sets a cookie in the answer; without options it is a session cookie of the whole site. */
  set(name: string, value: string, options: SerializeOptions = {}): void {
    this.#values.set(name, value);
    if (options.maxAge === 0) this.#values.delete(name);
    this.#answers.set(name, this.#serialize(name, value, options));
  }

  /** Takes a cookie away from the browser. */
  clear(name: string): void {
    this.set(name, '', { maxAge: 0 });
  }

  /** Takes back what was written to a cookie: the browser keeps the value that it sent, if any. */
  revert(name: string): void {
    this.#answers.delete(name);
    const sent = this.#sent.get(name);
    if (sent === undefined) this.#values.delete(name);
    else this.#values.set(name, sent);
  }

  /** The values of the answer's `Set-Cookie` headers. */
  setCookieHeaders(): Iterable<string> {
    return this.#answers.values();
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
