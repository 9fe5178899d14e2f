/** The text of `greenroom help`. */
export const HELP = `Run the Greenroom app and its backend on PostgreSQL.

Usage: greenroom <command> [options]

Commands:
  start        Start the app and all services on one port
  dev          Start everything, apply new migrations and reload settings when their files change
  stop         Stop the instance of a project or data folder
  list         List the running instances of this user
  config       Print all settings and where they come from (config diff: only differences)
  build        Build what starts use: the app, the program and the database template
  status       Print URLs and keys of the running or last instance
  migration    Create, list, apply, revert, join or repair the migrations of a project
  db reset     Replace the database by a new one, with migrations and seeds
  db seed      Run the seeds of a project
  seed buckets Create the buckets of a project and upload their files to the running instance
  keys         List, rotate or revoke the keys that sign tokens
  extensions   List, add or remove extensions of the embedded PostgreSQL
  admin-link   Print a one-time link that makes its visitor an administrator
  version      Print the version
  help         Print this help

Options of all commands:
  --project <folder>     Folder with supabase/ to run (default: the current folder, if it has supabase/)
  --remote <name>        Use the values of [remotes.<name>] in supabase/config.toml

Options of start:
  --services <names>     Start only these services, without the app: auth, data, storage, realtime
                         (data or storage alone serves the existing database of DATABASE_URL)
  --cli-keys             Use the fixed keys and database password of the Supabase CLI, also at later
                         starts (--no-cli-keys: the own keys again)
  --detach               Start in the background; return when the start is ready or has failed

Options of stop:
  --all                  Stop all running instances of this user

Options of list:
  -o, --output <format>  Print as pretty or json (default: pretty)

Options of status:
  -o, --output <format>  Print as pretty, env or json (default: pretty)

Commands of migration:
  new <name>             Create supabase/migrations/<time>_<name>.sql (content: standard input, if piped)
  list                   List files and applied migrations
  up [--include-all]     Apply new migrations (--include-all: also those before an applied one)
  down [--last <n>] [--yes]
                         Reset the database to the version before the last n migrations (default: 1)
  repair --status applied|reverted <version> …
                         Change the history without running anything
  squash [--version <version>]
                         Join the migrations up to a version (default: all) to one file
  fetch [--yes]          Write the migrations of the database as files

Options of db reset:
  --version <version>    Apply only the migrations up to this version
  --last <n>             Apply all migrations except for the last n
  --no-seed              Skip the seeds

Options of db reset and db seed:
  --sql-paths <path>     Seed from these files instead of db.seed.sql_paths: paths or globs, relative to
                         supabase/; may be repeated

Commands of keys:
  list                   List the keys (default)
  rotate [--now]         Create a standby key; the next call signs with it (--now: at once)
  revoke <kid>           Reject tokens that are signed with this key

Commands of extensions:
  list                   List the extensions and where their files come from (default)
  add <source>...        Add the files of extensions: a folder, a control file, a .deb file, or the name
                         of a package that apt knows
  remove <name>          Remove the files of an added extension

Settings are environment variables, lines of .env files, or keys of supabase/config.toml.
docs/reference/configuration.md lists them.`;
