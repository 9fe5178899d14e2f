/** Where settings come from. */

/** Settings as text, e.g. `process.env`. An empty text counts as unset, except for variables that take it. */
export type ConfigSource = Readonly<Record<string, string | undefined>>;
