/**
 * The API of the instance itself, by all names that projects use for it: that of the configuration, those of Docker, and the
 * gateway of the containers of the Supabase CLI.
 */
import type { InstanceConfig } from '@greenroom/config';

/** The paths of services. Others, such as `/metrics`, trust callers on this machine. */
const SERVICE_PATH = /^\/(?:auth|functions|graphql|realtime|rest|storage)\/v1(?:\/|$)/;
const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]', 'host.docker.internal', 'gateway.docker.internal'];
/** The gateway of the Supabase CLI, on its own port. */
const GATEWAY = /^http:\/\/(?:kong|supabase_kong_[\w.-]+|api\.supabase\.internal):8000$/;

/** The API of an instance. */
export interface OwnApi {
  /** Returns the URL of a request on this machine; undefined if it is not for a service of the instance. */
  localUrlOf(url: URL): URL | undefined;
}

/** Returns the API of an instance with these addresses. */
export function ownApiOf(
  addresses: Pick<InstanceConfig, 'localUrl' | 'appUrl' | 'externalUrl' | 'baseURL'>,
): OwnApi {
  const { localUrl, baseURL } = addresses;
  const local = new URL(localUrl);
  const port = local.port || (local.protocol === 'https:' ? '443' : '80');
  const configured = [localUrl, addresses.appUrl, addresses.externalUrl];
  const named = LOCAL_NAMES.flatMap((name) => [`http://${name}:${port}`, `https://${name}:${port}`]);
  const origins = new Set([...configured, ...named].map((url) => new URL(url).origin));
  return {
    localUrlOf(url) {
      if (!origins.has(url.origin) && !GATEWAY.test(url.origin)) return undefined;
      const path = url.pathname.startsWith(baseURL) ? url.pathname.slice(baseURL.length - 1) : url.pathname;
      if (!SERVICE_PATH.test(path)) return undefined;
      const target = new URL(local.origin);
      target.pathname = path;
      target.search = url.search;
      return target;
    },
  };
}
