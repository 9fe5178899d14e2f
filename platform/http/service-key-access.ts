/** The check in front of routes for the instance itself: the service key, from its own pages or from an allowed address. */
import type { ApiKeyReader } from '@greenroom/keys';
import type { FastifyRequest } from 'fastify';
import { hasServiceRoleKey } from './credentials.ts';
import { isFromOwnPages } from './local-message.ts';
import { trustedProxyCheck } from './trusted-proxies.ts';

/** Options of {@link createServiceKeyAccess}. */
export interface ServiceKeyAccessOptions {
  readApiKey: ApiKeyReader;
  /** Addresses and CIDR ranges of other programs; the pages of this process need none. */
  allowedAddresses: readonly string[];
}

/** The reason why a request is refused; each service has an error of this code in its catalogue. */
type ServiceKeyRefusal = 'service_key_required' | 'address_not_allowed';

/** Returns a function that finds the reason to refuse a request; undefined if there is none. */
export function createServiceKeyAccess({ readApiKey, allowedAddresses }: ServiceKeyAccessOptions) {
  const isAllowed = trustedProxyCheck(allowedAddresses);
  return async (request: FastifyRequest): Promise<ServiceKeyRefusal | undefined> => {
    // A user's token of the role service_role does not exist; the key itself is required.
    if (!(await hasServiceRoleKey(request, readApiKey))) return 'service_key_required';
    return isFromOwnPages(request) || isAllowed(request.ip) ? undefined : 'address_not_allowed';
  };
}
