-- The portal's only source of time for rules: node clocks may be wrong (R24, R94). A test replaces its body.
create function portal_now() returns timestamptz language sql stable as $$ select statement_timestamp() $$;

create table accounts (
  id uuid primary key default gen_random_uuid(),
  -- The provider's own id of the customer.
  provider_id text unique,
  -- As shown; compared by its canonical form: NFKC and lower case, an e-mail's domain in punycode (R19, R26).
  login text not null,
  login_key text not null unique,
  email text not null,
  email_key text not null unique,
  phone text not null,
  first_name text not null,
  second_name text,
  surname text not null,
  locale text not null check (locale in ('pl', 'en')),
  -- null until the first password is set.
  password_hash text,
  -- Hashes of earlier passwords, newest first, so that none of them comes back (PWD-5).
  earlier_hashes text[] not null default '{}',
  -- Set while the account is blocked; only a new password clears it (AUT-4, R12).
  blocked_at timestamptz,
  created_at timestamptz not null default portal_now()
);

create table sessions (
  -- SHA-256 of the token in the cookie, which is nowhere kept (R5).
  token_hash bytea primary key,
  id uuid not null unique default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  -- A pending session has passed the password only and opens nothing but the code entry (R1).
  stage text not null check (stage in ('pending', 'signed-in')),
  started_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  absolute_ends_at timestamptz not null
);
create index sessions_by_account on sessions (account_id, started_at desc);
create index sessions_by_end on sessions (ends_at);

-- One fresh second factor for one purpose and object of one session (AUT-7).
create table step_ups (
  session_id uuid not null references sessions (id) on delete cascade,
  purpose text not null,
  object uuid not null,
  confirmed_at timestamptz not null,
  primary key (session_id, purpose, object)
);

create table codes (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  session_id uuid not null references sessions (id) on delete cascade,
  purpose text not null,
  object uuid not null,
  -- HMAC of id, ordinal and code: no code can be recovered from the table (R22).
  code_mac bytea not null,
  entries int not null default 0,
  ordinal int not null default 1,
  sent_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index codes_by_session on codes (session_id);
create index codes_by_account on codes (account_id);
create index codes_by_expiry on codes (expires_at);

-- How often something was tried: the moments of the tries that still count (see budgets.ts).
create table budgets (
  name text not null,
  -- HMAC of what is counted, such as an account, a number or an address.
  key bytea not null,
  spent timestamptz[] not null,
  locked_until timestamptz,
  forget_at timestamptz not null,
  primary key (name, key)
);
create index budgets_to_forget on budgets (forget_at);

-- Links of mails: one use, newest wins, hash only (R10, R11).
create table links (
  token_hash bytea primary key,
  account_id uuid not null references accounts on delete cascade,
  purpose text not null check (purpose in ('set-up', 'reset')),
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- Voided by a newer link, a sign-in, or a change of password or e-mail (R11).
  voided_at timestamptz
);
create index links_by_account on links (account_id);

-- Messages to be sent, written in the transaction of the act they tell of (R92).
create table outbox (
  id uuid primary key default gen_random_uuid(),
  channel text not null check (channel in ('mail', 'sms', 'password-link')),
  -- Sealed, because codes and links are in it (R3).
  message bytea not null,
  created_at timestamptz not null default portal_now(),
  -- A code that can no longer be used is dropped, not sent late.
  drop_at timestamptz,
  tries int not null default 0,
  next_try_at timestamptz not null default portal_now(),
  -- While a worker holds the message; another may take it once this has passed.
  leased_until timestamptz,
  sent_at timestamptz,
  -- dead: given up after the last try, or refused for good; expired: dropped.
  outcome text check (outcome in ('sent', 'dead', 'expired')),
  failure text
);
create index outbox_due on outbox (next_try_at) where outcome is null;

-- What was done, by whom, to what; written in the transaction of the act (OPS-5, R84).
create table audit (
  id bigint generated always as identity primary key,
  at timestamptz not null default portal_now(),
  act text not null,
  -- The account that acted or was acted for; null where there is none.
  account_id uuid,
  -- Who acted: customer, provider, operator, system.
  actor text not null,
  address text,
  details jsonb not null default '{}'
);
create index audit_by_account on audit (account_id, id desc);

create table idempotency (
  -- Account or provider key that sent it, then the key it chose.
  caller uuid not null,
  key text not null,
  request_hash bytea not null,
  -- Sealed reply; null while the first request is running.
  reply bytea,
  created_at timestamptz not null default portal_now(),
  primary key (caller, key)
);
create index idempotency_by_age on idempotency (created_at);

create table provider_keys (
  id uuid primary key default gen_random_uuid(),
  key_hash bytea not null unique,
  name text not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz,
  revoked_at timestamptz
);
