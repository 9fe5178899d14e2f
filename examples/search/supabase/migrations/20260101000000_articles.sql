create extension if not exists pg_trgm with schema extensions;

create table public.articles (
  id bigint generated always as identity primary key,
  title text not null,
  body text not null,
  -- Words of the title count more than words of the body.
  words tsvector generated always as (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'B')
  ) stored
);

create index on public.articles using gin (words);
create index on public.articles using gin (title extensions.gin_trgm_ops);

alter table public.articles enable row level security;
create policy "everyone reads articles" on public.articles for select to anon, authenticated using (true);

-- The best matches for a query in the syntax of search engines: words, "phrases", or, -without.
create function public.search_articles(query text, max_results integer default 10)
returns table (title text, excerpt text, rank real)
language sql stable
set search_path = ''
as $$
  select
    a.title,
    ts_headline('english', a.body, q, 'StartSel=[, StopSel=], MaxWords=12, MinWords=5') as excerpt,
    ts_rank(a.words, q) as rank
  from public.articles a, websearch_to_tsquery('english', query) q
  where a.words @@ q
  order by rank desc, a.id
  limit least(max_results, 50)
$$;

-- Titles that are similar to a misspelled one.
create function public.suggest_titles(misspelled text)
returns setof text
language sql stable
set search_path = ''
as $$
  select title
  from public.articles
  where extensions.word_similarity(misspelled, title) > 0.4
  order by extensions.word_similarity(misspelled, title) desc, title
  limit 3
$$;
