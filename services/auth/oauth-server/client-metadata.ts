/** What is said of an application when it is registered or changed (RFC 7591 §2): body → checked fields. */
import { z } from 'zod';
import { failure } from '../errors.ts';
import { optionalTextField } from '../http/request-body.ts';
import { AUTH_METHODS, type ClientAuthMethod, type ClientType, GRANT_TYPES } from './client.ts';
import { faultOfRedirectUri } from './redirect-uri.ts';

const MAX_REDIRECT_URIS = 10;
const MAX_NAME_LENGTH = 1024;
const MAX_URI_LENGTH = 2048;

const optionalList = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? undefined);

/** Fields of a new application. */
export const registrationFields = z.object({
  redirect_uris: optionalList,
  client_type: optionalTextField,
  token_endpoint_auth_method: optionalTextField,
  grant_types: optionalList,
  response_types: optionalList,
  code_challenge_method: optionalTextField,
  client_name: optionalTextField,
  client_uri: optionalTextField,
  logo_uri: optionalTextField,
});

/** Fields of a change; what kind of application it is cannot be changed. */
export const changeFields = registrationFields.omit({
  client_type: true,
  response_types: true,
  code_challenge_method: true,
});

/** A new application, checked. */
export interface Registration {
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  clientType: ClientType;
  authMethod: ClientAuthMethod;
  name: string | undefined;
  uri: string | undefined;
  logoUri: string | undefined;
}

/** A change, checked; what is undefined stays. */
export type ClientChange = Partial<Omit<Registration, 'clientType'>>;

/** What is wrong with a field: the address to answer at, or anything else. */
export class MetadataError extends Error {
  readonly field: 'redirect_uris' | 'other';
  constructor(field: MetadataError['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/** Checks a new application. Throws {@link MetadataError}. */
export function checkRegistration(given: z.infer<typeof registrationFields>): Registration {
  const clientType = checkClientType(
    given.client_type || undefined,
    given.token_endpoint_auth_method || undefined,
  );
  const { response_types: responses = ['code'] } = given;
  if (responses.some((type) => type !== 'code') || responses.length === 0) {
    throw new MetadataError('other', 'response_types must be code only');
  }
  if (given.code_challenge_method && given.code_challenge_method !== 'S256') {
    throw new MetadataError('other', 'code_challenge_method must be S256');
  }
  return {
    redirectUris: checkRedirectUris(given.redirect_uris),
    grantTypes: given.grant_types?.length ? checkGrantTypes(given.grant_types) : GRANT_TYPES,
    ...clientType,
    name: checkName(given.client_name),
    uri: checkUri('client_uri', given.client_uri),
    logoUri: checkUri('logo_uri', given.logo_uri),
  };
}

/** Checks a change of an application of a type. Throws {@link MetadataError}. */
export function checkChange(given: z.infer<typeof changeFields>, type: ClientType): ClientChange {
  const change = {
    ...(given.redirect_uris && { redirectUris: checkRedirectUris(given.redirect_uris) }),
    ...(given.grant_types && { grantTypes: checkGrantTypes(given.grant_types) }),
    ...(given.token_endpoint_auth_method !== undefined &&
      checkClientType(type, given.token_endpoint_auth_method)),
    ...(given.client_name !== undefined && { name: checkName(given.client_name) ?? '' }),
    ...(given.client_uri !== undefined && { uri: checkUri('client_uri', given.client_uri) ?? '' }),
    ...(given.logo_uri !== undefined && { logoUri: checkUri('logo_uri', given.logo_uri) ?? '' }),
  };
  if (Object.keys(change).length === 0) throw new MetadataError('other', 'No fields provided for update');
  return change;
}

/** As admins get it. */
export function asValidationFailure(error: unknown): unknown {
  return error instanceof MetadataError ? failure('validation_failed', { message: error.message }) : error;
}

function checkRedirectUris(uris: readonly string[] = []): readonly string[] {
  if (uris.length === 0) throw new MetadataError('redirect_uris', 'redirect_uris is required');
  if (uris.length > MAX_REDIRECT_URIS) {
    throw new MetadataError('redirect_uris', `redirect_uris cannot exceed ${MAX_REDIRECT_URIS} items`);
  }
  for (const [index, uri] of uris.entries()) {
    const fault = faultOfRedirectUri(uri);
    if (fault !== undefined) throw new MetadataError('redirect_uris', `redirect_uris[${index}] ${fault}`);
  }
  return [...new Set(uris)];
}

function checkGrantTypes(types: readonly string[]): readonly string[] {
  const isKnown = types.every((type) => (GRANT_TYPES as readonly string[]).includes(type));
  if (isKnown && types.length > 0) return [...new Set(types)];
  throw new MetadataError('other', `grant_types must be of ${GRANT_TYPES.join(', ')}`);
}

/** Either follows from the other; by default an application keeps a secret and sends it by HTTP Basic (RFC 7591 §2). */
function checkClientType(
  type: string | undefined,
  method: string | undefined,
): Pick<Registration, 'clientType' | 'authMethod'> {
  if (type !== undefined && type !== 'public' && type !== 'confidential') {
    throw new MetadataError('other', 'client_type must be public or confidential');
  }
  if (method !== undefined && !isAuthMethod(method)) {
    throw new MetadataError('other', `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}`);
  }
  const authMethod = method ?? (type === 'public' ? 'none' : 'client_secret_basic');
  const clientType = authMethod === 'none' ? 'public' : 'confidential';
  if (type === undefined || type === clientType) return { clientType, authMethod };
  throw new MetadataError('other', `a ${type} client cannot use token_endpoint_auth_method ${authMethod}`);
}

function isAuthMethod(text: string): text is ClientAuthMethod {
  return (AUTH_METHODS as readonly string[]).includes(text);
}

function checkName(name: string | undefined): string | undefined {
  if (name === undefined || [...name].length <= MAX_NAME_LENGTH) return name;
  throw new MetadataError('other', `client_name cannot exceed ${MAX_NAME_LENGTH} characters`);
}

/** A link or picture on the page that asks for consent: nothing that could run there. */
function checkUri(field: string, uri: string | undefined): string | undefined {
  if (uri === undefined || uri === '') return uri;
  if (uri.length > MAX_URI_LENGTH) {
    throw new MetadataError('other', `${field} cannot exceed ${MAX_URI_LENGTH} characters`);
  }
  if (URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol)) return uri;
  throw new MetadataError('other', `${field} must be an http or https URL`);
}
