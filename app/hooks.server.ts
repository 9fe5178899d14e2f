/** Code of a product that the server runs apart from pages. A product replaces this file. */
import type { ServerHooks } from './lib/server-hooks.ts';

export const hooks: ServerHooks = {};
