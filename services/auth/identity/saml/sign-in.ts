/** POST /sso: redirects a user to their organisation's identity provider (SAML 2.0 Bindings §3.4). */
import { randomUUID } from 'node:crypto';
import { SAML } from '@node-saml/node-saml';
import { z } from 'zod';
import type { AuthContext } from '../../context.ts';
import type { AuthRequest, AuthResponse } from '../../contracts/request.ts';
import { failure } from '../../errors.ts';
import { checkPkceParameters } from '../../flow-state/pkce-parameters.ts';
import { parseBody, textField } from '../../http/request-body.ts';
import { isUuid } from '../../http/uuid.ts';
import { allowedRedirect } from '../../redirect/allow-list.ts';
import { currentIdentityProvider } from './current-metadata.ts';
import type { IdentityProvider } from './identity-provider.ts';
import { NAME_ID_FORMATS } from './name-id-format.ts';
import { findProvider, findProviderByDomain, type ProviderRow } from './provider.ts';
import { storeRelayState } from './relay-state.ts';
import { requireServiceProvider, type ServiceProvider } from './service-provider.ts';

const fields = z.object({
  provider_id: textField.refine((text) => text === '' || isUuid(text)),
  domain: textField,
  redirect_to: textField,
  skip_http_redirect: z.boolean().nullish(),
  code_challenge: textField,
  code_challenge_method: textField,
});

type Fields = z.output<typeof fields>;

/** Returns a redirect, or its URL with `skip_http_redirect`. */
export async function beginSingleSignOn(context: AuthContext, request: AuthRequest): Promise<AuthResponse> {
  const serviceProvider = requireServiceProvider(context.config);
  context.limits.check('sso', request, context.now());
  const body = parseBody(request.body, fields);
  checkPkceParameters(body.code_challenge, body.code_challenge_method);
  const provider = await requireProvider(context, body);
  const identityProvider = await currentIdentityProvider(context, provider);
  const requestId = `_${randomUUID()}`;
  const relayStateId = randomUUID();
  const state = {
    providerId: provider.id,
    requestId,
    redirectTo: redirectTargetOf(context, body),
    challenge: body,
  };
  await context.database.batch(storeRelayState(context, relayStateId, state));
  const saml = createRequester(serviceProvider, identityProvider, provider, requestId);
  const url = await saml.getAuthorizeUrlAsync(relayStateId, undefined, {});
  if (body.skip_http_redirect) return { status: 200, body: { url } };
  return { status: 303, headers: { location: url, 'cache-control': 'no-store' } };
}

/** Returns '' for a URL that is not allowed; the sign-in then ends at the site. */
function redirectTargetOf({ config }: AuthContext, { redirect_to: url }: Fields): string {
  return allowedRedirect(url, config) ?? '';
}

async function requireProvider({ database }: AuthContext, body: Fields): Promise<ProviderRow> {
  const { provider_id: id, domain } = body;
  if (id !== '' && domain !== '') throw validationFailure('Only one of provider_id or domain supported');
  if (id === '' && domain === '') throw validationFailure('A provider_id or domain needs to be provided');
  const find = id === '' ? findProviderByDomain(domain) : findProvider(id);
  const [provider] = await database.query<ProviderRow>(find);
  if (provider === undefined) {
    const message = id === '' ? 'No SSO provider assigned for this domain' : 'No such SSO provider';
    throw failure('sso_provider_not_found', { message });
  }
  if (provider.disabled) throw failure('sso_provider_disabled');
  return provider;
}

function createRequester(
  { entityId, acsUrl, privateKey }: ServiceProvider,
  { signInUrl, certificates }: IdentityProvider,
  { name_id_format: format }: ProviderRow,
  requestId: string,
): SAML {
  return new SAML({
    issuer: entityId,
    callbackUrl: acsUrl,
    entryPoint: signInUrl,
    idpCert: certificates,
    privateKey,
    signatureAlgorithm: 'sha256',
    identifierFormat: format ?? NAME_ID_FORMATS.persistent,
    // The organisation decides how its users authenticate.
    disableRequestedAuthnContext: true,
    generateUniqueId: () => requestId,
  });
}

function validationFailure(message: string) {
  return failure('validation_failed', { message });
}
