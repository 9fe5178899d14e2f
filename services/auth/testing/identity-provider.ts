/** A SAML 2.0 identity provider with its own key, behind a real HTTP server, for tests. */
import { generateKeyPairSync, type KeyObject, randomUUID, verify, X509Certificate } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { selfSignedCertificate } from '../identity/saml/certificate.ts';
import {
  ADMIN_LIMITS,
  attributeOf,
  NAMESPACES,
  onlyChild,
  parseXml,
  textOf,
  UNTRUSTED_LIMITS,
} from '../identity/saml/xml.ts';

const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
const C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';

/** The fields of a response; each has a valid default. */
export interface ResponseFields {
  nameId?: string;
  nameIdFormat?: string;
  /** By `Name`; several values become several elements. */
  attributes?: Record<string, string | string[]>;
  issuer?: string;
  audience?: string;
  recipient?: string;
  destination?: string;
  /** Undefined omits the attribute. */
  inResponseTo?: string | undefined;
  assertionId?: string;
  issuedAt?: Date;
  notOnOrAfter?: Date;
  notBefore?: Date;
  sessionNotOnOrAfter?: Date;
  status?: string;
  method?: string;
  signs?: 'assertion' | 'response' | 'both' | 'nothing';
  algorithm?: string;
  digest?: string;
  key?: KeyObject;
  /** Changes the assertion before the response is signed, e.g. encrypts it. */
  before?: (assertion: string) => string | Promise<string>;
  /** Changes the response after it was signed. */
  after?: (xml: string) => string;
}

/** A running identity provider. */
export interface TestIdentityProvider {
  entityId: string;
  key: KeyObject;
  certificate: string;
  metadata: string;
  /** Fields of the next responses. */
  responseFields: ResponseFields;
  /** The last request, decoded. */
  lastRequest: string;
  /**
   * A response in base64.
   * @param acsUrl destination
   * @param audience entity id of the service
   */
  respond(acsUrl: string, audience: string, fields?: ResponseFields): Promise<string>;
  close(): Promise<void>;
}

/** Creates an RSA key. */
export function newRsaKey(modulusLength = 2048): KeyObject {
  return generateKeyPairSync('rsa', { modulusLength }).privateKey;
}

/**
 * Starts an identity provider.
 * @param serviceMetadata URL of the service's metadata
 */
