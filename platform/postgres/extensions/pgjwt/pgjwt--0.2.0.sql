-- Signs and verifies JSON Web Tokens (RFC 7519) with HMAC. Names and parameters are those of pgjwt 0.2.0.

create function @extschema@.url_encode(data bytea) returns text
language sql immutable strict parallel safe
as $$ select translate(encode(data, 'base64'), E'+/=\n', '-_') $$;

create function @extschema@.url_decode(data text) returns bytea
language sql immutable strict parallel safe
as $$ select decode(translate(data, '-_', '+/') || repeat('=', -length(data) & 3), 'base64') $$;

create function @extschema@.algorithm_sign(signables text, secret text, algorithm text) returns text
language plpgsql immutable strict parallel safe
as $$
declare
  hash text := case algorithm when 'HS256' then 'sha256' when 'HS384' then 'sha384' when 'HS512' then 'sha512' end;
begin
  if hash is null then
    raise exception using
      errcode = 'invalid_parameter_value',
      message = format('unsupported algorithm "%s"', algorithm),
      hint = 'Use HS256, HS384 or HS512.';
  end if;
  return @extschema@.url_encode(@extschema:pgcrypto@.hmac(signables, secret, hash));
end
$$;

create function @extschema@.sign(payload json, secret text, algorithm text default 'HS256') returns text
language sql immutable strict parallel safe
as $$
  select signables || '.' || @extschema@.algorithm_sign(signables, secret, algorithm)
  from (
    select @extschema@.url_encode(convert_to(format('{"alg":"%s","typ":"JWT"}', algorithm), 'utf8'))
      || '.' || @extschema@.url_encode(convert_to(payload::text, 'utf8')) as signables
  ) as unsigned
$$;

-- Returns null for a text that is not a number.
create function @extschema@.try_cast_double(inp text) returns double precision
language sql immutable strict parallel safe
as $$ select case when pg_input_is_valid(inp, 'double precision') then inp::double precision end $$;

-- A token is valid if its signature is correct and the current time is within its claims `nbf` and `exp`.
create function @extschema@.verify(token text, secret text, algorithm text default 'HS256')
returns table (header json, payload json, valid boolean)
language sql stable strict parallel safe
as $$
  select
    decoded.header,
    decoded.payload,
    coalesce(
      cardinality(parts) = 3
        and parts[3] = @extschema@.algorithm_sign(parts[1] || '.' || parts[2], secret, algorithm)
        and current_timestamp >= coalesce(to_timestamp(@extschema@.try_cast_double(decoded.payload ->> 'nbf')), '-infinity')
        and current_timestamp < coalesce(to_timestamp(@extschema@.try_cast_double(decoded.payload ->> 'exp')), 'infinity'),
      false
    )
  from string_to_array(token, '.') as parts,
    lateral (
      select
        convert_from(@extschema@.url_decode(parts[1]), 'utf8')::json as header,
        convert_from(@extschema@.url_decode(parts[2]), 'utf8')::json as payload
    ) as decoded
$$;
