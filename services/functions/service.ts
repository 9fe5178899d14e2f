/** The contract of functions with the server. Loads the implementation only when the service is opened. */
import type { Service } from '@greenroom/service';
import { FUNCTIONS_ROLE } from './roles.ts';
import { type FunctionsConfig, functionsSettings } from './settings.ts';

/** Functions of a project, at `/functions/v1/{name}`. */
export const functionsService: Service<'functions', FunctionsConfig> = {
  name: 'functions',
  settings: functionsSettings,
  migrations: { service: 'functions', directory: new URL('./migrations/', import.meta.url) },
  roles: [FUNCTIONS_ROLE],
  load,
  open: (context) => load().then((module) => module.open(context)),
};

function load() {
  return import('./open.ts');
}
