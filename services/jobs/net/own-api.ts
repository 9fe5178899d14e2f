/**
 * The API of the instance itself, by all names that projects use for it: that of the configuration, those of Docker, and the
 * gateway of the containers of the Supabase CLI.
 */
import type { InstanceConfig } from '@greenroom/config';
import { ownOrigins } from '@greenroom/network';

/** The paths of services. Others, such as `/metrics`, trust callers on this machine. */
const SERVICE_PATH = /^\/(?:auth|functions|graphql|realtime|rest|storage)\/v1(?:\/|$)/;
/** The gateway of a project of the Supabase CLI. */
const GATEWAY = /^http:\/\/supabase_kong_[\w.-]+:8000$/;

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
  const origins = new Set(ownOrigins(addresses));
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
