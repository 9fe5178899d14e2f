import { defineCommand } from '../../definition.ts';

/** `greenroom gen bearer-jwt`. */
export const genBearerJwt = defineCommand({
  path: ['gen', 'bearer-jwt'],
  summary: 'Print an access token that the instance accepts',
  description: 'Signs with the key of the instance, which was started at least once.',
  options: {
    role: { value: 'role', isRequired: true, summary: 'Role of the database that requests have' },
    sub: { value: 'uuid', summary: 'Id of the user' },
    exp: { value: 'time', summary: 'Time of expiry, e.g. 2030-01-01T00:00:00Z' },
    'valid-for': { value: 'duration', default: '30m', summary: 'Lifetime, if --exp is not given' },
    payload: { value: 'json', default: '{}', summary: 'Further claims, as an object' },
  },
  examples: [
    { line: 'gen bearer-jwt --role service_role', summary: 'Print a token for half an hour' },
    {
      line: 'gen bearer-jwt --role authenticated --sub 7f2c1e8a-5b0d-4c53-9a3e-0a1f6f2d9b11 --valid-for 1h',
      summary: 'Print a token of a user',
    },
    {
      line: `gen bearer-jwt --role authenticated --payload '{"app_metadata":{"plan":"pro"}}'`,
      summary: 'Add claims that policies read',
    },
  ],
  async run({ options: { role, sub, exp, 'valid-for': validFor, payload }, project }) {
    const { printBearerToken } = await import('./bearer-jwt.ts');
    return printBearerToken({ role, sub, exp, validFor, payload }, project);
  },
});
