-- Texts of JSON schemas: regular expressions and formats. The functions that clients call are created by the update to 0.3.4.
--
-- Helpers have a schema of the extension, so that they are no functions of the API if the extension is created in `public`.
-- All functions run with the rights of their caller, because a check constraint runs with those of the user who writes a row.

create schema _pg_jsonschema;
grant usage on schema _pg_jsonschema to public;

-- Returns the class of PostgreSQL for a Unicode property, without brackets: [:alpha:] for \p{L}.
create function _pg_jsonschema.class_of_property(property text) returns text
language plpgsql immutable strict parallel safe
as $$
begin
  case property
    when 'L', 'Letter', 'Alphabetic' then return '[:alpha:]';
    when 'Lu', 'Uppercase_Letter', 'Uppercase' then return '[:upper:]';
    when 'Ll', 'Lowercase_Letter', 'Lowercase' then return '[:lower:]';
    when 'N', 'Nd', 'Number', 'Decimal_Number', 'digit' then return '[:digit:]';
    when 'P', 'Punctuation', 'punct' then return '[:punct:]';
    when 'Z', 'Zs', 'Space_Separator', 'White_Space' then return '[:space:]';
    else
      raise exception using
        errcode = 'feature_not_supported',
        message = format('the Unicode property "%s" is not supported in patterns', property),
        hint = 'Supported are L, Lu, Ll, N, Nd, P, Z and Zs, and their long names.';
  end case;
end
$$;

-- Translates one part of a regular expression of ECMA 262.
create function _pg_jsonschema.regex_part(part text, is_in_brackets boolean) returns text
language sql immutable strict parallel safe
as $$
  select case
    when part like '\\p{%' then
      case when is_in_brackets then class else '[' || class || ']' end
    when part like '\\P{%' then '[^' || class || ']'
    -- PostgreSQL reads any number of digits after \x.
    when part like '\\x__' then '\u00' || substr(part, 3)
    when is_in_brackets then
      case part
        when '\d' then '0-9'
        when '\w' then 'A-Za-z0-9_'
        when '\b' then '\u0008'
        when '[' then '\['
        else part
      end
    when part like '(?<_%>' then '('
    else
      case part
        when '.' then '[^\n\r\u2028\u2029]'
        when '\d' then '[0-9]'
        when '\D' then '[^0-9]'
        when '\w' then '[A-Za-z0-9_]'
        when '\W' then '[^A-Za-z0-9_]'
        when '\b' then '\y'
        when '\B' then '\Y'
        else part
      end
  end
  from (
    select case when part ~ '^\\[pP]\{' then _pg_jsonschema.class_of_property(substring(part from '\{(?:.*=)?(.*)\}')) end
  ) as property (class)
$$;

-- Translates a regular expression of ECMA 262 to one of PostgreSQL.
create function _pg_jsonschema.regex_of(pattern text) returns text
language plpgsql immutable strict parallel safe
as $$
declare
  part text;
  is_in_brackets boolean := false;
  result text := '';
begin
  -- Others mean the same in both.
  if pattern !~ '[.\\]|\(\?<' then
    return pattern;
  end if;
  for part in
    select match[1]
    from regexp_matches(
      pattern, '(\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}|\\[pP]\{[^}]*\}|\\.|\[\^?|\(\?<[A-Za-z_$][^>]*>|.)', 'g'
    ) as match
  loop
    if not is_in_brackets and part in ('[', '[^') then
      is_in_brackets := true;
      result := result || part;
    elsif is_in_brackets and part = ']' then
      is_in_brackets := false;
      result := result || part;
    else
      result := result || _pg_jsonschema.regex_part(part, is_in_brackets);
    end if;
  end loop;
  return result;
end
$$;

create function _pg_jsonschema.matches_pattern(value text, pattern text) returns boolean
language sql immutable strict parallel safe
as $$ select value ~ _pg_jsonschema.regex_of(pattern) $$;

-- RFC 3339, section 5.6. The second 60 exists only at the end of a day in UTC.
create function _pg_jsonschema.is_time(value text) returns boolean
language sql immutable strict parallel safe
as $$
  select coalesce(
    parts[3] <> '60'
      or mod(
        parts[1]::int * 60 + parts[2]::int + 1440
          - case when parts[4] = '-' then -1 else 1 end * (coalesce(parts[5], '0')::int * 60 + coalesce(parts[6], '0')::int),
        1440
      ) = 1439,
    false
  )
  from (
    select regexp_match(
      value,
      '^([01][0-9]|2[0-3]):([0-5][0-9]):([0-5][0-9]|60)(?:\.[0-9]+)?(?:[Zz]|([+-])([01][0-9]|2[0-3]):([0-5][0-9]))$'
    )
  ) as matched (parts)
