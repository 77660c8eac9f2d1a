-- DSK: sessions of the provider's staff, who sign in at an OpenID provider.
create table staff_sessions (
  -- SHA-256 of the token in the cookie, which is nowhere kept (R230).
  token_hash bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  -- `sub` and `sid` of the provider.
  subject text not null,
  provider_session text,
  name text not null,
  roles text[] not null,
  address text not null,
  browser text,
  system text,
  started_at timestamptz not null default portal_now(),
  used_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  absolute_ends_at timestamptz not null
);
create index staff_sessions_by_subject on staff_sessions (subject, started_at);
create index staff_sessions_by_provider_session on staff_sessions (provider_session) where provider_session is not null;
create index staff_sessions_by_start on staff_sessions (started_at);
create index staff_sessions_by_end on staff_sessions (ends_at);

-- Logout tokens of the provider that were used: each ends sessions once (R233).
create table staff_logouts (
  token_id text primary key,
  forget_at timestamptz not null
);
create index staff_logouts_by_end on staff_logouts (forget_at);
