-- Names that need quotes in SQL, or that are keywords or no identifiers in the generated languages.
create type "Mixed Case" as enum ('1st', 'with space', 'ÄÖ', 'class', '');
create table "Order" (
  "class" int primary key,
  "default" text not null default 'x',
  "from" text,
  "import" boolean,
  "two words" text,
  "kebab-case" text,
  "1st" int,
  "camelCase" text,
  "quoted""name" text,
  "it's" text,
  "naïve" text,
  "日本" text,
  "$dollar" text,
  "back\slash" text,
  "type" "Mixed Case"
);
create table "function" ("return" int primary key references "Order", "None" text, "self" text, "func" text, "init" text);
create view "select" as select "class", "two words" from "Order";
create function "delete"("with" int, "Some Arg" text default '') returns int language sql as 'select 1';
