/** GET /health: that the service answers, and which it is. */

import type { AuthResponse } from '../contracts/request.ts';
import manifest from '../package.json' with { type: 'json' };

/** Clients tell the protocol by `name`, so it is GoTrue's. */
export async function health(): Promise<AuthResponse> {
  const body = {
    version: manifest.version,
    name: 'GoTrue',
    description: 'Authentication service of Greenroom',
  };
  return { status: 200, body };
}
