-- Composite types, nested and in arrays, as columns, arguments and results.
create type currency as enum ('EUR', 'USD');
create type money_amount as (amount numeric, currency currency);
create type line as (label text, price money_amount, tags text[]);
create domain short_text as varchar(20);
create type nested as (lines line[], note short_text);
create table bill (id int primary key, total money_amount not null, lines line[], details nested);
create function total_of(lines line[]) returns money_amount language sql as $$ select row(0, 'EUR')::money_amount $$;
create function lines_of(bill_id int) returns setof line language sql as 'select unnest(lines) from bill where id = bill_id';
