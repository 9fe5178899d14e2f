/** The text of `greenroom help`. */
export const HELP = `Usage: greenroom <command>

  start         Start everything on one port; builds the app first when its sources changed.
                With --services auth,data,… only these services, without pages. One of data and
                storage alone serves the database of DATABASE_URL as it is.
  dev           Start everything, with the app served from its sources and reloaded as they change.
  build         Build the app.
  status        Print URLs and keys of the running (or last) instance; -o env or -o json for scripts.
  keys          List the keys that sign tokens; keys rotate, keys revoke <kid> change them.
  admin-link    Print a link that makes its visitor admin; it works once, within an hour.
  version       Print the version.
  help          Print this.

Settings come from the environment and from .env; docs/reference/configuration.md lists them.`;
