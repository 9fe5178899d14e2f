/** Prints URLs and keys, under the names that the Supabase CLI uses. */
import { appUrlOf } from '@greenroom/config';
import { stringify as stringifyToml } from 'smol-toml';
import { type InstanceView, viewInstance } from '../instance.ts';
import { type ProjectOptions, readConfig } from '../settings.ts';

/** A value of the status. */
interface StatusField {
  /** Name for `--override-name`, as in the Supabase CLI. */
  key: string;
  /** Default name of the variable. */
  name: string;
  /** Returns undefined if the instance has no such value. */
  value: (instance: StatusView) => string | undefined;
}

/** An instance, and the URL of its pages. */
interface StatusView extends InstanceView {
  /** Default: {@link InstanceView.apiUrl}. */
  appUrl?: string;
}

/** In the order of the output. */
const FIELDS: readonly StatusField[] = [
  { key: 'api.url', name: 'API_URL', value: ({ apiUrl }) => apiUrl },
  { key: 'api.rest_url', name: 'REST_URL', value: ({ apiUrl }) => `${apiUrl}/rest/v1` },
  { key: 'api.graphql_url', name: 'GRAPHQL_URL', value: ({ apiUrl }) => `${apiUrl}/graphql/v1` },
  { key: 'api.storage_s3_url', name: 'STORAGE_S3_URL', value: ({ apiUrl }) => `${apiUrl}/storage/v1/s3` },
  { key: 'api.functions_url', name: 'FUNCTIONS_URL', value: ({ apiUrl }) => `${apiUrl}/functions/v1` },
  { key: 'db.url', name: 'DB_URL', value: ({ databaseUrl }) => databaseUrl },
  { key: 'studio.url', name: 'STUDIO_URL', value: ({ apiUrl, appUrl = apiUrl }) => `${appUrl}/admin` },
  { key: 'mailpit.url', name: 'MAILPIT_URL', value: ({ mailboxUrl }) => mailboxUrl },
  { key: 'inbucket.url', name: 'INBUCKET_URL', value: ({ mailboxUrl }) => mailboxUrl },
  { key: 'auth.publishable_key', name: 'PUBLISHABLE_KEY', value: ({ apiKeys }) => apiKeys.publishable },
  { key: 'auth.secret_key', name: 'SECRET_KEY', value: ({ apiKeys }) => apiKeys.secret },
  { key: 'auth.jwt_secret', name: 'JWT_SECRET', value: ({ jwtSecret }) => jwtSecret },
  { key: 'auth.anon_key', name: 'ANON_KEY', value: ({ apiKeys }) => apiKeys.anon },
  { key: 'auth.service_role_key', name: 'SERVICE_ROLE_KEY', value: ({ apiKeys }) => apiKeys.serviceRole },
  { key: 'storage.s3_access_key_id', name: 'S3_PROTOCOL_ACCESS_KEY_ID', value: ({ s3 }) => s3.accessKeyId },
  {
    key: 'storage.s3_secret_access_key',
    name: 'S3_PROTOCOL_ACCESS_KEY_SECRET',
    value: ({ s3 }) => s3.secretAccessKey,
  },
  { key: 'storage.s3_region', name: 'S3_PROTOCOL_REGION', value: ({ s3 }) => s3.region },
  { key: 'webhooks.secret', name: 'WEBHOOK_SECRET', value: ({ webhookSecret }) => webhookSecret },
];

const VARIABLE = /^[A-Za-z_]\w*$/;

type Values = Readonly<Record<string, string>>;

/** Options of {@link printStatus}. */
interface StatusOptions {
  format: keyof typeof RENDERERS;
  /** Texts such as `api.url=NEXT_PUBLIC_SUPABASE_URL`, also several in one text, separated by commas. */
  names: readonly string[] | undefined;
}

/** Prints shell assignments, an object, tables of other languages, or readable lines. */
export async function printStatus(
  { format, names = [] }: StatusOptions,
  options: ProjectOptions,
): Promise<number> {
  const renamed = parseNames(names);
  const config = await readConfig(options);
  const view = await viewInstance(config);
  const appUrl = appUrlOf(config, view.apiUrl);
  process.stdout.write(RENDERERS[format](statusValues({ ...view, appUrl }, renamed)));
  return 0;
}

/**
 * Returns the variables of an instance.
 * @param names other names of variables, by the keys of their fields
 */
export function statusValues(
  view: StatusView,
  names: ReadonlyMap<string, string> = new Map(),
): Record<string, string> {
  return Object.fromEntries(
    FIELDS.flatMap(({ key, name, value }) => {
      const text = value(view);
      return text === undefined ? [] : [[names.get(key) ?? name, text]];
    }),
  );
}

/** Parses the values of `--override-name`. Throws for an unknown key, and for a name that a shell cannot assign. */
export function parseNames(texts: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const text of texts.flatMap((each) => each.split(','))) {
    const [key = '', ...rest] = text.split('=');
    const name = rest.join('=');
    if (!FIELDS.some((field) => field.key === key))
      throw new Error(
        `--override-name: "${key}" is unknown. Allowed: ${FIELDS.map((field) => field.key).join(', ')}.`,
      );
    if (!VARIABLE.test(name))
      throw new Error(
        `--override-name: "${text}" names no variable. Use letters, digits and _, e.g. ${key}=NEXT_PUBLIC_${defaultName(key)}.`,
      );
    names.set(key, name);
  }
  return names;
}

function defaultName(key: string): string {
  return FIELDS.find((field) => field.key === key)?.name ?? '';
}

const RENDERERS = {
  json: (values: Values) => `${JSON.stringify(values, null, 2)}\n`,
  env: (values: Values) => lines(values, (name, value) => `${name}=${shellQuoted(value)}`),
  // Each string of JSON is one of YAML (YAML 1.2.2 §1.3).
  yaml: (values: Values) => lines(values, (name, value) => `${name}: ${JSON.stringify(value)}`),
  toml: (values: Values) => `${stringifyToml(values).trimEnd()}\n`,
  pretty: (values: Values) => lines(values, (name, value) => `${name.padStart(29)}: ${value}`),
};

function lines(values: Values, render: (name: string, value: string) => string): string {
  return Object.entries(values)
    .map(([name, value]) => `${render(name, value)}\n`)
    .join('');
}

/**
 * Quotes a value with double quotes, like the Supabase CLI, and escapes the characters that a shell would expand
 * inside of them (POSIX.1-2024, Shell Command Language §2.2.3).
 */
export function shellQuoted(value: string): string {
  return `"${value.replace(/[\\"$`]/g, '\\$&')}"`;
}