$$;

-- PostgreSQL decides whether a month has this day.
create function _pg_jsonschema.is_date(value text) returns boolean
language sql immutable strict parallel safe
as $$ select value ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' and pg_input_is_valid(value, 'date') $$;

-- Whether a text is a URI or a reference (RFC 3986), or with other characters than those of ASCII an IRI (RFC 3987). Its parts
-- are: scheme, authority, path, query and fragment.
create function _pg_jsonschema.is_uri(value text, is_absolute boolean, is_international boolean) returns boolean
language sql immutable strict parallel safe
as $$
  select value !~ '%(?![0-9A-Fa-f]{2})'
    and value ~ case when is_international
      then '^[^\u0001-\u0020"<>\\^`{|}\u007f]*$'
      else '^[A-Za-z0-9._~:/?#@!$&''()*+,;=%\[\]-]*$'
    end
    and coalesce(parts[1] ~ '^[A-Za-z][A-Za-z0-9+.-]*$', not is_absolute)
    and coalesce(parts[2] ~ '^([^@\[\]]*@)?(\[[0-9A-Fa-f:.]+\]|\[v[0-9A-Fa-f]+\.[^]]+\]|[^@:\[\]]*)(:[0-9]*)?$', true)
    and concat(parts[3], parts[4], parts[5]) !~ '[][#]'
  from (
    select regexp_match(value, '^(?:([^:/?#]+):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$')
  ) as matched (parts)
$$;

-- RFC 1123, section 2.1.
create function _pg_jsonschema.is_hostname(value text) returns boolean
language sql immutable strict parallel safe
as $$
  select length(value) <= 253 and value ~ '^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)(\.[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$'
$$;

create function _pg_jsonschema.is_ipv4(value text) returns boolean
language sql immutable strict parallel safe
as $$
  select value ~ '^((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])\.){3}(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])$'
$$;

create function _pg_jsonschema.is_ipv6(value text) returns boolean
language sql immutable strict parallel safe
as $$
  select value ~ '^[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*$' and pg_input_is_valid(value, 'inet')
    and (value !~ '\.' or _pg_jsonschema.is_ipv4(substring(value from '[^:]*$')))
$$;

-- RFC 5321, section 4.1.2: the part in front of @ may be quoted, and the domain may be an address.
create function _pg_jsonschema.is_email(value text) returns boolean
language sql immutable strict parallel safe
as $$
  select coalesce(
    parts[1] is not null
      and (
        _pg_jsonschema.is_hostname(parts[2])
        or _pg_jsonschema.is_ipv4(substring(parts[2] from '^\[(.*)\]$'))
        or _pg_jsonschema.is_ipv6(substring(parts[2] from '^\[IPv6:(.*)\]$'))
      ),
    false
  )
  from (
    select regexp_match(
      value, '^([A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&''*+/=?^_`{|}~-]+)*|"(?:[^"\\]|\\.)*")@(.+)$'
    )
  ) as matched (parts)
$$;

-- Whether a string has a format. Formats without a check, such as `regex` and those of international names, accept any.
create function _pg_jsonschema.matches_format(value text, format text) returns boolean
language sql immutable strict parallel safe
as $$
  select case format
    when 'date' then _pg_jsonschema.is_date(value)
    when 'time' then _pg_jsonschema.is_time(value)
    when 'date-time' then value ~ '^.{10}[Tt]' and _pg_jsonschema.is_date(left(value, 10)) and _pg_jsonschema.is_time(substr(value, 12))
    when 'email' then _pg_jsonschema.is_email(value)
    when 'hostname' then _pg_jsonschema.is_hostname(value)
    when 'ipv4' then _pg_jsonschema.is_ipv4(value)
    when 'ipv6' then _pg_jsonschema.is_ipv6(value)
    when 'uri' then _pg_jsonschema.is_uri(value, true, false)
    when 'uri-reference' then _pg_jsonschema.is_uri(value, false, false)
    when 'iri' then _pg_jsonschema.is_uri(value, true, true)
    when 'iri-reference' then _pg_jsonschema.is_uri(value, false, true)
    when 'uri-template' then value ~ '^([^{}"<>\\^`\s]|\{[+#./;?&=,!@|]?[A-Za-z0-9_.%,:*]+\})*$'
    when 'json-pointer' then value ~ '^(/([^~/]|~[01])*)*$'
    when 'relative-json-pointer' then value ~ '^(0|[1-9][0-9]*)(#|(/([^~/]|~[01])*)*)$'
    else true
  end
$$;
