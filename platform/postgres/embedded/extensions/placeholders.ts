/**
 * Placeholders of extensions that dumps of hosted projects create although most projects do not use them. A placeholder can
 * be created, which raises a notice about what does not work; its functions raise an error, and its views are empty.
 * An implementation replaces it by a folder in `platform/postgres/extensions/` with a version number and an update script from
 * the version `placeholder`.
 */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { quoteLiteral } from '../../identifier.ts';
import type { GeneratedExtension } from './generated-extension.ts';

/** Version of all placeholders. */
export const PLACEHOLDER_VERSION = 'placeholder';

/** The declaration of a placeholder. */
interface Placeholder {
  /** Schema of its objects. Default: the one that CREATE EXTENSION names, or the current one. */
  schema?: string;
  /** What does not work, as a clause. */
  lacks: string;
  /** Hint of the notice. */
  hint: string;
  /**
   * Versions of the hosted service that migrations name: `db diff` wrote them into CREATE EXTENSION, and the advisors of the
   * hosted service tell to update to them. An extension that is created with one of them has its number.
   */
  versions?: readonly string[];
  /** Whether `objects.sql` in the folder of the extension creates schemas, types, views and functions. */
  hasObjects?: boolean;
  /** Declarations of functions that raise an error. */
  functions?: readonly string[];
  /** Hint of that error. Default: what does not work. */
  functionHint?: string;
}

const PLACEHOLDERS: Readonly<Record<string, Placeholder>> = {
  http: {
    versions: ['1.5', '1.6'],
    lacks: 'HTTP requests are not sent',
    hint: 'Its functions raise an error when they are called. To add its files: greenroom extensions add postgresql-18-http',
    hasObjects: true,
    functions: [
      'http(request @extschema@.http_request) returns @extschema@.http_response',
      'http_get(uri varchar) returns @extschema@.http_response',
      'http_get(uri varchar, data jsonb) returns @extschema@.http_response',
      'http_post(uri varchar, content varchar, content_type varchar) returns @extschema@.http_response',
      'http_post(uri varchar, data jsonb) returns @extschema@.http_response',
      'http_put(uri varchar, content varchar, content_type varchar) returns @extschema@.http_response',
      'http_patch(uri varchar, content varchar, content_type varchar) returns @extschema@.http_response',
      'http_delete(uri varchar) returns @extschema@.http_response',
      'http_head(uri varchar) returns @extschema@.http_response',
      'http_header(field varchar, value varchar) returns @extschema@.http_header',
      'http_set_curlopt(curlopt varchar, value varchar) returns boolean',
      'http_reset_curlopt() returns boolean',
      'urlencode(string varchar) returns text',
    ],
    functionHint:
      'The extension http is a placeholder. Add its files: greenroom extensions add postgresql-18-http',
  },
  hypopg: {
    lacks: 'hypothetical indexes are not available',
    hint: 'To add its files: greenroom extensions add postgresql-18-hypopg',
  },
  index_advisor: {
    lacks: 'index advice is not available',
    hint: 'To add its files: greenroom extensions add <folder>',
  },
  pg_graphql: {
    versions: ['1.5.9', '1.5.11'],
    schema: 'graphql',
    lacks: 'GraphQL is not available',
    hint: 'graphql_public.graphql and graphql.resolve return a GraphQL error.',
    hasObjects: true,
  },
  pg_repack: {
    lacks: 'tables are not repacked',
    hint: 'To add its files: greenroom extensions add postgresql-18-repack',
  },
  pg_stat_monitor: {
    lacks: 'statements are not monitored',
    hint: 'pg_stat_statements is available in schema extensions.',
  },
  pg_tle: {
    schema: 'pgtle',
    lacks: 'extensions cannot be installed from SQL',
    hint: 'Add their files instead: greenroom extensions add <folder>',
    functions: [
      'pgtle.install_extension(name text, version text, description text, ext text, requires text[] default null) returns boolean',
      'pgtle.install_update_path(name text, fromvers text, tovers text, ext text) returns boolean',
      'pgtle.set_default_version(name text, version text) returns boolean',
      'pgtle.uninstall_extension(extname text) returns boolean',
      'pgtle.uninstall_extension_if_exists(extname text) returns boolean',
    ],
    functionHint:
      'The extension pg_tle is a placeholder. Add the files of an extension instead: greenroom extensions add <folder>',
  },
  pgaudit: {
    lacks: 'no audit records are written',
    hint: 'To add its files: greenroom extensions add postgresql-18-pgaudit',
    // Dumps grant rights on them.
    functions: [
      'pgaudit_ddl_command_end() returns event_trigger',
      'pgaudit_sql_drop() returns event_trigger',
    ],
  },
  pgsodium: {
    versions: ['3.1.8'],
    schema: 'pgsodium',
    lacks: 'encryption is not available',
    hint: 'Functions of schema pgsodium raise an error when they are called.',
    hasObjects: true,
    functions: [
      "pgsodium.create_key(key_type text default 'aead-det', name text default null) returns pgsodium.valid_key",
      'pgsodium.crypto_aead_det_keygen() returns bytea',
      'pgsodium.crypto_aead_det_encrypt(message bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea',
      'pgsodium.crypto_aead_det_decrypt(ciphertext bytea, additional bytea, key_uuid uuid, nonce bytea default null) returns bytea',
    ],
    functionHint: 'The extension pgsodium is a placeholder. pgcrypto has functions for encryption.',
  },
  plpgsql_check: {
    lacks: 'functions are not checked',
    hint: 'To add its files: greenroom extensions add postgresql-18-plpgsql-check',
  },
  wrappers: {
    versions: ['0.4.2', '0.4.5'],
    lacks: 'foreign data wrappers are not available',
    hint: 'CREATE FOREIGN DATA WRAPPER fails, because the handler functions do not exist.',
  },
};

