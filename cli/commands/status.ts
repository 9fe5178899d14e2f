/** Prints URLs and keys, under the names that the Supabase CLI uses. */
import { type InstanceView, viewInstance } from '../instance.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';

/** Prints shell assignments, an object, or readable lines. */
export async function printStatus(format: keyof typeof RENDERERS, options: ProjectOptions): Promise<number> {
  const view = await viewInstance(await readConfig(options));
  process.stdout.write(RENDERERS[format](statusValues(view)));
  return 0;
}

/** Returns the variables of an instance. */
export function statusValues({
  apiUrl,
  mailboxUrl,
  databaseUrl,
  jwtSecret,
  apiKeys,
  s3,
}: InstanceView): Record<string, string> {
  return {
    API_URL: apiUrl,
    DB_URL: databaseUrl,
    ...(mailboxUrl !== undefined && { MAILPIT_URL: mailboxUrl, INBUCKET_URL: mailboxUrl }),
    PUBLISHABLE_KEY: apiKeys.publishable,
    SECRET_KEY: apiKeys.secret,
    JWT_SECRET: jwtSecret,
    ANON_KEY: apiKeys.anon,
    SERVICE_ROLE_KEY: apiKeys.serviceRole,
    S3_PROTOCOL_ACCESS_KEY_ID: s3.accessKeyId,
    S3_PROTOCOL_ACCESS_KEY_SECRET: s3.secretAccessKey,
    S3_PROTOCOL_REGION: s3.region,
  };
}

const RENDERERS = {
  json: (values: Record<string, string>) => `${JSON.stringify(values, null, 2)}\n`,
  env: (values: Record<string, string>) => lines(values, (name, value) => `${name}=${shellQuoted(value)}`),
  pretty: (values: Record<string, string>) =>
    lines(values, (name, value) => `${name.padStart(29)}: ${value}`),
};

function lines(values: Record<string, string>, render: (name: string, value: string) => string): string {
  return Object.entries(values)
    .map(([name, value]) => `${render(name, value)}\n`)
    .join('');
}

/**
 * Quotes a value with double quotes, like the hosted command line, and escapes the characters that a shell would expand
 * inside of them (POSIX.1-2024, Shell Command Language §2.2.3).
 */
export function shellQuoted(value: string): string {
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}
