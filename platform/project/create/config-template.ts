/** The config.toml of a new project. */

/**
 * Returns the text of the file. Keys without a comment sign have the defaults of the Supabase CLI, so that the file shows
 * what applies and changes nothing.
 */
export function configTemplate(projectId: string): string {
  return `# The configuration of this project, for Greenroom and the Supabase CLI. Keys have their defaults; lines that are commented
# out are examples. All keys: https://supabase.com/docs/guides/local-development/cli/config
# Values such as env(SMTP_PASSWORD) come from the environment or from .env files; secrets do not belong into this file.

# Name of the project, which must be unique on a machine.
project_id = "${projectId}"

[api]
# Port of the app and of all services.
port = 54321
# Schemas of the data API.
schemas = ["public", "graphql_public"]
# Schemas whose functions, types and operators queries find without naming the schema.
extra_search_path = ["public", "extensions"]
# Maximum number of rows of a response.
max_rows = 1000

[db]
# Port of PostgreSQL on this machine.
port = 54322

[db.migrations]
# Whether starts apply the files in supabase/migrations. New file: greenroom migration new <name>
enabled = true

[db.seed]
# Files that fill a new database: paths or globs, relative to supabase/.
enabled = true
sql_paths = ["./seed.sql"]

[realtime]
enabled = true

[storage]
enabled = true
# Maximum size of a file.
file_size_limit = "50MiB"

# Resizing of images when they are downloaded.
# [storage.image_transformation]
# enabled = true

# A bucket, and the folder with its files: greenroom seed buckets
# [storage.buckets.images]
# public = false
# file_size_limit = "50MiB"
# allowed_mime_types = ["image/png", "image/jpeg"]
# objects_path = "./images"

[auth]
enabled = true
# URL of your app: redirect target of sign-ins that name no other page.
site_url = "http://127.0.0.1:3000"
# Further URLs that sign-ins may redirect to.
additional_redirect_urls = ["https://127.0.0.1:3000"]
# Lifetime of access tokens in seconds.
jwt_expiry = 3600
# Whether new users can sign up, and whether users can sign in without an account.
enable_signup = true
enable_anonymous_sign_ins = false
minimum_password_length = 6
# Keys that sign tokens, instead of those of the instance: greenroom gen signing-key
# signing_keys_path = "./signing_keys.json"

[auth.email]
# Whether users can sign up with an email address, and whether they must confirm it before they sign in.
enabled = true
enable_confirmations = false

# A mail server. Without one, mails are kept for the admin area.
# [auth.email.smtp]
# enabled = true
# host = "smtp.example.com"
# port = 587
# user = "apikey"
# pass = "env(SMTP_PASSWORD)"
# admin_email = "admin@example.com"
# sender_name = "Admin"

# The mail of an invitation; the path is relative to the folder of the project.
# [auth.email.template.invite]
# subject = "You have been invited"
# content_path = "./supabase/templates/invite.html"

[auth.mfa.totp]
# Whether users can add an authenticator app as a second factor, and sign in with it.
enroll_enabled = false
verify_enabled = false

# Sign-in with an account at another provider.
# [auth.external.github]
# enabled = true
# client_id = "env(GITHUB_CLIENT_ID)"
# secret = "env(GITHUB_SECRET)"
`;
}

/** Content of the first seed file. */
export const SEED_TEMPLATE = `-- Rows for a new database: runs once after the migrations, and with "greenroom db reset".
`;

/** Lines of supabase/.gitignore. */
export const GITIGNORE_LINES = [
  '# Supabase CLI',
  '.branches',
  '.temp',
  '# Secrets',
  '.env.keys',
  '.env.local',
  '.env.*.local',
  'signing_keys.json',
];
