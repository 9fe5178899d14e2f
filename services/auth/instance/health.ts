/** GET /health: reports that the service is running, and its version. */

import type { AuthResponse } from '../contracts/request.ts';
import manifest from '../package.json' with { type: 'json' };

/** Responds with name and version. Clients detect the protocol by `name`, so it is GoTrue's. */
export async function health(): Promise<AuthResponse> {
  const body = {
    version: manifest.version,
    name: 'GoTrue',
    description: 'Authentication service of Greenroom',
  };
  return { status: 200, body };
}
