/** Fetches the discovery document of a new OpenID Connect provider, so that its admin sees a mistake immediately. */

import { PrivateAddressError } from '@greenroom/network';
import { failure } from '../../../errors.ts';
import { connect } from '../connection.ts';
import { describeCustomProvider } from './description.ts';
import type { CustomProviderRow } from './statements.ts';

type Draft = Omit<CustomProviderRow, 'created_at' | 'updated_at'>;

/** Throws `validation_failed` if the document cannot be fetched or names another issuer. */
export async function checkDiscovery(draft: Draft, mayBePrivate: boolean): Promise<void> {
  if (draft.provider_type !== 'oidc') return;
  const description = describeCustomProvider({ ...draft, created_at: new Date(0), updated_at: new Date(0) });
  const settings = {
    clientIds: [draft.client_id],
    secret: undefined,
    redirectUri: '',
    url: undefined,
    skipNonceCheck: false,
    emailOptional: false,
  } as const;
  const connection = await connect({ name: draft.identifier, description, settings, mayBePrivate }).catch(
    (error: Error) => {
      const { message } = error.cause instanceof PrivateAddressError ? error.cause : error;
      throw discoveryFailure(`cannot be read: ${message}`);
    },
  );
  const { issuer } = connection.serverMetadata();
  if (issuer !== draft.issuer)
    throw discoveryFailure(`names the issuer ${issuer} instead of ${draft.issuer}`);
}

function discoveryFailure(reason: string) {
  return failure('validation_failed', { message: `The discovery document ${reason}` });
}
