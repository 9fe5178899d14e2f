import { describe, expect, it } from 'vitest';
import { parseConnectionString, withLibpqVariables } from './libpq.ts';

describe('a connection string', () => {
  it.each([
    ['postgresql://', 'postgresql://'],
    ['postgres://u:p%20q@h:1/d?sslmode=require', 'postgres://u:p%20q@h:1/d?sslmode=require'],
    [
      'host=localhost port=5433 user=authenticator password=mysecretpassword dbname=postgres',
      'postgresql://authenticator:mysecretpassword@localhost:5433/postgres',
    ],
    [
      `host = 'db.example' user='a b' password='it''s' `,
      // Two quotes end one value and begin what is no pair.
      undefined,
    ],
    [
      String.raw`user=a\ b password='it\'s +/@ \\' dbname='my shop' sslmode=require`,
      "postgresql://a%20b:it's%20%2B%2F%40%20%5C@localhost/my%20shop?sslmode=require",
    ],
    ['host=::1 dbname=d', 'postgresql://[::1]/d'],
    ['host=/var/run/postgresql user=u', 'postgresql://u@localhost/u?host=%2Fvar%2Frun%2Fpostgresql'],
    ["dbname=d options='-c search_path=a'", 'postgresql://localhost/d?options=-c%20search_path%3Da'],
    ['', undefined],
    ['shop', undefined],
    ['colour=red', undefined],
    ["user='open", undefined],
    ['mysql://h/d', undefined],
  ])('%j is %j', (text, url) => {
    expect(parseConnectionString(text)).toBe(url);
  });
});

describe('variables of libpq', () => {
  const ALL = { PGHOST: 'h', PGPORT: '5433', PGUSER: 'u', PGPASSWORD: 'a b', PGDATABASE: 'd' };

  it.each<[string | undefined, Record<string, string>, string | undefined]>([
    [undefined, {}, undefined],
    [undefined, { PGPASSWORD: 'x', PGSSLMODE: 'require' }, undefined],
    [undefined, ALL, 'postgresql://u:a%20b@h:5433/d'],
    [undefined, { PGUSER: 'u' }, 'postgresql://u@localhost/u'],
    ['postgresql://', ALL, 'postgresql://u:a%20b@h:5433/d'],
    ['postgresql://own@own/own', { ...ALL, PGPORT: '' }, 'postgresql://own:a%20b@own/own'],
    ['postgresql://a:b@c:1/e', ALL, 'postgresql://a:b@c:1/e'],
    ['postgresql://a:b@c:1/e?x=1', { PGSSLMODE: 'require' }, 'postgresql://a:b@c:1/e?x=1&sslmode=require'],
    ['postgresql://%2Ftmp/e', { PGUSER: 'u' }, 'postgresql://u@localhost/e?host=%2Ftmp'],
    ['postgresql:///e?host=/tmp', { PGHOST: 'h', PGUSER: 'u' }, 'postgresql://u@localhost/e?host=%2Ftmp'],
    ['mysql://h/d', ALL, 'mysql://h/d'],
  ])('complete %j with %j', (url, source, complete) => {
    expect(withLibpqVariables(url, source)).toBe(complete);
  });
});
