/** The origins by which projects name the API of their own instance. */

const LOCAL_NAMES = ['localhost', '127.0.0.1', '[::1]', 'host.docker.internal', 'gateway.docker.internal'];
/** The gateway of the Supabase CLI, on its separate port. */
const GATEWAYS = ['http://kong:8000', 'http://supabase_kong:8000', 'http://api.supabase.internal:8000'];

/** Where an instance is reached. */
interface InstanceUrls {
  /** URL of the server on its own machine. */
  localUrl: string;
  appUrl: string;
  externalUrl: string;
}

/** Returns the origins: those of the configuration, those of Docker, and the gateway of the Supabase CLI. */
export function ownOrigins({ localUrl, appUrl, externalUrl }: InstanceUrls): readonly string[] {
  const local = new URL(localUrl);
  const port = local.port || (local.protocol === 'https:' ? '443' : '80');
  const named = LOCAL_NAMES.flatMap((name) => [`http://${name}:${port}`, `https://${name}:${port}`]);
  const origins = [localUrl, appUrl, externalUrl, ...named, ...GATEWAYS].map((url) => new URL(url).origin);
  return [...new Set(origins)];
}