/** Returns the files of every placeholder, by the name of its extension. */
export function placeholderExtensions(): ReadonlyMap<string, GeneratedExtension> {
  return new Map(
    Object.entries(PLACEHOLDERS).map(([name, placeholder]) => [name, generate(name, placeholder)]),
  );
}

function generate(name: string, placeholder: Placeholder): GeneratedExtension {
  const { lacks, schema, functions, versions = [] } = placeholder;
  return {
    version: PLACEHOLDER_VERSION,
    updates: versions,
    control: [
      `comment = 'Placeholder: ${lacks}'`,
      `default_version = '${PLACEHOLDER_VERSION}'`,
      'relocatable = false',
      'trusted = true',
      ...(schema === undefined ? [] : [`schema = '${schema}'`]),
      '',
    ].join('\n'),
    script: [
      noticeScript(name, placeholder),
      ...(placeholder.hasObjects ? [readObjects(name)] : []),
      ...(functions ? [functionScript(name, placeholder, functions)] : []),
    ].join('\n'),
  };
}

function readObjects(name: string): string {
  return readFileSync(
    fileURLToPath(new URL(`../../extensions/${name}/objects.sql`, import.meta.url)),
    'utf8',
  );
}

/** CREATE EXTENSION suppresses notices of its scripts, so the script raises the level for its own. */
function noticeScript(name: string, { lacks, hint }: Placeholder): string {
  return `do $$
declare
  minimum text := pg_catalog.current_setting('client_min_messages');
begin
  perform pg_catalog.set_config('client_min_messages', 'notice', true);
  raise notice using
    message = ${quoteLiteral(`${name} is a placeholder: ${lacks}`)},
    hint = ${quoteLiteral(hint)};
  perform pg_catalog.set_config('client_min_messages', minimum, true);
end
$$;
`;
}

function functionScript(name: string, placeholder: Placeholder, declarations: readonly string[]): string {
  const { functionHint = `The extension ${name} is a placeholder: ${placeholder.lacks}.` } = placeholder;
  return declarations
    .map((declaration) => {
      const message = `${declaration.slice(0, declaration.indexOf('('))} is not available`;
      return `create function ${declaration} language plpgsql as $function$
begin
  raise exception using
    errcode = 'feature_not_supported', message = ${quoteLiteral(message)}, hint = ${quoteLiteral(functionHint)};
end
$function$;
`;
    })
    .join('');
}
