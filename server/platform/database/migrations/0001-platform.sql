-- Time, text search, keys of encryption, rate limits and stored files.

-- The portal's only source of time for rules: node clocks may be wrong (R24, R94). A test replaces its body.
create function portal_now() returns timestamptz language sql stable as $$ select statement_timestamp() $$;

-- How texts are compared in the search of lists (UIX-26): in any case, without the marks of the letters of Europe's languages, with
-- plain spaces, hyphens and apostrophes. In ICU's rules, so that the locale of the database makes no difference.
create function folded(text text) returns text language sql immutable parallel safe
  return replace(replace(replace(replace(
    translate(regexp_replace(normalize(lower(text collate "und-x-icu"), nfd), '[\u0300-\u036f]', '', 'g'),
      U&'łøđðħŧıŋəʒς’ʼ–—\2011\00a0\202f', U&'loddhtinezσ''''---  '),
    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

-- The root of all keys but the master keys, encrypted with one of those.
create table secrets (
  name text primary key,
  encrypted bytea not null
);

-- Each document has its own key: without its row, no copy of the file can be read.
create table document_keys (
  document text primary key,
  encrypted bytea not null
);

-- Files whose rows are gone. The row comes with the end of what named the file and goes after it, so that no crash leaves one behind.
create table discarded_files (
  file text primary key
);

-- The folder or bucket that has the documents, by its id: a node with another one would report them as damaged, so it does not start.
create table documents_store (
  id uuid not null,
  is_only boolean primary key default true check (is_only)
);

-- The times of the attempts that still count, for each rate limit.
create table rate_limits (
  name text,
  -- HMAC of what is counted, such as an account, a number or an address.
  key bytea,
  spent timestamptz[] not null,
  locked_until timestamptz,
  forget_at timestamptz not null,
  primary key (name, key)
);
create index rate_limits_to_forget on rate_limits (forget_at);

create table idempotency (
  -- Account or provider key that sent it, then the key it chose.
  caller uuid,
  key text,
  request_hash bytea not null,
  -- Encrypted reply; null while the first request is running.
  reply bytea,
  created_at timestamptz not null default portal_now(),
  primary key (caller, key)
);
create index idempotency_by_age on idempotency (created_at);

-- DSK-31: what each node says of itself every half minute. A node that has stopped is removed, one that has crashed after a day.
create table nodes (
  id uuid primary key,
  host text not null,
  version text not null,
  started_at timestamptz not null default portal_now(),
  seen_at timestamptz not null default portal_now(),
  -- The last run of each job: {"name", "at", "isOk"}.
  jobs jsonb not null,
  -- What the checks of `sygnet check` found when, and whether somebody waits for the next time: {"name", "status", "text"}.
  findings jsonb not null default '[]',
  checked_at timestamptz,
  check_wanted boolean not null default false
);
create index nodes_by_seen on nodes (seen_at);
