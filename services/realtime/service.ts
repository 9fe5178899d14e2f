/** The contract of realtime with the server. Loads the implementation only when the service is opened. */
import type { Service } from '@greenroom/service';
import { AUTHENTICATOR_ROLE, REALTIME_ROLE } from './roles.ts';
import { type RealtimeConfig, realtimeSettings } from './settings.ts';

/** Broadcast, presence and database changes. */
export const realtimeService = {
  name: 'realtime',
  settings: realtimeSettings,
  migrations: { service: 'realtime', directory: new URL('./migrations/', import.meta.url) },
  roles: [REALTIME_ROLE, AUTHENTICATOR_ROLE],
  load,
  open: (context) => load().then((module) => module.open(context)),
} satisfies Service<'realtime', RealtimeConfig>;

function load() {
  return import('./open.ts');
}
