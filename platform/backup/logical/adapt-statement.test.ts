import { describe, expect, it } from 'vitest';
import { adaptStatement } from './adapt-statement.ts';

const ROLE = { formerOwner: 'shop', owner: 'new "owner"', isSuperuser: false, version: 16 };

describe('the former owner is replaced', () => {
  it.each([
    [
      'grants',
      'GRANT SELECT ON TABLE "shop"."shop" TO "shop" WITH GRANT OPTION',
      'GRANT SELECT ON TABLE "shop"."shop" TO "new ""owner""" WITH GRANT OPTION',
    ],
    [
      'revocations',
      'REVOKE ALL ON FUNCTION "s"."f"("shop" "s"."shop") FROM "shop"',
      'REVOKE ALL ON FUNCTION "s"."f"("shop" "s"."shop") FROM "new ""owner"""',
    ],
    [
      'default privileges',
      'ALTER DEFAULT PRIVILEGES FOR ROLE "shop" IN SCHEMA "shop" GRANT ALL ON TABLES TO "shop"',
      'ALTER DEFAULT PRIVILEGES FOR ROLE "new ""owner""" IN SCHEMA "shop" GRANT ALL ON TABLES TO "new ""owner"""',
    ],
    [
      'policies',
      `CREATE POLICY "shop" ON "shop"."to" FOR SELECT TO "a", "shop" USING (("shop" = 'shop'::"text"))`,
      `CREATE POLICY "shop" ON "shop"."to" FOR SELECT TO "a", "new ""owner""" USING (("shop" = 'shop'::"text"))`,
    ],
    [
      'user mappings',
      `CREATE USER MAPPING FOR "shop" SERVER "shop" OPTIONS ("user" 'shop')`,
      `CREATE USER MAPPING FOR "new ""owner""" SERVER "shop" OPTIONS ("user" 'shop')`,
    ],
    ['grants of other roles', 'SET SESSION AUTHORIZATION "shop"', 'SET ROLE "new ""owner"""'],
  ])('in %s, but not where another object has the name', (_, sql, expected) => {
    expect(adaptStatement(sql, ROLE)).toEqual({ kind: 'run', sql: expected });
  });

  it('in owners, whose schema is known', () => {
    expect(adaptStatement('ALTER TABLE "shop"."shop" OWNER TO "shop"', ROLE)).toEqual({
      kind: 'owner',
      sql: 'ALTER TABLE "shop"."shop" OWNER TO "new ""owner"""',
      schema: 'shop',
      owner: 'new "owner"',
    });
    expect(adaptStatement('ALTER SCHEMA "shop" OWNER TO "other"', ROLE)).toMatchObject({
      sql: 'ALTER SCHEMA "shop" OWNER TO "other"',
      schema: undefined,
      owner: 'other',
    });
  });

  it.each([
    ['policies without roles', `CREATE POLICY "p" ON "t" USING (("shop" > 'a to b'))`],
    ['functions', 'CREATE FUNCTION "f"() RETURNS "text" AS $$ GRANT x TO "shop" $$'],
    ['tables', 'CREATE TABLE "shop"."shop" ("owner" int, "to" "shop"."shop")'],
    ['changed tables', 'ALTER TABLE ONLY "shop"."shop" ADD CONSTRAINT "shop" PRIMARY KEY ("shop")'],
  ])('not in %s', (_, sql) => {
    expect(adaptStatement(sql, ROLE)).toEqual({ kind: 'run', sql });
  });
});

describe('event triggers', () => {
  const CREATE = 'CREATE EVENT TRIGGER "watch" ON ddl_command_end EXECUTE FUNCTION "public"."watch"()';
  const CHANGE = 'ALTER EVENT TRIGGER "watch" OWNER TO "shop"';
  it('are left out by roles that are no superusers', () => {
    expect(adaptStatement(CREATE, ROLE)).toMatchObject({ kind: 'omit', object: 'event trigger watch' });
    expect(adaptStatement(CHANGE, ROLE)).toEqual({ kind: 'skip' });
  });
  it('are created by superusers, who stay their owners', () => {
    const role = { ...ROLE, isSuperuser: true };
    expect(adaptStatement(CREATE, role)).toEqual({ kind: 'run', sql: CREATE });
    expect(adaptStatement(CHANGE, role)).toEqual({ kind: 'skip' });
    const disable = 'ALTER EVENT TRIGGER "watch" DISABLE';
    expect(adaptStatement(disable, role)).toEqual({ kind: 'run', sql: disable });
  });
});

it('schemas may exist, and parameters of later versions are left out', () => {
  expect(adaptStatement('CREATE SCHEMA "extensions"', ROLE)).toEqual({
    kind: 'run',
    sql: 'CREATE SCHEMA IF NOT EXISTS "extensions"',
  });
  expect(adaptStatement('SET transaction_timeout = 0', ROLE)).toEqual({ kind: 'skip' });
  expect(adaptStatement('SET transaction_timeout = 0', { ...ROLE, version: 17 })).toMatchObject({
    kind: 'run',
  });
});
