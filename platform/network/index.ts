/** Requests of the server to URLs that its users or other servers determine. */
export { fetchJson } from './fetch-json.ts';
export { lookupPublic, PrivateAddressError, rejectPrivateHost } from './public-lookup.ts';
