/** `greenroom status`: prints URLs and keys, under the names that the hosted service's command line uses. */
import { parseArgs } from 'node:util';
import { type InstanceView, viewInstance } from '../instance.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';

/** Prints shell assignments with `-o env`, an object with `-o json`, and readable lines otherwise. */
export async function status(args: string[], project: ProjectOptions): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { output: { type: 'string', short: 'o', default: 'pretty' } },
  });
  const render = RENDERERS[values.output];
  if (!render) throw new Error(`unknown output format "${values.output}". Use pretty, env or json.`);
  process.stdout.write(render(statusValues(await viewInstance(await readConfig(project)))));
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

const RENDERERS: Record<string, (values: Record<string, string>) => string> = {
  json: (values) => `${JSON.stringify(values, null, 2)}\n`,
  env: (values) => lines(values, (name, value) => `${name}=${shellQuoted(value)}`),
  pretty: (values) => lines(values, (name, value) => `${name.padStart(29)}: ${value}`),
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
