/** Certificates of an authority (ACME, RFC 8555): orders, and their renewal. Loaded only if the server obtains any. */
export { loadOrCreateAccountKey } from './account-key.ts';
export { keepRenewed, type Renewal } from './keep-renewed.ts';
export { type Challenges, obtainCertificate } from './obtain-certificate.ts';
export { openOrderAttempts } from './order-attempts.ts';
