/** Asks a new provider of OpenID Connect for its discovery document, so that a mistake shows at once and to its author. */
import { failure } from '../../../errors.ts';
import { PrivateAddressError } from '../../../network/public-lookup.ts';
import { connect } from '../connection.ts';
import { describeCustomProvider } from './description.ts';
import type { CustomProviderRow } from './statements.ts';

type Draft = Omit<CustomProviderRow, 'created_at' | 'updated_at'>;

/** Throws `validation_failed` where there is no such document, or it is another issuer's. */
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
      throw refused(`cannot be read: ${message}`);
    },
  );
  const { issuer } = connection.serverMetadata();
  if (issuer !== draft.issuer) throw refused(`is that of ${issuer} and not of ${draft.issuer}`);
}

function refused(reason: string) {
  return failure('validation_failed', { message: `The discovery document ${reason}` });
}
