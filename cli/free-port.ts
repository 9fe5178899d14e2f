import { choosePort } from '@greenroom/ports';
import type { Config } from '@greenroom/server/settings';

/** Returns the configured port, or a free one if it is 0. Throws if the port is taken. */
export function requireFreePort({ host, port }: Pick<Config, 'host' | 'port'>): Promise<number> {
  return choosePort({ host, port, fixed: true }).catch((error: Error) => {
    throw new Error(`${error.message}. Set PORT to another port, or to 0 for any free port.`, {
      cause: error,
    });
  });
}
