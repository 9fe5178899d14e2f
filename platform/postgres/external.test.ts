import { describe, expect, it } from 'vitest';
import { missingRights } from './external.ts';

const good = { version: 17, superuser: false, createrole: true, bypassrls: true, createSchemas: true };

describe('missingRights', () => {
  it.each([
    ['an owner with all it takes', good, []],
    ['a superuser of 15', { ...good, version: 15, superuser: true, createrole: false }, []],
    [
      'a server too old',
      { ...good, version: 14, superuser: true },
      ['PostgreSQL 15 or later is needed, this is 14'],
    ],
    [
      'an owner on 15',
      { ...good, version: 15 },
      ['PostgreSQL 15 needs a superuser to create service_role (BYPASSRLS)'],
    ],
    [
      'a guest',
      { ...good, createrole: false, bypassrls: false, createSchemas: false },
      [
        'it may not create roles (needs CREATEROLE)',
        'it may not create service_role (needs BYPASSRLS)',
        'it may not create schemas in this database (needs CREATE)',
      ],
    ],
  ])('names what %s lacks', (_, rights, missing) => {
    expect(missingRights(rights)).toEqual(missing);
  });
});
