/**
 * The source of settings as text, e.g. `process.env`. An empty text counts as unset, except for settings with
 * `acceptsEmpty`.
 */
export type ConfigSource = Readonly<Record<string, string | undefined>>;
