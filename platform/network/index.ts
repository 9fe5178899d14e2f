/** Requests of the server to URLs that its users or other servers determine. */
export { fetchJson } from './fetch-json.ts';
export { isPrivateAddress } from './private-address.ts';
export { createLookup, lookupPublic, PrivateAddressError, rejectPrivateHost } from './public-lookup.ts';