export async function startIdentityProvider(serviceMetadata: string): Promise<TestIdentityProvider> {
  const key = newRsaKey();
  const certificate = selfSignedCertificate(key, 'idp.test');
  const server = createServer((request, response) => {
    signIn(new URL(request.url ?? '/', 'http://idp.test')).then(
      (html) => response.writeHead(200, { 'content-type': 'text/html' }).end(html),
      (error: unknown) => response.writeHead(400).end(String(error)),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entityId = `${url}/${randomUUID()}`;

  const signIn = async ({ searchParams, search }: URL): Promise<string> => {
    const service = parseXml(await (await fetch(serviceMetadata)).text(), ADMIN_LIMITS);
    requireSignature(search, service);
    const deflated = Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64');
    idp.lastRequest = inflateRawSync(deflated).toString();
    const request = parseXml(idp.lastRequest, UNTRUSTED_LIMITS);
    const issuer = onlyChild(request, 'assertion', 'Issuer');
    const response = await idp.respond(
      attributeOf(request, 'AssertionConsumerServiceURL') ?? '',
      issuer === undefined ? '' : textOf(issuer),
      { inResponseTo: attributeOf(request, 'ID'), ...idp.responseFields },
    );
    return `<form><input name="SAMLResponse" value="${response}"><input name="RelayState" value="${searchParams.get('RelayState')}"></form>`;
  };

  const idp: TestIdentityProvider = {
    entityId,
    key,
    certificate,
    metadata: metadataOf(entityId, `${url}/sso?tenant=1`, certificate),
    responseFields: {},
    lastRequest: '',
    respond: async (acsUrl, audience, fields = {}) =>
      Buffer.from(
        await responseXml({
          issuer: entityId,
          recipient: acsUrl,
          destination: acsUrl,
          audience,
          key,
          ...fields,
        }),
      ).toString('base64'),
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
  return idp;
}

/** The metadata of an identity provider. */
export function metadataOf(
  entityId: string,
  signInUrl: string,
  certificate: string,
  attributes = '',
): string {
  const base64 = new X509Certificate(certificate).raw.toString('base64');
  return `<?xml version="1.0"?>
    <md:EntityDescriptor xmlns:md="${NAMESPACES.metadata}" xmlns:ds="${NAMESPACES.signature}" entityID="${entityId}"${attributes}>
      <md:IDPSSODescriptor protocolSupportEnumeration="${NAMESPACES.protocol}">
        <md:KeyDescriptor use="signing"><ds:KeyInfo><ds:X509Data>
          <ds:X509Certificate>${base64}</ds:X509Certificate>
        </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="https://idp.test/post"/>
        <md:SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${signInUrl}"/>
      </md:IDPSSODescriptor>
    </md:EntityDescriptor>`;
}

/** SAML 2.0 Bindings §3.4.4.1: the query string is signed. */
function requireSignature(search: string, service: Element): void {
  const [signed = '', signature = ''] = search
    .slice(1)
    .replace(/^tenant=1&/, '')
    .split('&Signature=');
  const [certificate] = Array.from(service.getElementsByTagNameNS(NAMESPACES.signature, 'X509Certificate'));
  const { publicKey } = new X509Certificate(Buffer.from(certificate?.textContent ?? '', 'base64'));
  const isValid = verify(
    'sha256',
    Buffer.from(signed),
    publicKey,
    Buffer.from(decodeURIComponent(signature), 'base64'),
  );
  if (!isValid) throw new Error('the request is not signed');
}

type FullFields = ResponseFields &
  Required<Pick<ResponseFields, 'issuer' | 'recipient' | 'destination' | 'audience' | 'key'>>;

async function responseXml(fields: FullFields): Promise<string> {
  const { signs = 'assertion', before = (xml: string) => xml, after = (xml: string) => xml } = fields;
  const plain = assertionXml(fields);
  const isAssertionSigned = signs === 'assertion' || signs === 'both';
  const assertion = isAssertionSigned ? signed(plain, 'Assertion', fields) : plain;
  const response = envelope(await before(assertion), fields);
  return after(signs === 'response' || signs === 'both' ? signed(response, 'Response', fields) : response);
}

function envelope(assertion: string, fields: FullFields): string {
  const { issuer, destination, inResponseTo, issuedAt = new Date() } = fields;
  const { status = 'urn:oasis:names:tc:SAML:2.0:status:Success' } = fields;
  return `<samlp:Response xmlns:samlp="${NAMESPACES.protocol}" ID="_${randomUUID()}" Version="2.0" IssueInstant="${issuedAt.toISOString()}" Destination="${destination}"${optional('InResponseTo', inResponseTo)}><saml:Issuer xmlns:saml="${NAMESPACES.assertion}">${issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${assertion}</samlp:Response>`;
}

function assertionXml(fields: FullFields): string {
  const now = Date.now();
  const {
    nameId = 'ann',
    nameIdFormat = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    attributes = { email: `${nameId}@corp.example` },
    assertionId = `_${randomUUID()}`,
    issuedAt = new Date(now),
    notBefore = new Date(now - 1000),
    notOnOrAfter = new Date(now + 60_000),
    method = 'urn:oasis:names:tc:SAML:2.0:cm:bearer',
  } = fields;
  const { issuer, audience, recipient, inResponseTo, sessionNotOnOrAfter } = fields;
  const [start, end] = [notBefore.toISOString(), notOnOrAfter.toISOString()];
  return `<saml:Assertion xmlns:saml="${NAMESPACES.assertion}" ID="${assertionId}" Version="2.0" IssueInstant="${issuedAt.toISOString()}"><saml:Issuer>${issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${nameIdFormat}">${nameId}</saml:NameID><saml:SubjectConfirmation Method="${method}"><saml:SubjectConfirmationData NotOnOrAfter="${end}" Recipient="${recipient}"${optional('InResponseTo', inResponseTo)}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${start}" NotOnOrAfter="${end}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${issuedAt.toISOString()}"${optional('SessionNotOnOrAfter', sessionNotOnOrAfter?.toISOString())}/><saml:AttributeStatement>${attributesXml(attributes)}</saml:AttributeStatement></saml:Assertion>`;
}

function attributesXml(attributes: Record<string, string | string[]>): string {
  return Object.entries(attributes)
    .map(([name, values]) => {
      const texts = [values].flat().map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`);
      return `<saml:Attribute Name="${name}" FriendlyName="friendly-${name}">${texts.join('')}</saml:Attribute>`;
    })
    .join('');
}

function optional(name: string, value: string | undefined): string {
  return value === undefined ? '' : ` ${name}="${value}"`;
}

/** Signs an element; the signature follows its issuer. */
function signed(xml: string, element: 'Assertion' | 'Response', fields: FullFields): string {
  const { key, algorithm = RSA_SHA256, digest = SHA256 } = fields;
  const signer = new SignedXml({
    privateKey: String(key.export({ type: 'pkcs8', format: 'pem' })),
    signatureAlgorithm: algorithm,
    canonicalizationAlgorithm: C14N,
  });
  const xpath = `/*[local-name(.)='${element}']`;
  signer.addReference({ xpath, digestAlgorithm: digest, transforms: [ENVELOPED, C14N] });
  const reference = `${xpath}/*[local-name(.)='Issuer']`;
  signer.computeSignature(xml, { location: { reference, action: 'after' } });
  return signer.getSignedXml();
}
