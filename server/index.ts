/** The one place where the parts are put together. */

export { createFirstAdminLink } from './first-admin.ts';
export { type InstanceKeys, loadOrCreateKeys } from './instance-keys.ts';
export { type BackendFacts, type Greenroom, type StartOptions, startGreenroom } from './start.ts';
