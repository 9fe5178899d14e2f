/** Options of commands that work on an instance. Imports nothing, because definitions of commands use it. */
export const INSTANCE_OPTIONS = {
  url: {
    value: 'url',
    summary: 'API of the instance (default: the instance of the project on this machine)',
  },
  'secret-key': {
    value: 'key',
    summary: 'Secret key of that instance (default: the variable GREENROOM_SECRET_KEY)',
  },
} as const;

/** The values of {@link INSTANCE_OPTIONS}. */
export interface InstanceChoice {
  readonly url: string | undefined;
  readonly 'secret-key': string | undefined;
}
