/** Validates client metadata for registrations and changes (RFC 7591 §2). */
import { z } from 'zod';
import { failure } from '../errors.ts';
import { optionalTextField } from '../http/request-body.ts';
import { AUTH_METHODS, type ClientAuthMethod, type ClientType, GRANT_TYPES } from './client.ts';
import { redirectUriError } from './redirect-uri.ts';

const MAX_REDIRECT_URIS = 10;
const MAX_NAME_LENGTH = 1024;
const MAX_URI_LENGTH = 2048;

const optionalList = z
  .array(z.string())
  .nullish()
  .transform((value) => value ?? undefined);

/** Body of a registration. */
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

/** Body of a change. The type of a client cannot be changed. */
export const changeFields = registrationFields.omit({
  client_type: true,
  response_types: true,
  code_challenge_method: true,
});

/** A validated registration. */
export interface Registration {
  redirectUris: readonly string[];
  grantTypes: readonly string[];
  clientType: ClientType;
  authMethod: ClientAuthMethod;
  name: string | undefined;
  uri: string | undefined;
  logoUri: string | undefined;
}

/** A validated change; undefined keeps a value. */
export type ClientChange = Partial<Omit<Registration, 'clientType'>>;

/** A validation error. Registration reports invalid redirect URIs with a code of their own (RFC 7591 §3.2.2). */
export class MetadataError extends Error {
  readonly field: 'redirect_uris' | 'other';
  constructor(field: MetadataError['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/** Validates a registration. Throws {@link MetadataError}. */
export function checkRegistration(body: z.infer<typeof registrationFields>): Registration {
  const clientType = checkClientType(
    body.client_type || undefined,
    body.token_endpoint_auth_method || undefined,
  );
  const { response_types: responses = ['code'] } = body;
  if (responses.some((type) => type !== 'code') || responses.length === 0) {
    throw new MetadataError('other', 'response_types must contain only code');
  }
  if (body.code_challenge_method && body.code_challenge_method !== 'S256') {
    throw new MetadataError('other', 'code_challenge_method must be S256');
  }
  return {
    redirectUris: checkRedirectUris(body.redirect_uris),
    grantTypes: body.grant_types?.length ? checkGrantTypes(body.grant_types) : GRANT_TYPES,
    ...clientType,
    name: checkName(body.client_name),
    uri: checkUri('client_uri', body.client_uri),
    logoUri: checkUri('logo_uri', body.logo_uri),
  };
}

/** Validates a change of a client of the body type. Throws {@link MetadataError}. */
export function checkChange(body: z.infer<typeof changeFields>, type: ClientType): ClientChange {
  const change = {
    ...(body.redirect_uris && { redirectUris: checkRedirectUris(body.redirect_uris) }),
    ...(body.grant_types && { grantTypes: checkGrantTypes(body.grant_types) }),
    ...(body.token_endpoint_auth_method !== undefined &&
      checkClientType(type, body.token_endpoint_auth_method)),
    ...(body.client_name !== undefined && { name: checkName(body.client_name) ?? '' }),
    ...(body.client_uri !== undefined && { uri: checkUri('client_uri', body.client_uri) ?? '' }),
    ...(body.logo_uri !== undefined && { logoUri: checkUri('logo_uri', body.logo_uri) ?? '' }),
  };
  if (Object.keys(change).length === 0) throw new MetadataError('other', 'No fields provided for update');
  return change;
}

/** Converts a {@link MetadataError} to `validation_failed`, as the admin API reports it. */
export function asValidationFailure(error: unknown): unknown {
  return error instanceof MetadataError ? failure('validation_failed', { message: error.message }) : error;
}

function checkRedirectUris(uris: readonly string[] = []): readonly string[] {
  if (uris.length === 0) throw new MetadataError('redirect_uris', 'redirect_uris is required');
  if (uris.length > MAX_REDIRECT_URIS) {
    throw new MetadataError('redirect_uris', `redirect_uris cannot exceed ${MAX_REDIRECT_URIS} items`);
  }
  for (const [index, uri] of uris.entries()) {
    const error = redirectUriError(uri);
    if (error !== undefined) throw new MetadataError('redirect_uris', `redirect_uris[${index}] ${error}`);
  }
  return [...new Set(uris)];
}

function checkGrantTypes(types: readonly string[]): readonly string[] {
  const isKnown = types.every((type) => (GRANT_TYPES as readonly string[]).includes(type));
  if (isKnown && types.length > 0) return [...new Set(types)];
  throw new MetadataError('other', `grant_types must contain only ${GRANT_TYPES.join(', ')}`);
}

/**
 * Derives client type and authentication method from each other. The default is a confidential client with HTTP
 * Basic (RFC 7591 §2).
 */
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

/** The consent page shows these as link and image, so script URLs must be rejected. */
function checkUri(field: string, uri: string | undefined): string | undefined {
  if (uri === undefined || uri === '') return uri;
  if (uri.length > MAX_URI_LENGTH) {
    throw new MetadataError('other', `${field} cannot exceed ${MAX_URI_LENGTH} characters`);
  }
  if (URL.canParse(uri) && /^https?:$/.test(new URL(uri).protocol)) return uri;
  throw new MetadataError('other', `${field} must be an http or https URL`);
}
