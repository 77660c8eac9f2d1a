-- The desk of the provider's staff.

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
  absolute_ends_at timestamptz not null,
  -- R252: when this person has last entered a password or another factor at the OpenID provider (`auth_time`), if it says so.
  authenticated_at timestamptz
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

-- DSK-24: changes of customers that a member of the staff proposes and another one decides (R247).
create table desk_proposals (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('email', 'phone', 'erasure', 'hold', 'hold-release')),
  -- The new value, and the contact details that the proposer saw; encrypted, and removed with the decision (R249).
  content bytea,
  reason text not null,
  -- `sub` and name at the OpenID provider.
  proposed_by text not null,
  proposer text not null,
  proposed_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  -- `void`: the customer's data had changed.
  outcome text check (outcome in ('approved', 'refused', 'void')),
  decided_by text,
  decider text,
  note text,
  constraint desk_proposals_decided check ((outcome is null) = (decided_by is null) and (outcome is null) = (content is not null)),
  constraint desk_proposals_four_eyes check (decided_by <> proposed_by)
);
-- One open proposal for each customer and kind.
create unique index desk_proposals_open on desk_proposals (account_id, kind) where outcome is null;
create index desk_proposals_by_account on desk_proposals (account_id, proposed_at);
create index desk_proposals_by_end on desk_proposals (expires_at);
