/**
 * Parses messages signed by wallets: Sign-In with Ethereum (EIP-4361) and Sign-In with Solana, which has the
 * same layout. Pure: other modules check whether the message may be used and verify its signature.
 *
 *     <domain> wants you to sign in with your <name of the chain> account:
 *     <address>
 *
 *     <statement>
 *
 *     URI: <where it was signed>
 *     Version: 1
 *     …
 */
import { z } from 'zod';
import { failure } from '../../errors.ts';
import type { Chain } from './chain.ts';

/** Bytes of UTF-8, GoTrue's limits. */
const MIN_BYTES = 64;
const MAX_BYTES = 20 * 1024;

/** A parsed message. */
export interface SignInMessage {
  /** Host with optional port, as the wallet showed it. */
  domain: string;
  /** In the chain's canonical form. */
  address: string;
  statement: string | undefined;
  uri: URL;
  chainId: string | undefined;
  nonce: string | undefined;
  issuedAt: Date;
  expiresAt: Date | undefined;
  notBefore: Date | undefined;
  requestId: string | undefined;
  resources: readonly string[];
}

const HEADER =
  /^(?:(?<scheme>[a-z][a-z0-9+.-]*):\/\/)?(?<domain>\S+) wants you to sign in with your (?<name>\w+) account:$/i;
const DOMAIN = /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
const FIELD = /^(?<key>[A-Z][A-Za-z ]*): (?<value>.+)$/;
const FIELD_NAMES = [
  'URI',
  'Version',
  'Chain ID',
  'Nonce',
  'Issued At',
  'Expiration Time',
  'Not Before',
  'Request ID',
] as const;
type FieldName = (typeof FIELD_NAMES)[number];

/** Parses a message for `chain`. Throws `validation_failed` with the reason. */
export function parseSignInMessage(text: string, chain: Chain): SignInMessage {
  const bytes = Buffer.byteLength(text);
  if (bytes < MIN_BYTES) throw validationFailure('message is too short');
  if (bytes > MAX_BYTES) throw validationFailure('message must not exceed 20KB');
  const [header = '', address = '', blank, ...rest] = text.replace(/\n$/, '').split('\n');
  const { scheme, domain } = parseHeader(header, chain);
  const canonical = chain.parseAddress(address);
  if (canonical === undefined) throw validationFailure(`the second line must be an address of ${chain.name}`);
  if (blank !== '') throw validationFailure('the third line must be empty');
  const { statement, lines } = splitStatement(rest);
  const { fields, resources } = parseFields(lines);
  const uri = parseUri(fields.get('URI'), scheme);
  if (fields.get('Version') !== '1') throw validationFailure('Version must be 1');
  return {
    domain,
    address: canonical,
    statement,
    uri,
    chainId: parseChainId(fields.get('Chain ID'), chain),
    nonce: fields.get('Nonce'),
    ...parseTimes(fields),
    requestId: fields.get('Request ID'),
    resources,
  };
}

function parseHeader(line: string, chain: Chain): { scheme: string | undefined; domain: string } {
  const { scheme, domain = '', name } = HEADER.exec(line)?.groups ?? {};
  if (name !== chain.name) {
    throw validationFailure(
      `the first line must end in "wants you to sign in with your ${chain.name} account:"`,
    );
  }
  if (!DOMAIN.test(domain)) throw validationFailure('domain in the first line is not valid');
  return { scheme: scheme?.toLowerCase(), domain };
}

/** A statement is one line between two empty ones. Without a statement, Ethereum has two empty lines, Solana one. */
function splitStatement(lines: readonly string[]): {
  statement: string | undefined;
  lines: readonly string[];
} {
  const [first, second] = lines;
  if (first === '') return { statement: undefined, lines: lines.slice(1) };
  if (second === '') return { statement: first, lines: lines.slice(2) };
  return { statement: undefined, lines };
}

/** Accepts the fields in any order, since the official client has its own. The resources come last. */
function parseFields(lines: readonly string[]): { fields: Map<FieldName, string>; resources: string[] } {
  // The official client omits the colon of the heading for Solana wallets.
  const heading = lines.findIndex((line) => line === 'Resources:' || line === 'Resources');
  const fields = new Map<FieldName, string>();
  for (const line of heading === -1 ? lines : lines.slice(0, heading)) {
    const { key, value = '' } = FIELD.exec(line)?.groups ?? {};
    const name = FIELD_NAMES.find((known) => known === key);
    if (name === undefined) throw validationFailure('a line is not a known field');
    // Wallets may differ in which of two duplicate fields they display.
    if (fields.has(name)) throw validationFailure(`${name} must not occur twice`);
    fields.set(name, value);
  }
  return { fields, resources: heading === -1 ? [] : lines.slice(heading + 1).map(parseResource) };
}

function parseResource(line: string): string {
  const resource = line.startsWith('- ') ? line.slice(2) : '';
  if (!URL.canParse(resource)) throw validationFailure('a resource must be a line of the form "- <URI>"');
  return resource;
}

function parseUri(text: string | undefined, scheme: string | undefined): URL {
  if (text === undefined) throw validationFailure('URI is missing');
  if (!URL.canParse(text)) throw validationFailure('URI is not valid');
  const uri = new URL(text);
  if (scheme !== undefined && uri.protocol !== `${scheme}:`) {
    throw validationFailure('the scheme in the first line does not match the URI');
  }
  return uri;
}

function parseChainId(text: string | undefined, chain: Chain): string | undefined {
  if (text === undefined && !chain.needsChainId) return undefined;
  if (text === undefined || !chain.isChainId(text)) throw validationFailure('Chain ID is not valid');
  return text;
}

function parseTimes(
  fields: ReadonlyMap<FieldName, string>,
): Pick<SignInMessage, 'issuedAt' | 'expiresAt' | 'notBefore'> {
  const issuedAt = parseTime(fields, 'Issued At');
  const expiresAt = parseTime(fields, 'Expiration Time');
  const notBefore = parseTime(fields, 'Not Before');
  if (issuedAt === undefined) throw validationFailure('Issued At is missing');
  if (expiresAt !== undefined && expiresAt < issuedAt) {
    throw validationFailure('Issued At must not be later than Expiration Time');
  }
  if (expiresAt !== undefined && notBefore !== undefined && expiresAt < notBefore) {
    throw validationFailure('Not Before must not be later than Expiration Time');
  }
  return { issuedAt, expiresAt, notBefore };
}

const timestamp = z.iso.datetime({ offset: true });

/** Parses a time (RFC 3339). */
function parseTime(fields: ReadonlyMap<FieldName, string>, name: FieldName): Date | undefined {
  const text = fields.get(name);
  if (text === undefined) return undefined;
  if (!timestamp.safeParse(text).success) throw validationFailure(`${name} is not an RFC 3339 timestamp`);
  return new Date(text);
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
